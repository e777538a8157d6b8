"""The exceptions that a user may meet from the record room.

RecordError
└── InputError      a file or a text of the user's is not what it should be
    LedgerError     a run's directory is damaged, in use, or was made with other settings
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class RecordError(Exception):
    """Base of this room's errors; its text is one line that a user can act on."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a file: where, what, and what would be right."""

    file: Path | str
    what: str
    record: str | None = None
    """Which record: its id, or "line 3" where it has none."""
    field: str | None = None

    def __str__(self) -> str:
        place = ": ".join(str(p) for p in (self.file, self.record, self.field) if p)
        return f"{place}: {self.what}"


class InputError(RecordError):
    """A user's file cannot be read as what it should be; `faults` holds all that was found."""

    def __init__(self, faults: Sequence[Fault], lister: str = "") -> None:
        """`lister` is the command that lists them all; the message tells the first."""
        self.faults = tuple(faults)
        others = f"; '{lister}' lists all" if lister else ""
        more = f" (and {len(faults) - 1} more{others})" if len(faults) > 1 else ""
        super().__init__(f"{faults[0]}{more}")


class LedgerError(RecordError):
    """A run's directory is damaged, held by another process, or was made with other settings."""
