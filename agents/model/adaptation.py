"""What one model of an endpoint was found not to understand, learnt once for all calls."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from agents.model.model_failure import ModelFailure

_log = logging.getLogger(__name__)

OPTIONAL_FIELDS = ("temperature", "top_p", "seed", "reasoning_effort")
"""Settings that a model may refuse, and that are then left to it."""

_UNSUPPORTED = (
    "unsupported",
    "not support",
    "only the default",
    "unrecognized",
    "unknown",
    "not permitted",
)


@dataclass
class Adaptation:
    """How this model wants its requests; begins with what most understand."""

    tokens_field: str = "max_tokens"
    dropped: set[str] = field(default_factory=set)
    """Settings that it refuses."""
    formats: tuple[str, ...] = ("json_schema", "json_object")
    """Response formats not yet refused."""

    def response_format(self, wanted: bool | type[BaseModel] | None) -> dict[str, Any] | None:
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

    def learn(self, request: Mapping[str, Any], failure: ModelFailure) -> bool:
        """Learn from a refused request; True if it is worth asking again."""
        said = failure.reason.lower()
        learnt = None
        if "max_completion_tokens" in said and "max_tokens" in request:
            self.tokens_field = "max_completion_tokens"
            learnt = "max_completion_tokens instead of max_tokens"
        elif "response_format" in request and ("response_format" in said or "json_" in said):
            refused = request["response_format"]["type"]
            self.formats = tuple(f for f in self.formats if f != refused)
            learnt = f"no response_format {refused}"
        elif any(sign in said for sign in _UNSUPPORTED):
            name = next(
                (f for f in OPTIONAL_FIELDS if f in request and (f == failure.field or f in said)),
                None,
            )
            if name is not None:
                self.dropped.add(name)
                learnt = f"no {name}"
        if learnt is None:
            return False
        model = request["model"]
        _log.warning("%s: asking with %s from now on (%s)", model, learnt, failure.reason)
        return True
