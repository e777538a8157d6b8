"""What is said in a visit, what it came from, and the report that it ends in."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from records.medical_record import Paper

DOCTOR = "doctor"
PATIENT = "patient"
EXAMINER = "examiner"
CHIEF_PHYSICIAN = "chief_physician"


AnswerKind = Literal[
    "recorded",
    "recorded_negative",
    "default_negative",
    "unknown",
    "volunteered",
    "unavailable",
    "assumed_normal",
    "refused",
]


class Answer(Paper):
    """What one thing that was asked for got."""

    asked: str
    """The asker's words, or the concept they were read as."""
    kind: AnswerKind
    """`default_negative`: not on record, answered "not that I noticed". `unavailable` and
    `assumed_normal`: an examination that is not on record, under either convention."""
    ids: tuple[str, ...] = ()
    """Findings or examinations stated."""


class Candidate(Paper):
    """One disease a structured Doctor is thinking of."""

    name: str
    icd10: str | None = None
    score: float


class Trace(Paper):
    """What a structured agent did to arrive at its message."""

    answers: tuple[Answer, ...] = ()
    differential: tuple[Candidate, ...] = ()
    """Best first."""
    raw: str | None = None
    """The reply before repairs, where they changed it."""
    reasoning: str | None = None
    """A model's reasoning, kept apart: no other role ever sees it."""
    end: bool = False
    """True on the message that ends the consultation: the patient's leave, or the doctor's."""


class Repair(Paper):
    """One departure from the expected format that was read all the same."""

    kind: str
    """A short name: `addressee_missing`, `foreign_turn`, `end_token_ignored`, …"""
    detail: str = ""


class Message(Paper):
    """One thing said."""

    turn: int = Field(ge=0)
    """The round, from 0 (the doctor's greeting)."""
    role: str
    """`doctor`, `patient`, `examiner`, `chief_physician`; an open vocabulary."""
    speaker: str
    """Who speaks: an ASCII id, unique in the visit."""
    addressee: str
    """The role spoken to; in a conference, where several have one role, the speaker's id."""
    text: str
    facts: tuple[str, ...] = ()
    """Ids of the record's findings that the text states."""
    examinations: tuple[str, ...] = ()
    """Ids of the record's examinations that the text states the result of."""
    repairs: tuple[Repair, ...] = ()
    trace: Trace | None = None


REPORT_PARTS = ("symptoms", "examinations", "diagnosis", "rationale", "treatment")


class Report(Paper):
    """The Doctor's report in five parts. A part that the text lacks is ""."""

    symptoms: str = ""
    examinations: str = ""
    diagnosis: str = ""
    rationale: str = ""
    treatment: str = ""
    raw: str = ""
    """The report as the Doctor wrote it."""
    asked: tuple[str, ...] = REPORT_PARTS
    """The parts that were asked for; one that was not is not marked. We ask for all five; the
    one-step reports of AI Hospital were asked for three."""


class Usage(Paper):
    """What a role used of its models; None is unknown, which is not 0."""

    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class HumanNotes(Paper):
    """What is to be known of a visit in which a person sat in a chair."""

    role: str
    """The chair: `doctor`, `patient`, `examiner`."""
    hints: int = 0
    """Hints taken."""
    undos: int = 0
    """Turns taken back."""
    exam: bool = False
    """Held under examination rules: no hint, no undo, a time limit."""
    minutes: float | None = None
    """Limit of the consultation; None for none."""
    report_minutes: float | None = None
    """Limit of the report, after it."""
    station: str | None = None
    """Name of the OSCE station, if the visit was one."""
