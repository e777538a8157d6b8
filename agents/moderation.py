"""The moderating Chief Physician of a conference: what it is asked, and what it may see.

It knows nothing of the record: no method takes a view, and what it is given are the Doctors' own
reports and the answers that Patient and Examiner gave in the conference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from records.conference import Contradiction, Facts
from records.visit import Repair, Report, Trace

MOST_POINTS = 3
"""Disputed points of a round."""
MOST_QUESTIONS = 10
"""Contradictions that are asked about."""

T = TypeVar("T")


@dataclass(frozen=True)
class Question:
    """A contradiction between reports, as the question that settles it."""

    to: Literal["patient", "examiner"]
    text: str
    claims: dict[int, str] = field(default_factory=dict)
    """By index of the report, what it says; empty where the moderator does not tell."""


@dataclass(frozen=True)
class Verdict:
    """Whether the reports agree, and on what they do not."""

    agreement: bool
    points: tuple[str, ...] = ()
    """The weightiest first; a moderator may list more than are discussed, or none."""


@dataclass(frozen=True)
class Ruling(Generic[T]):
    """What a moderator says, and how it was read."""

    value: T
    repairs: tuple[Repair, ...] = ()
    trace: Trace | None = None


class Moderator(Protocol):
    """A Chief Physician who moderates, in one language, a conference on one patient."""

    async def find_contradictions(self, reports: Sequence[Report]) -> Ruling[tuple[Question, ...]]:
        """Find where symptoms and examinations cannot both be true; () where all can.

        Raises:
            SeatError: there is no answer, or none that can be read.
        """
        ...

    async def merge_facts(
        self, reports: Sequence[Report], answers: Sequence[Contradiction]
    ) -> Ruling[Facts]:
        """Bring symptoms and examinations together; the answers overrule the reports.

        Raises:
            SeatError: as above.
        """
        ...

    async def find_disputes(self, reports: Sequence[Report]) -> Ruling[Verdict]:
        """Declare agreement, or list the disputed points.

        Raises:
            SeatError: as above.
        """
        ...

    async def conclude(self, reports: Sequence[Report], facts: Facts | None) -> Ruling[str]:
        """Write the final report; `facts` is None where they were not merged.

        Raises:
            SeatError: as above.
        """
        ...
