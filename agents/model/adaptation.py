"""What one model of an endpoint was found not to understand, learnt once for all calls."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from agents.model.model_failure import ModelFailure
from agents.model.model_spec import ModelSpec
from agents.model.wire import opened_by_user, system_as_user

_log = logging.getLogger(__name__)

OPTIONAL_FIELDS = ("temperature", "top_p", "seed", "reasoning_effort")
"""Settings that a model may refuse, and that are then left to it."""

Wanted = bool | type[BaseModel] | None
"""Text (None or False), a JSON object (True), or an object of a schema."""

_UNSUPPORTED = (
    "unsupported",
    "not support",
    "only the default",
    "unrecognized",
    "unknown",
    "not permitted",
    "not available",
    "unavailable",
    "not allowed",
    "is allowed for this model",
    "may only be set to",
    "can only be set to",
    "deprecated",
)
_ALTERNATION = (
    "alternate",
    "system role",
    "role 'system'",
    'role "system"',
    "role: system",
    "system message",
    "first message",
    "start with a user",
)


@dataclass
class Adaptation:
    """How this model wants its requests; begins with what most understand."""

    tokens_field: str = "max_tokens"
    dropped: set[str] = field(default_factory=set)
    """Settings that it refuses."""
    formats: tuple[str, ...] = ("json_schema", "json_object")
    """Response formats neither refused nor ignored yet."""
    names_json: bool = False
    """JSON is to be asked for by that word, wherever a response format asks for it too."""
    system_folded: bool = False
    """It knows no system role: what the system says opens the first user message."""
    user_first: bool = False
    """It wants the conversation to be opened by a user message."""
    streams: bool = True
    stream_usage: bool = True
    """It takes `stream_options`, which ask for the usage."""
    reasons_untold: bool = False
    """It reasons first and marks only the end of that."""

    @classmethod
    def of(cls, spec: ModelSpec) -> Adaptation:
        """What the model's spec knows beforehand."""
        return cls(tokens_field=spec.tokens_field, formats=tuple(spec.json_formats))

    def response_format(self, wanted: Wanted) -> dict[str, Any] | None:
        """The nearest format that the model takes; None for text."""
        if not wanted:
            return None
        if not isinstance(wanted, bool) and "json_schema" in self.formats:
            schema = wanted.model_json_schema()
            return {
                "type": "json_schema",
                "json_schema": {"name": wanted.__name__, "schema": schema},
            }
        return {"type": "json_object"} if "json_object" in self.formats else None

    def messages(
        self, messages: Sequence[dict[str, str]], wanted: Wanted
    ) -> Sequence[dict[str, str]]:
        """The messages as the model takes them; a schema that no format can tell is told there."""
        if self.system_folded:
            messages = system_as_user(messages)
        if self.user_first:
            messages = opened_by_user(messages)
        said = None
        if wanted and not isinstance(wanted, bool) and "json_schema" not in self.formats:
            said = f"JSON schema:\n{json.dumps(wanted.model_json_schema(), ensure_ascii=False)}"
        elif wanted and self.names_json:
            said = "(JSON)"
        if said is not None and messages:
            last = messages[-1]
            return [*messages[:-1], last | {"content": f"{last['content']}\n\n{said}"}]
        return messages

    def streamed(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request for a reply that comes piece by piece."""
        asked = request | {"stream": True}
        return asked | {"stream_options": {"include_usage": True}} if self.stream_usage else asked

    def learn(self, request: Mapping[str, Any], failure: ModelFailure) -> bool:
        """Learn from a refused request; True if it is worth asking again.

        Calls under way at once are refused for the same reason; it is learnt, and told, once.
        """
        before = repr(self)
        learnt = self._lesson(request, failure)
        if learnt is None:
            return False
        if repr(self) != before:
            self._tell(request["model"], learnt, failure.reason)
        return True

    def ignores_format(self, request_model: str, name: str) -> None:
        """It took a response format and gave no JSON all the same."""
        if name in self.formats:
            self._drop_format(name)
            self._tell(request_model, f"no response_format {name}", "accepted and ignored")

    def note_untold_reasoning(self, model: str) -> None:
        """It closed a reasoning that it had not opened."""
        if not self.reasons_untold:
            self.reasons_untold = True
            self._tell(model, "streamed replies held back until their reasoning ends", "</think>")

    def _lesson(self, request: Mapping[str, Any], failure: ModelFailure) -> str | None:
        said = failure.reason.lower()
        refused = any(sign in said for sign in _UNSUPPORTED)
        if "max_completion_tokens" in said and "max_tokens" in request:
            self.tokens_field = "max_completion_tokens"
            return "max_completion_tokens instead of max_tokens"
        if "max_completion_tokens" in said and "max_completion_tokens" in request and refused:
            self.tokens_field = "max_tokens"
            return "max_tokens instead of max_completion_tokens"
        if "stream_options" in request and "stream_options" in said:
            self.stream_usage = False
            return "no stream_options"
        if "response_format" in request and "word" in said and "json" in said:
            if self.names_json:
                return None
            self.names_json = True
            return "the word JSON"
        if "response_format" in request and ("response_format" in said or "json_" in said):
            name = request["response_format"]["type"]
            self._drop_format(name)
            return f"no response_format {name}"
        if any(sign in said for sign in _ALTERNATION):
            return self._lesson_of_roles(request["messages"])
        if not refused:
            return None
        if "stream" in request and "stream" in said:
            self.streams = False
            return "no streaming"
        for name in OPTIONAL_FIELDS:
            if name in request and (name == failure.field or name in said):
                self.dropped.add(name)
                return f"no {name}"
        return None

    def _lesson_of_roles(self, messages: Sequence[Mapping[str, str]]) -> str | None:
        """Roles are merged already; what may still be wrong is the first one."""
        if messages[0]["role"] == "system":
            self.system_folded = True
            return "no system role"
        if messages[0]["role"] == "assistant":
            self.user_first = True
            return "a user message first"
        return None

    def _drop_format(self, name: str) -> None:
        self.formats = tuple(known for known in self.formats if known != name)

    @staticmethod
    def _tell(model: str, learnt: str, reason: str) -> None:
        _log.warning("%s: asking with %s from now on (%s)", model, learnt, reason)
