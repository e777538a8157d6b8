"""Putting the chunks of a streamed reply together to the reply that they are the pieces of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agents.model.connection import END
from agents.model.event_stream import DONE, EventStream
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import failure_of, field_text, one_line

_REASONING = ("reasoning_content", "reasoning")


class ReplyStream:
    """A reply as it grows; `body` is what the endpoint would have sent in one piece."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._finish: object = None
        self._ended = False
        self._kept: dict[str, Any] = {}
        self._whole: Mapping[str, Any] | None = None

    def add(self, event: object) -> str:
        """Take one chunk; returns what it adds to the answer, reasoning tags and all.

        Raises:
            ModelFailure: it is an error, or no chunk at all.
        """
        if event == END:
            self._ended = True
            return ""
        if not isinstance(event, Mapping):
            shown = one_line(str(event))[:120]
            raise ModelFailure(FailureKind.TRANSIENT, f"the reply is not a JSON object: {shown!r}")
        choices = event.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if error := event.get("error"):
            raise failure_of(None, error)
        self._kept |= {k: event[k] for k in ("model", "usage") if event.get(k) is not None}
        if not isinstance(first, Mapping):
            return ""
        if isinstance(first.get("message"), Mapping):
            self._whole = event
            return field_text(first["message"].get("content"))
        if first.get("index", 0) != 0:
            return ""
        if first.get("finish_reason") is not None:
            self._finish = first["finish_reason"]
        delta = first.get("delta")
        if not isinstance(delta, Mapping):
            return ""
        self._reasoning.append(_reasoning(delta))
        content = field_text(delta.get("content"))
        self._content.append(content)
        return content

    def body(self) -> Mapping[str, Any]:
        """The whole reply.

        Raises:
            ModelFailure: it broke off: neither was an end said nor a reason for one given.
        """
        if self._whole is not None:
            return self._whole
        if not self._ended and self._finish is None:
            raise ModelFailure(FailureKind.TRANSIENT, "the stream broke off in the middle")
        message = {
            "content": _joined(self._content),
            "reasoning_content": _joined(self._reasoning),
        }
        return self._kept | {"choices": [{"finish_reason": self._finish, "message": message}]}


def put_together(body: object) -> object:
    """The reply that a body of events makes up, which some endpoints send unasked; else the body.

    Raises:
        ModelFailure: as for `ReplyStream`.
    """
    if not isinstance(body, str) or not body.lstrip().startswith("data:"):
        return body
    stream, reply = EventStream(), ReplyStream()
    for data in [*stream.feed(body.encode()), stream.rest]:
        if data == DONE:
            reply.add(END)
        elif data:
            try:
                reply.add(json.loads(data))
            except ValueError:
                broken = "an event of the reply is malformed JSON"
                raise ModelFailure(FailureKind.TRANSIENT, broken) from None
    return reply.body()


def _reasoning(delta: Mapping[str, Any]) -> str:
    """Some endpoints send it under both names."""
    return next((t for t in (field_text(delta.get(name)) for name in _REASONING) if t), "")


def _joined(pieces: list[str]) -> str:
    """The pieces as one text; a character whose two surrogates came in two pieces is one again."""
    text = "".join(pieces)
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
