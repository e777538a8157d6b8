"""A client that writes every paid reply into the run's journal before anyone reads it.

A run that was killed in the middle of a visit holds that visit again; the calls that were answered
are then answered from the journal, and only the rest is asked and paid for.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from autogen_core.models import ChatCompletionClient

from agents.model.model_reply import Completion
from agents.model.wrapped_client import Call, WrappedClient


class ReplyStore(Protocol):
    """What is needed of `records.journal.Journal`."""

    def find(self, visit_key: str, call_id: str) -> dict[str, Any] | None:
        """The reply written under these names, or None."""
        ...

    def write(self, visit_key: str, call_id: str, reply: dict[str, Any]) -> None:
        """Write a reply so that it outlives the process."""
        ...

    async def keep(self, visit_key: str, call_id: str, reply: dict[str, Any]) -> None:
        """As `write`, along with what others write meanwhile."""
        ...


class JournaledClient(WrappedClient):
    """Answers from the journal what it holds, else from the model, and writes that down.

    The n-th call with the same content, in one visit and one role, has the same name whenever the
    visit is held: a visit is deterministic but for its models' replies. Made fresh for every visit.

    Args:
        inner: asked for what the journal lacks.
        journal: of the run.
        visit_key: the order's key.
        role: whose calls these are.
    """

    def __init__(
        self, inner: ChatCompletionClient, journal: ReplyStore, visit_key: str, role: str
    ) -> None:
        super().__init__(inner)
        self._journal = journal
        self._visit_key = visit_key
        self._role = role
        self._asked: Counter[str] = Counter()
        self._last: str | None = None

    async def around(self, call: Call) -> Completion:
        """Look the call up, else make it and write its reply."""
        content = call.content_hash
        self._asked[content] += 1
        call_id = f"{self._role}:{content}:{self._asked[content]}"
        self._last = call_id
        known = self._journal.find(self._visit_key, call_id)
        if known:
            return Completion.model_validate(known | {"cached": True, "origin": "journal"})
        completion = await call.make()
        await self._journal.keep(self._visit_key, call_id, completion.model_dump(mode="json"))
        return completion

    def forget_last(self) -> None:
        """Strike the last reply out, so that the visit, tried again, does not end on it again."""
        if self._last is not None:
            self._journal.write(self._visit_key, self._last, {})
        super().forget_last()
