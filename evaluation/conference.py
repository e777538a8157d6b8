"""What conferences did for their diagnoses and facts, against the record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from types import MappingProxyType

from pydantic import Field

from evaluation.case_scores import CaseCounts, counts_of
from evaluation.diseases import score_diseases
from evaluation.statistics import score
from records.conference import Contradiction, Minutes
from records.diseases.disease_overlap import (
    Linker,
    normal_name,
    overlap,
    predicted_links,
    reference_links,
)
from records.examinations.requests import match_request, stated_examinations
from records.facts.matching import match_question, stated_findings
from records.mark import DiseaseLink
from records.medical_record import MedicalRecord, Paper
from records.views import ExaminerView, PatientView
from records.visit import Report, Visit

BETTER, WORSE = "better", "worse"


class Settlement(Paper):
    """What the merged facts say of one contradiction, against the record."""

    question: str
    outcome: str
    """`right`: they state what is on record. `wrong`: they state the contrary, or another result.
    `lost`: they state neither. `not_recorded`: the record has nothing on it."""


class ConferenceMarks(Paper):
    """One conference against its record."""

    visit_key: str
    rounds: int | None
    """Rounds of discussion until agreement; None if there was none."""
    better: int
    """Changes of a diagnosis, by a Doctor in a round, towards the reference: taken up and in it, or
    given up and not in it."""
    worse: int
    """Changes the other way."""
    flips: int
    """Changes by which a Doctor undid one of its own: took up again what it had given up, or gave
    up what it had taken up."""
    settlements: tuple[Settlement, ...] = ()
    alone: CaseCounts | None = None
    """Of the reports before the conference, the mean over the Doctors that took part. As in the
    headline, references that the patient tells of or nothing on record leads to do not count."""
    final: CaseCounts | None = None
    """Of the final report."""


class ConferenceSummary(Paper):
    """The conferences of one spec."""

    doctor: str
    conferences: int
    """Held to a final report or to nobody left."""
    rounds: dict[str, int]
    """How many agreed after 0, 1, … rounds, and how many did not (`none`)."""
    ended_by: dict[str, int]
    known: int
    """Conferences of which the minutes tell every round; the changes and flips are theirs."""
    better: int
    worse: int
    flips: int
    contradictions: dict[str, int] = Field(default_factory=dict)
    """By outcome."""
    stayed_out: dict[str, int] = Field(default_factory=dict)
    """By member's spec, in how many conferences it stayed out or left."""
    f1_alone: float | None
    """Of the Doctors' first reports, in percent: micro averages over conferences, in each the mean
    over its Doctors."""
    f1_final: float | None
    """Of the final reports."""


def mark_conference(
    visit: Visit,
    record: MedicalRecord,
    linker: Linker,
    reports: Mapping[str, Report] = MappingProxyType({}),
) -> ConferenceMarks:
    """Compare the course of a conference with its record.

    Args:
        visit: of setting `conference`.
        record: its case.
        linker: links disease names.
        reports: by a visit's key, the reports of consultations that the minutes only name.

    Raises:
        ValueError: the visit has no minutes.
    """
    minutes = visit.conference
    if minutes is None:
        raise ValueError(f"visit {visit.key} is no conference")
    first = {
        p.speaker: report
        for p in minutes.participants
        for report in [p.consultation.report if p.consultation else reports.get(p.visit_key or "")]
        if report is not None and p.out_since != -1
    }
    reference = reference_links(record, linker)
    moves = {BETTER: 0, WORSE: 0, "flips": 0}
    for speaker in first:
        _count_moves(speaker, minutes, reference, record, linker, moves)
    agreed = minutes.ended_by == "agreement"
    return ConferenceMarks(
        visit_key=visit.key,
        rounds=minutes.rounds_held if agreed else None,
        better=moves[BETTER],
        worse=moves[WORSE],
        flips=moves["flips"],
        settlements=tuple(_settled(c, minutes, record) for c in minutes.contradictions),
        alone=_counts(list(first.values()), record, linker),
        final=_counts([visit.report] if visit.report else [], record, linker),
    )


def summarise_conferences(
    visits: Iterable[Visit], records: Mapping[str, MedicalRecord], linker: Linker
) -> tuple[ConferenceSummary, ...]:
    """Sum up a run's conferences by spec, in the order of the specs' first visit.

    Of visits of other settings only the consultations count that conferences name. Conferences of
    cases that are not among the records, and those that a failure ended, are left out.
    """
    visits = list(visits)
    reports = {v.key: v.report for v in visits if v.setting == "interaction" and v.report}
    groups: dict[str, list[tuple[Visit, Minutes, ConferenceMarks]]] = {}
    for visit in visits:
        minutes = visit.conference
        if minutes is None or minutes.ended_by is None or visit.record_id not in records:
            continue
        marks = mark_conference(visit, records[visit.record_id], linker, reports)
        groups.setdefault(visit.doctor, []).append((visit, minutes, marks))
    return tuple(_summary(doctor, held) for doctor, held in groups.items())


