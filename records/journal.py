"""The journal of a run: every paid reply as it comes; a killed visit replays what it paid for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from records.errors import LedgerError
from records.jsonl import LineFile, read_lines


class Journal:
    """`journal.jsonl` of a run. One writer; the run's lock sees to that."""

    def __init__(self, path: Path) -> None:
        """Open a journal, reading what an earlier process left.

        Raises:
            LedgerError: a line in the middle is damaged.
        """
        self._file = LineFile(path)
        self._replies: dict[tuple[str, str], dict[str, Any]] = {}
        for number, entry in read_lines(path):
            try:
                self._replies[entry["visit"], entry["call"]] = entry["reply"]
            except KeyError as lacking:
                raise LedgerError(f"{path}: line {number}: lacks {lacking}") from None

    def find(self, visit_key: str, call_id: str) -> dict[str, Any] | None:
        """The reply that this call of this visit got before, or None if it is still to be made."""
        return self._replies.get((visit_key, call_id))

    def write(self, visit_key: str, call_id: str, reply: dict[str, Any]) -> None:
        """Keep a reply; it is on disk before this returns."""
        self._file.append({"visit": visit_key, "call": call_id, "reply": reply})
        self._replies[visit_key, call_id] = reply

    async def keep(self, visit_key: str, call_id: str, reply: dict[str, Any]) -> None:
        """As `write`, but others go on meanwhile, and their replies are synced along with it.

        One that is cancelled meanwhile has its reply kept all the same.
        """
        try:
            await self._file.keep({"visit": visit_key, "call": call_id, "reply": reply})
        finally:
            self._replies[visit_key, call_id] = reply

    def close(self) -> None:
        """Close the file."""
        self._file.close()
