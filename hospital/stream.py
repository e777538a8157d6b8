"""What a setting yields: each message as it is said, and last the visit.

The items are AutoGen's, so that its `Console` prints a visit as it prints a team.
"""

from __future__ import annotations

from autogen_agentchat.base import TaskResult
from autogen_agentchat.messages import TextMessage

from records.visit import Message, Visit


class Said(TextMessage):
    """A message as it is said; `message` is what the ledger will hold."""

    message: Message

    @classmethod
    def of(cls, message: Message) -> Said:
        """Wrap a message for the stream."""
        return cls(content=message.text, source=message.speaker, message=message)


class VisitResult(TaskResult):
    """The last item of every setting."""

    visit: Visit
