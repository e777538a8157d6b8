"""A visit: its order, what was said, the report, how it ended. Its shape is a contract."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from records.medical_record import Language, Paper, canonical_hash

Setting = Literal["interaction", "one_step", "zero_turn", "conference"]
Protocol = Literal["carried", "direct"]
Unrecorded = Literal["unavailable", "normal"]

DOCTOR = "doctor"
PATIENT = "patient"
EXAMINER = "examiner"
CHIEF_PHYSICIAN = "chief_physician"


class Ending(StrEnum):
    """How a visit ended; a closed list, each with an attribution and a rule for resuming."""

    DIAGNOSIS_GIVEN = "diagnosis_given"
    ROUND_LIMIT = "round_limit"
    DOCTOR_DECLINED = "doctor_declined"
    DOCTOR_FAILED = "doctor_failed"
    PATIENT_FAILED = "patient_failed"
    EXAMINER_FAILED = "examiner_failed"
    MODERATOR_FAILED = "moderator_failed"
    INFRASTRUCTURE = "infrastructure"
    CONTENT_FILTERED = "content_filtered"
    BUDGET = "budget"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """True if the order is settled: resuming does not hold the visit again."""
        return self in _FINAL

    @property
    def markable(self) -> bool:
        """True if the visit gets marks; a doctor that gave nothing is marked as no diagnosis."""
        return self in _MARKED


_MARKED = frozenset(
    {
        Ending.DIAGNOSIS_GIVEN,
        Ending.ROUND_LIMIT,
        Ending.DOCTOR_DECLINED,
        Ending.DOCTOR_FAILED,
    }
)
_FINAL = _MARKED | {Ending.CONTENT_FILTERED}


class VisitOrder(Paper):
    """What is to happen. Its hash is the visit's key.

    Concurrency, judge, secrets and our version are not part of it: they do not change what the
    players see.
    """

    record_id: str
    record_hash: str
    language: Language
    setting: Setting
    doctor: str
    """Spec of the Doctor's seat, as given on the command line."""
    npc: str
    """Spec of the Patient's and Examiner's seats."""
    protocol: Protocol = "carried"
    unrecorded: Unrecorded = "unavailable"
    """What the Examiner says of an examination that is not on record."""
    prompts_hash: str
    max_turns: int = Field(default=10, ge=1)
    seed: int = 0
    trial: int = Field(default=1, ge=1)

    @property
    def key(self) -> str:
        """16 hexadecimal characters that name this order and no other."""
        return canonical_hash(self.model_dump(mode="json"))

    @property
    def visit_seed(self) -> int:
        """Seed of the visit's every random choice, from run seed and key."""
        return int(canonical_hash([self.seed, self.key]), 16)


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
    """The role spoken to."""
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
    station: str | None = None
    """Name of the OSCE station, if the visit was one."""


class Visit(Paper):
    """One visit from order to ending, a line of `visits.jsonl`."""

    key: str
    record_id: str
    record_hash: str
    doctor: str
    setting: Setting
    protocol: Protocol
    npc: str
    language: Language
    seed: int
    trial: int
    prompts_hash: str
    models_answered: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """By role, the models that the endpoints said answered; no entry for a role without a model."""
    ending: Ending
    failed_by: str | None = None
    """The role whose failure ended the visit, or `provider`."""
    failure: str | None = None
    """What failed, in one line, free of secrets."""
    messages: tuple[Message, ...] = ()
    report: Report | None = None
    usage: dict[str, Usage] = Field(default_factory=dict)
    """By role."""
    cost: float | None = None
    """US dollars; None is unknown."""
    cost_complete: bool = True
    """False if `cost` is "at least": the usage or the price of some calls is unknown."""
    human: HumanNotes | None = None
    """None where all were agents."""
    seconds: float = 0.0
    version: str = ""
    """Of this program, as provenance."""
