"""A person in a chair: one more player, asked for words by whoever has a terminal or a page.

Nothing here knows of terminals. What a person is asked with is an async function that the place
hands in; what it answers goes the same way as a model's words.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_core import CancellationToken

from agents.npc import Opinion, View
from records.views import MarkingView
from records.visit import DOCTOR, Message, Report, Trace

HUMAN = "human"
"""How the spec of a person's seat begins: `human:NAME`."""


@dataclass(frozen=True)
class Words:
    """What a person says in a turn."""

    text: str
    trace: Trace | None = None
    """`end`: the doctor closes the consultation; `differential`: what it is thinking of."""


class HumanDoctor:
    """A `Doctor` who is a person.

    Args:
        ask: handed the messages that are new to the doctor, oldest first; a message whose source is
            `chief_physician` wants the report. Its text is what the doctor says.
    """

    def __init__(self, ask: Callable[[Sequence[BaseChatMessage]], Awaitable[Words]]) -> None:
        self._ask = ask

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        """Ask the person."""
        words = await self._ask(messages)
        trace = {} if words.trace is None else {"trace": words.trace.model_dump_json()}
        return Response(chat_message=TextMessage(source=DOCTOR, content=words.text, metadata=trace))

    async def recall(self, heard: Sequence[BaseChatMessage], said: str) -> None:
        """Nothing to do: a person remembers, and the terminal shows what was said."""


class HumanNpc(Generic[View]):
    """A Patient or an Examiner who is a person.

    Args:
        ask: handed the view and what the role said and heard so far; its messages are the reply.
    """

    def __init__(
        self, ask: Callable[[View, Sequence[Message]], Awaitable[tuple[Message, ...]]]
    ) -> None:
        self._ask = ask

    async def reply(
        self, view: View, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        """Ask the person."""
        return await self._ask(view, transcript)


class HumanChiefPhysician:
    """A `Judge` who is a person.

    Args:
        name: what the marks are filed under.
        ask: handed the record to mark against and the report.
    """

    def __init__(self, name: str, ask: Callable[[MarkingView, Report], Awaitable[Opinion]]) -> None:
        self.name = name
        self._ask = ask

    async def judge(self, view: MarkingView, report: Report) -> Opinion:
        """Ask the person."""
        return await self._ask(view, report)
