"""A visit: its order, what was said, the report, how it ended. Its shape is a contract."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from pydantic import Field

from records.conference import Minutes
from records.ending import Ending
from records.medical_record import Language, Paper, canonical_hash
from records.message import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    PATIENT,
    REPORT_PARTS,
    Answer,
    AnswerKind,
    Candidate,
    HumanNotes,
    Message,
    Repair,
    Report,
    Trace,
    Usage,
)

__all__ = [
    "CHIEF_PHYSICIAN",
    "DOCTOR",
    "EXAMINER",
    "PATIENT",
    "REPORT_PARTS",
    "Answer",
    "AnswerKind",
    "Candidate",
    "Ending",
    "HumanNotes",
    "Message",
    "Protocol",
    "Repair",
    "Report",
    "Setting",
    "Trace",
    "Unrecorded",
    "Usage",
    "Visit",
    "VisitOrder",
]

Setting = Literal["interaction", "one_step", "zero_turn", "conference"]
Protocol = Literal["carried", "direct"]
Unrecorded = Literal["unavailable", "normal"]


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
        return _key_of(self)

    @property
    def visit_seed(self) -> int:
        """Seed of the visit's every random choice, from run seed and key."""
        return int(canonical_hash([self.seed, self.key]), 16)


@lru_cache(maxsize=4096)
def _key_of(order: VisitOrder) -> str:
    """A visit asks for its key a dozen times."""
    return canonical_hash(order.model_dump(mode="json"))


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
    """The role whose failure ended the visit, or `provider`, or `budget`."""
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
    conference: Minutes | None = None
    """None outside the conference."""
    seconds: float = 0.0
    version: str = ""
    """Of this program, as provenance."""

    @property
    def markable(self) -> bool:
        """True if it gets marks: by its ending, or for the endpoint filtered the doctor's words."""
        filtered = self.ending is Ending.CONTENT_FILTERED
        return self.ending.markable or (filtered and self.failed_by == DOCTOR)
