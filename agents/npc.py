"""The three contracts of the people in the house: a non-player, a Doctor, and a judge.

A non-player is a pure function of what it may see, what it heard, and a seed: no hidden state. It
can be served over HTTP, rewound and resumed by handing it another transcript.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage
from autogen_core import CancellationToken

from records.mark import Grade
from records.medical_record import Paper
from records.views import MarkingView
from records.visit import Message, Repair, Report, Usage

View = TypeVar("View", contravariant=True)


class Npc(Protocol[View]):
    """A Patient over `PatientView`, an Examiner over `ExaminerView`."""

    async def reply(
        self, view: View, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        """Answer the last message of the transcript.

        Args:
            view: all that this role knows.
            transcript: what this role said and heard so far, oldest first, never empty.
            seed: of every random choice in this reply.

        Returns:
            One message for each addressee, in the order they are to be heard; at least one.

        Raises:
            SeatError: the role's model failed.
        """
        ...


class Doctor(Protocol):
    """Anything with AutoGen's `on_messages`, made fresh for each visit."""

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        """Answer the new messages; their `source` is `patient`, `examiner` or `chief_physician`."""
        ...


class Opinion(Paper):
    """What a judge says of a report."""

    grades: dict[str, Grade]
    """By dimension of `records.mark.DIMENSIONS`."""
    raw: str = ""
    usage: Usage | None = None
    """Of the judge's model; None without one."""
    cost: float | None = None
    """US dollars; None is unknown."""
    prompts_hash: str = ""
    """Of the words that the model was asked with; "" without one."""
    repairs: tuple[Repair, ...] = ()
    """What the judge's replies were read in spite of."""


class Judge(Protocol):
    """A Chief Physician who marks; blind to who wrote the report."""

    @property
    def name(self) -> str:
        """What the marks are filed under: `rubric`, or the model's spec."""
        ...

    async def judge(self, view: MarkingView, report: Report) -> Opinion:
        """Grade a report against the record.

        Raises:
            SeatError: the judge's model failed; an unreadable reply is an unscored grade instead.
        """
        ...
