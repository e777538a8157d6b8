"""AutoGen's messages as an endpoint takes them."""

from __future__ import annotations

from collections.abc import Sequence

from autogen_core.models import AssistantMessage, LLMMessage, SystemMessage, UserMessage


def wire_messages(
    messages: Sequence[LLMMessage], *, replay_reasoning: bool = False
) -> list[dict[str, str]]:
    """Role and content of each message; neighbours of one role are merged, names are not sent.

    Args:
        messages: of AutoGen.
        replay_reasoning: sends the thought of the model's own messages back to it as
            `reasoning_content`, which some endpoints require and most refuse.

    Raises:
        ValueError: a message holds something other than text.
    """
    wire: list[dict[str, str]] = []
    for message in messages:
        content = getattr(message, "content", None)
        if isinstance(message, UserMessage):
            role = "user"
        elif isinstance(message, AssistantMessage):
            role = "assistant"
        elif isinstance(message, SystemMessage):
            role = "system"
        else:
            raise ValueError(f"this client does not send {message.type}")
        if not isinstance(content, str):
            raise ValueError("this client sends text only")
        if wire and wire[-1]["role"] == role:
            wire[-1]["content"] += f"\n\n{content}"
        else:
            wire.append({"role": role, "content": content})
        if replay_reasoning and isinstance(message, AssistantMessage) and message.thought:
            earlier = wire[-1].get("reasoning_content")
            thought = f"{earlier}\n\n{message.thought}" if earlier else message.thought
            wire[-1]["reasoning_content"] = thought
    return wire


def system_as_user(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The messages for a model that knows no system role: its words open the first user message."""
    folded: list[dict[str, str]] = []
    for message in messages:
        if message["role"] == "system":
            message = message | {"role": "user"}
        if folded and folded[-1]["role"] == message["role"]:
            merged = f"{folded[-1]['content']}\n\n{message['content']}"
            folded[-1] = folded[-1] | message | {"content": merged}
        else:
            folded.append(message)
    return folded


def opened_by_user(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The messages for a model that wants a user to open: one that says nothing is put first."""
    first = next((i for i, message in enumerate(messages) if message["role"] != "system"), 0)
    opening = [{"role": "user", "content": "…"}]
    if not messages or messages[first]["role"] == "user":
        return list(messages)
    return [*messages[:first], *opening, *messages[first:]]
