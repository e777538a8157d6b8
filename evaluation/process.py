"""How a consultation went: what was asked for and got, when, in how many words, and what was not.

Read off the ids of facts and results that the messages of a visit state, so that it needs no judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from evaluation.case_scores import left_out
from records.mark import Mark
from records.medical_record import MedicalRecord, Paper
from records.visit import DOCTOR, EXAMINER, PATIENT, Ending, Message, Visit

PRESENT = ("persona", "chief_complaint", "history_of_present_illness")
"""Sections of the history that tell of the present illness."""
_NOT_RECORDED = ("unavailable", "assumed_normal")


class Process(Paper):
    """What the doctor of one visit asked for and got."""

    visit_key: str
    turns: int
    """Rounds after the greeting."""
    findings: dict[str, int] = Field(default_factory=dict)
    """By finding that the patient stated, the turn of its first mention."""
    examinations: dict[str, int] = Field(default_factory=dict)
    """By sign or result that the examiner gave, the turn of its first mention."""
    questions: int = 0
    """Messages of the doctor's to the patient, the greeting left out."""
    redundant: int = 0
    """Of these and of the requests to the examiner, those that brought only what was known."""
    unrecorded: int = 0
    """Examinations asked for that are not on record."""
    refused: int = 0
    """Requests that named no examination."""
    present_illness: float | None = None
    """Share of the affirmed findings of complaint and present illness that were stated, 0 to 1;
    None where the record has none. So are the next three, of theirs."""
    other_history: float | None = None
    signs: float | None = None
    results: float | None = None
    missed_abnormal: tuple[str, ...] = ()
    """Abnormal results on record that were never asked for."""
    closed_early: bool = False
    """Premature closure: the doctor concluded, with rounds left, on none of the reference
    diagnoses, while abnormal results were still not asked for (Graber et al., Arch Intern Med
    2005)."""


def process_of(
    visit: Visit, record: MedicalRecord, mark: Mark | None = None, max_turns: int | None = None
) -> Process:
    """Read a visit.

    Args:
        visit: an interaction, or one doctor's part of a conference.
        record: its case.
        mark: tells whether a reference diagnosis was hit; None tells of no premature closure.
        max_turns: rounds that there were; None tells of no premature closure.
    """
    findings = _first_turns(visit.messages, PATIENT)
    examinations = _first_turns(visit.messages, EXAMINER)
    missed = tuple(
        e.id for e in record.auxiliary_examinations if e.abnormal and e.id not in examinations
    )
    turns = max((m.turn for m in visit.messages), default=0)
    answers = [a for m in visit.messages if m.role == EXAMINER and m.trace for a in m.trace.answers]
    affirmed = [f for f in record.findings if f.present]
    present = [f.id for f in affirmed if f.section in PRESENT]
    return Process(
        visit_key=visit.key,
        turns=turns,
        findings=findings,
        examinations=examinations,
        questions=sum(
            m.role == DOCTOR and m.addressee == PATIENT and m.turn > 0 for m in visit.messages
        ),
        redundant=_redundant(visit.messages),
        unrecorded=sum(a.kind in _NOT_RECORDED for a in answers),
        refused=sum(a.kind == "refused" for a in answers),
        present_illness=_share(present, findings),
        other_history=_share([f.id for f in affirmed if f.id not in present], findings),
        signs=_share([e.id for e in record.physical_examination], examinations),
        results=_share([e.id for e in record.auxiliary_examinations], examinations),
        missed_abnormal=missed,
        closed_early=bool(
            missed
            and mark is not None
            and max_turns is not None
            and turns < max_turns
            and visit.ending is Ending.DIAGNOSIS_GIVEN
            and not _hits(mark, record)
        ),
    )


def _first_turns(messages: Sequence[Message], role: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for message in messages:
        if message.role == role:
            for i in message.facts if role == PATIENT else message.examinations:
                found.setdefault(i, message.turn)
    return found


def _redundant(messages: Sequence[Message]) -> int:
    """Replies that state something, and nothing that was not stated before."""
    known: set[str] = set()
    redundant = 0
    for message in messages:
        if message.role not in (PATIENT, EXAMINER):
            continue
        stated = {*message.facts, *message.examinations}
        redundant += bool(stated) and stated <= known
        known |= stated
    return redundant


def _share(wanted: Sequence[str], got: Mapping[str, int]) -> float | None:
    return sum(i in got for i in wanted) / len(wanted) if wanted else None


def _hits(mark: Mark, record: MedicalRecord) -> bool:
    """True if a reference that had to be found was found."""
    out = left_out(mark.diseases, record)
    return any(j not in out for _, j in mark.diseases.hits)
