"""A real terminal for tests: the command on a pseudo-terminal, its screen as a person sees it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

_PATIENCE = 60.0
"""Seconds that a busy machine may take for anything; nothing waits that long for nothing."""


class Terminal:
    """`hospital` with these arguments, on a terminal of some size.

    Args:
        arguments: of the command line.
        where: the working directory.
        rows: of the screen.
        columns: of the screen.
        environment: variables besides those of this process.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        where: Path,
        *,
        rows: int = 24,
        columns: int = 80,
        **environment: str,
    ) -> None:
        variables = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        variables |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "hospital", *arguments],
            dimensions=(rows, columns),
            cwd=str(where),
            env=variables,
            encoding="utf-8",
        )
        self._screen = pyte.HistoryScreen(columns, rows, history=5000, ratio=0.5)
        # The line editor asks where the cursor is and waits for the answer.
        self._screen.write_process_input = self.process.send
        self._stream = pyte.Stream(self._screen)
        self.raw = ""
        """All that came, with its control sequences."""

    @property
    def lines(self) -> list[str]:
        """What stands on the screen and above it, a wide character as itself."""
        above = [
            "".join(line[x].data for x in range(self._screen.columns))
            for line in self._screen.history.top
        ]
        return [line.rstrip() for line in (*above, *self._screen.display)]

    @property
    def text(self) -> str:
        """The lines as one text, wrapped lines joined."""
        return " ".join(line.strip() for line in self.lines)

    def wait(self, text: str, times: int = 1) -> None:
        """Wait until a text stands there so often."""
        end = time.monotonic() + _PATIENCE
        while self.text.count(text) < times:
            if time.monotonic() > end or not self._read():
                self._read()
                assert self.text.count(text) >= times, f"no {text!r} in:\n" + "\n".join(self.lines)

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Wait until something has happened outside the terminal."""
        end = time.monotonic() + _PATIENCE
        while not happened():
            assert time.monotonic() < end, "\n".join(self.lines)
            self._read()

    def type(self, text: str) -> None:
        """Type a text, and Enter."""
        self.process.send(text + "\r")

    def press(self, keys: str) -> None:
        """Press keys, without Enter."""
        self.process.send(keys)

    def paste(self, text: str) -> None:
        """Paste a text, as terminals do it in brackets."""
        self.process.send(f"\x1b[200~{text}\x1b[201~")

    def end(self) -> int | None:
        """Wait for the command's end; its exit code."""
        end = time.monotonic() + _PATIENCE
        while self._read():
            assert time.monotonic() < end, "\n".join(self.lines)
        self.process.wait()
        code: int | None = self.process.exitstatus
        return code

    def close(self) -> None:
        """Close the terminal under the command."""
        self.process.close(force=True)

    def _read(self) -> bool:
        """Take what came; False once nothing more can come."""
        try:
            came = self.process.read_nonblocking(65536, timeout=0.2)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += came
        self._stream.feed(came)
        return True
