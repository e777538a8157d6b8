"""Append-only files of one JSON value a line, safe against a kill at any moment.

A line counts once its newline is on disk. A last line without one was torn by a kill: it is
forgiven, and what it recorded is owed again. A broken line anywhere else is damage and an error.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
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
    return masked(_encode(value))


# `json.dumps` makes such an encoder for every line.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class LineFile:
    """A file to append to; a line is on disk before `append` or `keep` returns.

    To sync is to wait for the disk, which takes many lines as soon as one: `keep` gathers the lines
    of all who wait, and writes and syncs them at once in a thread, while others go on.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._disk = threading.Lock()
        self._waiting: deque[_Waiting] = deque()
        self._keeper: asyncio.Task[None] | None = None

    def append(self, value: dict[str, Any]) -> None:
        """Write one object as one line, secrets masked, and sync it.

        Raises:
            OSError: the disk refused it.
        """
        with self._disk:
            self._write([_line(value)])

    async def keep(self, value: dict[str, Any]) -> None:
        """As `append`, together with the lines of all others that wait.

        One that is cancelled meanwhile has its line written all the same.

        Raises:
            OSError: the disk refused it.
        """
        loop = asyncio.get_running_loop()
        waiting = _Waiting(_line(value), loop.create_future())
        self._waiting.append(waiting)
        if self._keeper is None or self._keeper.done():
            self._keeper = loop.create_task(self._keep_all())
        await waiting.kept

    def close(self) -> None:
        """Write what still waits and close the file; a later line opens it again.

        Raises:
            OSError: the disk refused it.
        """
        for _, error in self._write_waiting():
            if error is not None:
                raise error
        with self._disk:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    async def _keep_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            # Once begun it goes on though all be cancelled; what it does not come to, `close` does.
            for waiting, error in await asyncio.shield(
                loop.run_in_executor(None, self._write_waiting)
            ):
                if waiting.kept.done():
                    continue
                if error is None:
                    waiting.kept.set_result(None)
                else:
                    waiting.kept.set_exception(error)

    def _write_waiting(self) -> list[tuple[_Waiting, OSError | None]]:
        """Write the lines that wait; returns each with what went wrong."""
        with self._disk:
            batch = []
            while self._waiting:
                batch.append(self._waiting.popleft())
            if not batch:
                return []
            try:
                self._write([waiting.line for waiting in batch])
            except OSError as error:
                return [(waiting, error) for waiting in batch]
            return [(waiting, None) for waiting in batch]

    def _write(self, lines: list[bytes]) -> None:
        descriptor = self._open()
        size = os.fstat(descriptor).st_size
        data = memoryview(b"".join(lines))
        try:
            while data:
                data = data[os.write(descriptor, data) :]
            _sync(descriptor)
        except OSError:
            # Half a line would spoil the next one that is written.
            with suppress(OSError):
                os.ftruncate(descriptor, size)
            raise

    def _open(self) -> int:
        if self._descriptor is None:
            cut_torn_line(self._path)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self._path, flags, 0o644)
        return self._descriptor


@dataclass(frozen=True)
class _Waiting:
    line: bytes
    kept: asyncio.Future[None]


# The size of the file is synced with its data; the time of its last change need not be.
_sync = getattr(os, "fdatasync", os.fsync)


def _line(value: dict[str, Any]) -> bytes:
    return as_line(value).encode("utf-8") + b"\n"


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
