"""What stands in the spec of a seat as typed: the models in it, and limits that name nobody."""

from __future__ import annotations

import re

from agents.model.model_spec import is_model

_PARTS = re.compile(r"[^\s,;()]+")
_NAMED = re.compile(r"\A[a-z]+=(?:human:[^+]*\+?)?")
_QUERY = re.compile(r"\?([^\s,;()]*)")
_LIMIT = re.compile(r"(?:requests_per_minute|tokens_per_minute|concurrency)=")


def models_in(spec: str) -> tuple[str, ...]:
    """The specs of models in a seat's spec, each once: itself, or those of a conference."""
    if is_model(spec):
        return (spec,)
    if spec.startswith("exec:"):
        return ()
    parts = (_NAMED.sub("", part.strip("\"'"), count=1) for part in _PARTS.findall(spec))
    return tuple(dict.fromkeys(part for part in parts if is_model(part)))


def without_limits(spec: str) -> str:
    """The spec without the limits in it: they decide no reply, so they are no part of a name."""
    if not models_in(spec):
        return spec

    def kept(query: re.Match[str]) -> str:
        rest = "&".join(part for part in query[1].split("&") if not _LIMIT.match(part))
        return f"?{rest}" if rest else ""

    return _QUERY.sub(kept, spec)
