"""AutoGen's messages as an endpoint takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from autogen_core.models import AssistantMessage, LLMMessage, SystemMessage, UserMessage

_LONGEST_KEPT = 10_000
"""Characters of a message whose encoding is kept for the next time."""


def wire_messages(
    messages: Sequence[LLMMessage], *, replay_reasoning: bool = False
) -> list[dict[str, str]]:
    """Role and content of each message; neighbours of one role are merged, names are not sent.

    Args:
        messages: of AutoGen.
        replay_reasoning: sends the thought of the model's own messages back to it as
            `reasoning_content`, which some endpoints require and most refuse; "" where there was
            none or it is not known any more, for they require the field.

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
        if replay_reasoning and isinstance(message, AssistantMessage):
            thoughts = (wire[-1].get("reasoning_content"), message.thought)
            wire[-1]["reasoning_content"] = "\n\n".join(t for t in thoughts if t)
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


def encoded(body: Mapping[str, Any]) -> bytes:
    """A request's body as JSON.

    A talk is sent again and again, each time with one message more; each is encoded once.
    """
    fields = [
        f"{_json(name)}:{_messages(value) if name == 'messages' else _json(value)}"
        for name, value in body.items()
    ]
    # A lone surrogate, which UTF-8 does not hold, becomes the JSON escape of itself.
    return f"{{{','.join(fields)}}}".encode("utf-8", "backslashreplace")


def _messages(messages: Sequence[Mapping[str, str]]) -> str:
    return f"[{','.join([_message(tuple(message.items())) for message in messages])}]"


def _message(fields: tuple[tuple[str, str], ...]) -> str:
    kept = all(len(value) < _LONGEST_KEPT for _, value in fields)
    return _short_message(fields) if kept else _json(dict(fields))


@lru_cache(maxsize=4096)
def _short_message(fields: tuple[tuple[str, str], ...]) -> str:
    return _json(dict(fields))


# `json.dumps` makes such an encoder for every value.
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
