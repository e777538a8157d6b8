"""Bringing a fresh Doctor to where an earlier one stood, for undo, resume and stateless serving."""

from __future__ import annotations

from collections.abc import Sequence

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import BaseChatMessage
from autogen_core import CancellationToken
from autogen_core.models import AssistantMessage

from agents.npc import Doctor


async def recall(
    doctor: Doctor,
    heard: Sequence[BaseChatMessage],
    said: str,
    cancellation_token: CancellationToken,
) -> None:
    """Let a Doctor know that it heard these messages and answered so.

    A Doctor with a `recall(heard, said)` of its own is told; an `AssistantAgent` gets both in its
    model context, without a call. Any other is asked again and what it says now is dropped, which
    is exact for a deterministic Doctor.
    """
    remember = getattr(doctor, "recall", None)
    if remember is not None:
        await remember(heard, said)
    elif isinstance(doctor, AssistantAgent):
        for message in heard:
            await doctor.model_context.add_message(message.to_model_message())
        await doctor.model_context.add_message(AssistantMessage(content=said, source=doctor.name))
    else:
        await doctor.on_messages(heard, cancellation_token)
