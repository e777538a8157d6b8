"""How the players behaved (AI Hospital, section 4.4, Table 2), by facts where facts tell.

*Relevance* and *honesty* of the patient, a question-and-answer pair each; *accuracy* of the
examiner, a request each; *consistency* of the doctor's report with what it was told. Whatever the
facts do not settle is left open and counted as such; a judge may settle it
(`agents.behaviour_judge`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from records.examinations.requests import match_request
from records.examinations.stated_examinations import stated_examinations
from records.facts.lexicon import load_lexicon
from records.facts.matching import match_question, stated_findings
from records.facts.negation import is_negated
from records.medical_record import Finding, Language, MedicalRecord, Paper
from records.views import ExaminerView, PatientView
from records.visit import DOCTOR, EXAMINER, PATIENT, Message, Visit

_CLAUSE = re.compile(r"[^，,；;。.!！?？\n]+")
_MOSTLY = 0.8
"""Share of a report's facts from which it is partly consistent."""


class Verdict(Paper):
    """What is made of one pair or request; None where facts do not settle it."""

    turn: int
    relevant: bool | None = None
    """The answer is about what was asked."""
    honest: bool | None = None
    """The answer contradicts nothing on record."""
    accurate: bool | None = None
    """The examiner gave the recorded results of what was named, and nothing else."""
    why: str = ""
    """What speaks against it: ids, in one line."""


class Behaviour(Paper):
    """The verdicts of one visit."""

    visit_key: str
    pairs: tuple[Verdict, ...] = ()
    requests: tuple[Verdict, ...] = ()
    consistency: int | None = None
    """Of the report with the dialogue: 3 all of its facts were told, 2 at least four in five, 1
    fewer; None if it states no fact that the record knows."""


@dataclass(frozen=True)
class Exchange:
    """One side's message and the other's reply."""

    asked: Message
    reply: Message
    earlier: tuple[str, ...]
    """The asker's words before, oldest first."""


def behaviour_of(visit: Visit, record: MedicalRecord) -> Behaviour:
    """Judge a visit by the facts in it."""
    view = PatientView.of(record)
    plain = _plain_findings(view)
    pairs = tuple(_answered(e, view, plain) for e in exchanges(visit.messages, PATIENT))
    requests = tuple(
        _examined(e, ExaminerView.of(record)) for e in exchanges(visit.messages, EXAMINER)
    )
    return Behaviour(
        visit_key=visit.key,
        pairs=pairs,
        requests=requests,
        consistency=_consistency(visit, record),
    )


def exchanges(messages: Sequence[Message], role: str) -> Iterator[Exchange]:
    """Each message to a role that it replied to, with the reply, in order.

    The patient's carrying of a request is no answer, and the examiner may be asked by either.
    """
    for index, asked in enumerate(messages):
        if asked.addressee != role or (role == PATIENT and asked.role != DOCTOR):
            continue
        for reply in messages[index + 1 :]:
            if reply.role == role and reply.addressee == DOCTOR:
                earlier = [m.text for m in messages[:index] if m.role == asked.role]
                yield Exchange(asked, reply, tuple(earlier))
                break
            if reply.role == DOCTOR:
                break


def _answered(exchange: Exchange, view: PatientView, plain: Sequence[Finding]) -> Verdict:
    asked, reply = exchange.asked, exchange.reply
    told = set(reply.facts)
    if asked.turn == 0:
        # The greeting asks for whatever brings the patient.
        relevant: bool | None = True if told else None
    else:
        parts = match_question(asked.text, view, context=exchange.earlier)
        wanted = {i for part in parts for i in part.findings}
        if any(part.kind == "open" for part in parts):
            relevant = True if told else None
        elif wanted:
            relevant = not wanted.isdisjoint(told) if told else None
        else:
            # Nothing on record answers: silence on facts is the right answer.
            relevant = True if not told else None
    against = _contradicted(reply.text, view, plain)
    return Verdict(
        turn=reply.turn,
        relevant=relevant,
        honest=not against,
        why=" ".join(against),
    )


def _contradicted(text: str, view: PatientView, plain: Sequence[Finding]) -> tuple[str, ...]:
    """Ids of findings whose opposite a text states, and never the fact itself.

    Only findings whose name is one concept and nothing else, and of which all that the record says
    is of one mind: "no pain that moves" beside "pain" can be contradicted by no rule. The text
    must name that very concept.
    """
    said: dict[str, set[bool]] = {}
    # A denial reaches no further than its clause here: what is told after it is told.
    for clause in _CLAUSE.findall(text):
        for mention in load_lexicon().mentions(clause, view.language):
            affirmed = not is_negated(clause, mention.start, view.language)
            said.setdefault(mention.concept.id, set()).add(affirmed)
    stated = stated_findings(text, view.findings, view.language)
    return tuple(
        f.id
        for f in plain
        if f.id not in stated and said.get(_concept(f, view.language)) == {not f.present}
    )


def _concept(finding: Finding, language: Language) -> str:
    """The concept that a plain finding's name is."""
    return load_lexicon().mentions(finding.symptom, language)[0].concept.id


def _plain_findings(view: PatientView) -> tuple[Finding, ...]:
    polarity: dict[str, set[bool]] = {}
    for finding in view.findings:
        for concept in _concepts(f"{finding.symptom} {finding.text}", view.language):
            polarity.setdefault(concept, set()).add(finding.present)
    plain = []
    for finding in view.findings:
        if finding.section == "family_history" or "relation" in finding.attributes:
            continue
        mentions = load_lexicon().mentions(finding.symptom, view.language)
        whole = len(mentions) == 1 and mentions[0].end - mentions[0].start == len(finding.symptom)
        concepts = _concepts(finding.symptom, view.language)
        if whole and all(polarity[c] == {finding.present} for c in concepts):
            plain.append(finding)
    return tuple(plain)


@lru_cache(maxsize=8192)
def _concepts(text: str, language: Language) -> frozenset[str]:
    """The concepts that a text mentions, with those that they are kinds of."""
    lexicon = load_lexicon()
    named = {mention.concept.id for mention in lexicon.mentions(text, language)}
    return frozenset(named | {a for concept in named for a in lexicon.ancestors(concept)})


def _examined(exchange: Exchange, view: ExaminerView) -> Verdict:
    request = match_request(exchange.asked.text, view.examinations, view.language)
    wanted = {i for item in request.items for i in item.ids}
    given = set(exchange.reply.examinations)
    missing, extra = sorted(wanted - given), sorted(given - wanted)
    why = [f"missing {' '.join(missing)}"] if missing else []
    why += [f"not asked for {' '.join(extra)}"] if extra else []
    accurate: bool | None = not why
    if why and not (exchange.reply.trace and exchange.reply.trace.answers):
        # Free text may give a result in words that no rule sees: only a judge can say.
        accurate = None
    return Verdict(turn=exchange.reply.turn, accurate=accurate, why="; ".join(why))


def _consistency(visit: Visit, record: MedicalRecord) -> int | None:
    report = visit.report
    if report is None:
        return None
    told = {i for m in visit.messages if m.role != DOCTOR for i in (*m.facts, *m.examinations)}
    examinations = (*record.physical_examination, *record.auxiliary_examinations)
    stated = {
        *stated_findings(report.symptoms, record.findings, record.language),
        *stated_examinations(report.examinations, examinations, record.language),
    }
    if not stated:
        return None
    # A fact told under two ids is told.
    names = {f.symptom for f in record.findings if f.id in told}
    known = {f.id for f in record.findings if f.symptom in names} | told
    share = len(stated & known) / len(stated)
    return 3 if share == 1 else 2 if share >= _MOSTLY else 1
