"""`calls.jsonl` of a run: one line a call, for those who want to know what a run did and when.

Numbers, names and hashes alone: no key, and nothing of what was said. It is not synced and a run
is resumed without it.
"""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from autogen_core.models import ChatCompletionClient

from agents.model.model_failure import ModelFailure
from agents.model.model_reply import Completion
from agents.model.wrapped_client import Call, WrappedClient
from records.jsonl import cut_torn_line
from records.secrets import masked


class CallLog:
    """The file; opened with the first call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def write(self, line: dict[str, Any]) -> None:
        """Append a line.

        Raises:
            OSError: the disk refused it.
        """
        if self._file is None:
            cut_torn_line(self._path)
            self._file = self._path.open("a", encoding="utf-8", newline="\n", buffering=1)
        self._file.write(masked(json.dumps(line, ensure_ascii=False)) + "\n")

    def close(self) -> None:
        """Close the file; a later line opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None


class LoggedClient(WrappedClient):
    """Writes a line about every call, however it ends and wherever its reply comes from.

    Args:
        inner: makes the calls.
        log: of the run.
        visit_key: the order's key, or what a judge's calls are filed under.
        role: whose calls these are.
        spec: as typed, which tells the model that is asked.
    """

    def __init__(
        self, inner: ChatCompletionClient, log: CallLog, visit_key: str, role: str, spec: str
    ) -> None:
        super().__init__(inner)
        self._log = log
        self._known = {"visit": visit_key, "role": role, "asked": spec}

    async def around(self, call: Call) -> Completion:
        """Make the call and tell of it."""
        began = time.monotonic()
        try:
            completion = await call.make()
        except ModelFailure as failure:
            self._tell(call, began, _of_failure(failure))
            raise
        except asyncio.CancelledError:
            self._tell(call, began, {"outcome": "cancelled"})
            raise
        self._tell(call, began, _of_reply(completion))
        return completion

    def _tell(self, call: Call, began: float, how: dict[str, Any]) -> None:
        seconds = round(time.monotonic() - began, 3)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._log.write(
            {"time": at, **self._known, "request": call.content_hash, "seconds": seconds, **how}
        )


def _of_reply(completion: Completion) -> dict[str, Any]:
    known, usage = completion.usage_known, completion.usage
    return {
        "outcome": "reply",
        "origin": completion.origin,
        "answered": completion.model,
        "finish": completion.finish_reason,
        "prompt_tokens": usage.prompt_tokens if known else None,
        "completion_tokens": usage.completion_tokens if known else None,
        "cost": completion.cost if known else None,
        "attempts": completion.attempts,
        "failures": list(completion.failures),
        "repairs": [repair.kind for repair in completion.repairs],
    }


def _of_failure(failure: ModelFailure) -> dict[str, Any]:
    return {
        "outcome": failure.kind.value,
        "attempts": failure.attempts,
        "failures": [kind.value for kind in failure.failures],
    }