def _summary(
    doctor: str, held: Sequence[tuple[Visit, Minutes, ConferenceMarks]]
) -> ConferenceSummary:
    marks = [m for _, _, m in held]
    rounds = Counter("none" if m.rounds is None else str(m.rounds) for m in marks)
    alone = [m.alone for m in marks if m.alone is not None]
    final = [m.final for m in marks if m.final is not None]
    out = Counter(p.doctor for _, minutes, _ in held for p in minutes.participants if p.out)
    return ConferenceSummary(
        doctor=doctor,
        conferences=len(held),
        rounds=dict(sorted(rounds.items())),
        ended_by=dict(sorted(Counter(str(minutes.ended_by) for _, minutes, _ in held).items())),
        known=sum(_tells_rounds(minutes) for _, minutes, _ in held),
        better=sum(m.better for m in marks),
        worse=sum(m.worse for m in marks),
        flips=sum(m.flips for m in marks),
        contradictions=dict(
            sorted(Counter(s.outcome for m in marks for s in m.settlements).items())
        ),
        stayed_out=dict(sorted(out.items())),
        f1_alone=score([c.part("f1") for c in alone]) if alone else None,
        f1_final=score([c.part("f1") for c in final]) if final else None,
    )


def _tells_rounds(minutes: Minutes) -> bool:
    return sum(r.number > 0 for r in minutes.rounds) == minutes.rounds_held


def _counts(reports: Sequence[Report], record: MedicalRecord, linker: Linker) -> CaseCounts | None:
    """The mean counts of some reports; None without any."""
    counted = [
        counts_of(score_diseases(report.diagnosis, record, linker), record) for report in reports
    ]
    return CaseCounts(*map(fmean, zip(*counted, strict=True))) if counted else None


def _count_moves(
    speaker: str,
    minutes: Minutes,
    reference: Sequence[DiseaseLink],
    record: MedicalRecord,
    linker: Linker,
    moves: dict[str, int],
) -> None:
    """Add one Doctor's changes of diagnosis to the counts."""
    taken: set[str] = set()
    given: set[str] = set()

    def is_right(name: str) -> bool:
        return bool(overlap(predicted_links(name, record.language, linker), reference))

    def identity(name: str) -> str:
        links = predicted_links(name, record.language, linker)
        return next((link.icd10[:3] for link in links if link.icd10), normal_name(name))

    for change in (c for r in minutes.rounds for c in r.changes if c.speaker == speaker):
        for name in change.took_up:
            moves[BETTER if is_right(name) else WORSE] += 1
            moves["flips"] += identity(name) in given
            taken.add(identity(name))
        for name in change.gave_up:
            moves[WORSE if is_right(name) else BETTER] += 1
            moves["flips"] += identity(name) in taken
            given.add(identity(name))


def _settled(contradiction: Contradiction, minutes: Minutes, record: MedicalRecord) -> Settlement:
    if contradiction.asked_of == "patient":
        outcome = _symptom_outcome(contradiction, minutes, record)
    else:
        outcome = _result_outcome(contradiction, minutes, record)
    return Settlement(question=contradiction.question, outcome=outcome)


def _symptom_outcome(contradiction: Contradiction, minutes: Minutes, record: MedicalRecord) -> str:
    asked = {
        i
        for part in match_question(contradiction.question, PatientView.of(record))
        for i in part.findings
    }
    findings = [f for f in record.findings if f.id in asked]
    contrary = [f.model_copy(update={"present": not f.present}) for f in findings]

    def told(text: str) -> tuple[set[str], set[str]]:
        """Ids of what a text tells as recorded, and of what it tells the contrary of."""
        language = record.language
        right, wrong = (stated_findings(text, sought, language) for sought in (findings, contrary))
        return set(right), set(wrong)

    reports = [told(text) for text in _told_before(contradiction, minutes, "symptoms")]
    disputed = {f.id for f in findings for right, _ in reports if f.id in right}
    disputed &= {f.id for f in findings for _, wrong in reports if f.id in wrong}
    merged = minutes.facts.symptoms if minutes.facts else ""
    right, wrong = told(merged)
    if not findings:
        return "not_recorded"
    if disputed:
        return "wrong" if wrong & disputed else "right" if right & disputed else "lost"
    # Our reading does not see what they differ in; nothing is wrong that is also right.
    return "right" if right else "wrong" if wrong else "lost"


def _result_outcome(contradiction: Contradiction, minutes: Minutes, record: MedicalRecord) -> str:
    results = ExaminerView.of(record).examinations
    match = match_request(contradiction.question, results, record.language)
    asked = {i for item in match.items for i in item.ids}
    examined = [e for e in results if e.id in asked]
    if not examined:
        return "not_recorded"
    merged = minutes.facts.examinations if minutes.facts else ""
    false = [
        piece
        for claim in contradiction.claims.values()
        for piece in claim.split("; ")
        if not stated_examinations(piece, examined, record.language)
    ]
    # "CRP: 9" does not stand in "CRP: 90".
    if any(re.search(rf"{re.escape(piece)}(?![.\d])", merged) for piece in false):
        return "wrong"
    return "right" if stated_examinations(merged, examined, record.language) else "lost"


def _told_before(contradiction: Contradiction, minutes: Minutes, part: str) -> list[str]:
    """What the Doctors had told when the moderator found the contradiction."""
    if contradiction.claims:
        return list(contradiction.claims.values())
    reports = (p.consultation.report for p in minutes.participants if p.consultation)
    return [getattr(report, part) for report in reports if report is not None]
