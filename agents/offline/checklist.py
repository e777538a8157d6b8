"""The checklist Doctor: no model, no thought, the same questions for everyone. The naive baseline.

It asks a fixed history, orders a fixed physical examination and whatever the disease knowledge
names for the diseases that match best, and writes a report. It knows nothing of any record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_core import CancellationToken

from agents.offline.case_notes import CaseNotes, Topic
from agents.offline.checklist_spec import ChecklistSpec
from agents.offline.checklist_words import checklist_words
from agents.offline.differential import Ranked, Weighed, conclude, rank, runners_up, weigh
from agents.offline.revising import notes_on, reconsidered, taken_over
from agents.revision import Revision
from records.diseases.icd10 import default_terminology
from records.knowledge import Disease, load_knowledge
from records.medical_record import Language
from records.visit import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, Protocol, Trace

_WORKED_UP = 5
"""How many of the best-matching diseases name the examinations of the first order …"""
_WORKED_UP_AGAIN = 3
"""… and of the second, when the first results are in."""
_EXAMINATIONS_EACH = 4
"""The most telling of a disease's examinations that are ordered."""
_TRACED = 5
_LONGEST_PART = 6000
"""Characters of a report's part."""


class ChecklistDoctor:
    """A `Doctor` without a model: a fixed history, the examinations that go with it, a report.

    In an interaction it needs seven messages of its own: five questions, at most two orders, and
    a conclusion that asks nothing more. Asked for a report (by a message whose source is
    `chief_physician`), it writes one from whatever it knows by then; a whole case in that message
    is read first. In a conference it ranks anew on the merged facts, and lets itself be swayed by
    colleagues' diagnoses that something speaks for.

    Args:
        language: of the visit.
        knowledge: the diseases it knows; the bundled ones if None.
        protocol: under `direct` it sends its orders to the examiner itself, by a tag.
        spec: what it asks, and in which order.
    """

    def __init__(
        self,
        language: Language,
        knowledge: Sequence[Disease] | None = None,
        protocol: Protocol = "carried",
        spec: ChecklistSpec | None = None,
    ) -> None:
        self._language: Language = language
        self._weighed = _bundled() if knowledge is None else weigh(knowledge)
        self._knowledge = [w.disease for w in self._weighed]
        self._protocol = protocol
        self._words = checklist_words(language)
        spec = spec or ChecklistSpec()
        self._questions = self._words.questions[: spec.questions]
        self._examines_first = spec.first == "examinations"
        self._notes = CaseNotes(language)
        self._topic: Topic = "present"
        """What the patient's next words answer."""
        self._ranked: tuple[Ranked, ...] | None = None
        """By the notes as they are, once it revises."""
        self._diagnosed: frozenset[str] = frozenset()
        """Ids of the diseases in its last report."""
        self._asked = 0
        self._orders = 0
        self._ordered: list[str] = []

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        """Answer the new messages; the same messages always get the same answer."""
        revision = Revision.in_messages(messages)
        if revision is not None:
            return _spoken(*self._revised(revision), self._language)
        report_wanted = False
        for message in messages:
            text = message.to_model_text()
            if message.source == CHIEF_PHYSICIAN:
                self._notes.read_case(text)
                report_wanted = True
            elif message.source == EXAMINER:
                self._notes.receive(text)
            elif message.source == PATIENT:
                self._notes.hear(text, self._topic)
        ranked = rank(self._notes, self._weighed)
        text = self._report(ranked) if report_wanted else self._next(ranked)
        return _spoken(text, ranked, self._language)

    def _revised(self, revision: Revision) -> tuple[str, Sequence[Ranked]]:
        if revision.facts is not None:
            self._notes = notes_on(revision.facts, self._language, self._notes)
            self._ranked = None
        ranked = self._ranked = self._ranked or rank(self._notes, self._weighed)
        if not revision.others:
            return self._report(ranked), ranked
        heard = (revision.others, revision.disputes, self._language, default_terminology())
        chosen = reconsidered(ranked, self._diagnosed, *heard)
        new = taken_over(revision.others, self._knowledge, self._language, heard[-1])
        return self._report(ranked, chosen, new), ranked

    def _next(self, ranked: Sequence[Ranked]) -> str:
        if self._asked < len(self._questions) and (self._orders or not self._examines_first):
            self._topic = "past" if self._asked >= self._words.past_from else "present"
            self._asked += 1
            return self._questions[self._asked - 1]
        self._topic = "present"
        if self._orders == 0:
            names = self._unordered(ranked[:_WORKED_UP], first=self._words.examinations)
            return self._order(names, self._words.order)
        if self._orders == 1:
            if not self._notes.results:
                return self._order(self._ordered, self._words.order_again)
            names = self._unordered(ranked[:_WORKED_UP_AGAIN])
            if names:
                return self._order(names, self._words.order)
        return self._conclusion(ranked)

    def _unordered(self, ranked: Iterable[Ranked], first: Sequence[str] = ()) -> list[str]:
        named = [
            known.name(self._language)
            for one in ranked
            if one.score > 0
            for known in one.disease.examinations[:_EXAMINATIONS_EACH]
            if self._notes.shows(known) is None
        ]
        return [n for n in dict.fromkeys([*first, *named]) if n not in self._ordered]

    def _order(self, names: Sequence[str], words: str) -> str:
        self._orders += 1
        self._ordered += [n for n in names if n not in self._ordered]
        listed = self._words.separator.join(names)
        if self._protocol == "direct":
            return f"{self._words.to_examiner} {self._words.request.format(names=listed)}"
        return words.format(names=listed)

    def _conclusion(self, ranked: Sequence[Ranked]) -> str:
        chosen = conclude(ranked)
        known = self._known_before(chosen)
        return self._words.conclusion.format(
            diagnosis=self._words.separator.join(self._names(chosen, known)),
            reasons=self._reasons(chosen, known),
            treatment=self._treatment(chosen, known),
        )

    def _report(
        self,
        ranked: Sequence[Ranked],
        chosen: Sequence[Ranked] | None = None,
        new: Sequence[str] = (),
    ) -> str:
        """The report of what was chosen (by default: what the ranking concludes) and new names."""
        chosen = conclude(ranked) if chosen is None else chosen
        self._diagnosed = frozenset(c.disease.id for c in chosen)
        known = self._known_before(chosen)
        words = self._words
        said = words.sentence_end.join(self._notes.telling)
        parts = (
            f"{said}{words.sentence_end}".strip() if said else words.nothing,
            "\n".join(r.line for r in self._notes.results) or words.nothing,
            "\n".join(self._names(chosen, known, new)),
            self._reasons(chosen, known, alternatives=runners_up(ranked, chosen)),
            self._treatment(chosen, known),
        )
        # Marks alone say nothing, and who reads the report takes them for mark-up.
        said_at_all = (part if any(map(str.isalnum, part)) else words.nothing for part in parts)
        return "\n\n".join(
            f"{heading}\n{part[:_LONGEST_PART]}"
            for heading, part in zip(words.headings, said_at_all, strict=True)
        )

    def _known_before(self, chosen: Sequence[Ranked]) -> list[Disease]:
        """Diseases that the patient says it has had, apart from those chosen."""
        taken = {c.disease.id for c in chosen}
        return [
            d
            for d in self._knowledge
            if d.id not in taken and self._notes.has_had(d.names[self._language])
        ]

    def _names(
        self, chosen: Sequence[Ranked], known: Sequence[Disease], new: Sequence[str] = ()
    ) -> list[str]:
        names = [*(c.disease.name(self._language) for c in chosen), *new] or [self._words.unknown]
        return names + [d.name(self._language) for d in known]

    def _reasons(
        self,
        chosen: Sequence[Ranked],
        known: Sequence[Disease],
        alternatives: Sequence[Disease] = (),
    ) -> str:
        words = self._words
        symptoms = [s.name(self._language) for c in chosen for s in c.symptoms]
        results = [r.text for c in chosen for _, r in c.results]
        denied = [
            s.name(self._language)
            for c in chosen
            for s in c.disease.symptoms
            if self._notes.said(s) is False
        ]
        lines = (
            (words.said, symptoms),
            (words.found, results),
            (words.denied, denied),
            (words.known_before, [d.name(self._language) for d in known]),
            (
                words.next_best,
                [d.name(self._language) for d in alternatives if d not in known],
            ),
        )
        text = "".join(
            f"{label}{words.separator.join(dict.fromkeys(items))}{words.sentence_end}"
            for label, items in lines
            if items
        ).strip()
        return text if chosen else f"{words.no_reasons}{text}"

    def _treatment(self, chosen: Sequence[Ranked], known: Sequence[Disease]) -> str:
        diseases = [c.disease for c in chosen] + list(known)
        plans = [d.treatment[self._language] for d in diseases]
        if not chosen:
            plans.insert(0, self._words.unknown_treatment)
        return " ".join(plans)


def _spoken(text: str, ranked: Sequence[Ranked], language: Language) -> Response:
    trace = Trace(differential=tuple(r.candidate(language) for r in ranked[:_TRACED]))
    metadata = {"trace": trace.model_dump_json()}
    return Response(chat_message=TextMessage(source=DOCTOR, content=text, metadata=metadata))


@cache
def _bundled() -> tuple[Weighed, ...]:
    return weigh(load_knowledge())
