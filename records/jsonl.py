"""Append-only files of one JSON value a line, safe against a kill at any moment.

A line counts once its newline is on disk. A last line without one was torn by a kill: it is
forgiven, and what it recorded is owed again. A broken line anywhere else is damage and an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from records.errors import LedgerError
from records.secrets import masked


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, object) of each whole line; a missing file has none.

    Raises:
        LedgerError: a line that ends in a newline is no JSON object; says which.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                value = json.loads(line)
            except (ValueError, UnicodeDecodeError) as error:
                raise LedgerError(
                    f"{path}: line {number}: not valid JSON ({error}); "
                    "restore the file or remove that line, and its visit is held again"
                ) from None
            if not isinstance(value, dict):
                raise LedgerError(f"{path}: line {number}: a JSON object was expected")
            yield number, value


def as_line(value: dict[str, Any]) -> str:
    """One object as a line of such a file, secrets masked, without its newline."""
    return masked(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class LineFile:
    """A file to append to; each line is on disk before `append` returns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def append(self, value: dict[str, Any]) -> None:
        """Write one object as one line, secrets masked, and sync it.

        Raises:
            OSError: the disk refused it.
        """
        line = as_line(value) + "\n"
        descriptor = self._open()
        data = memoryview(line.encode("utf-8"))
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)

    def close(self) -> None:
        """Close the file; a later `append` opens it again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            cut_torn_line(self._path)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self._path, flags, 0o644)
        return self._descriptor


def cut_torn_line(path: Path) -> None:
    """Cut what a kill left after the last newline, so that the next line starts clean."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        size = keep = file.seek(0, os.SEEK_END)
        while keep > 0:
            step = min(65536, keep)
            file.seek(keep - step)
            newline = file.read(step).rfind(b"\n")
            if newline >= 0:
                keep = keep - step + newline + 1
                break
            keep -= step
        if keep < size:
            file.truncate(keep)
            os.fsync(file.fileno())


def write_whole(path: Path, text: str) -> None:
    """Write a small file so that a kill leaves either the old content or the new, never half."""
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
