"""A model's reply on the terminal as it comes, without the tags that are meant for the house."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.text import Text

from agents.live import LISTENER
from hospital.play.hanging import Wrapping, labelled
from hospital.play.terminal import Terminal

QUIET = 4.0
"""Seconds after which someone who waits wonders."""
_TAG = re.compile(r"[<＜][^<>＜＞\n]{0,40}[>＞]\s*")
_BEGUN = re.compile(r"[<＜][^<>＜＞\n]{0,40}\Z")
"""A tag that is not closed yet, or a sign that will turn out to be none."""


class Live:
    """Shows what is said as it comes, and knows what it has shown.

    Args:
        terminal: where.
        names: of the roles, as the terminal calls them.
        still_waiting: what is said once nothing has come for a while; "" says nothing.
    """

    def __init__(
        self, terminal: Terminal, names: Mapping[str, str], still_waiting: str = ""
    ) -> None:
        self._terminal = terminal
        self._still_waiting = still_waiting
        self._due: asyncio.TimerHandle | None = None
        self._names = names
        self._wrapping = Wrapping(terminal.width)
        self._role = ""
        self._came = ""
        self._shown = ""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen in while this is open; a plain terminal is not made to stutter."""
        token = None if self._terminal.plain else LISTENER.set(self.hear)
        try:
            yield
        finally:
            self.rest()
            if token is not None:
                LISTENER.reset(token)

    def expect(self) -> None:
        """Someone is to speak: if nothing comes for a while, that is said, once."""
        self.rest()
        if self._still_waiting:
            loop = asyncio.get_running_loop()
            text = Text(self._still_waiting, style="dim")
            self._due = loop.call_later(QUIET, self._terminal.show, text)

    def rest(self) -> None:
        """Nobody is waited for."""
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def hear(self, role: str, piece: str) -> None:
        """Show a piece."""
        self.rest()
        if role != self._role:
            self._begin(role)
        self._came += piece
        ready = _TAG.sub("", _BEGUN.sub("", self._came)).lstrip()
        new, self._shown = ready[len(self._shown) :], ready
        if new:
            if len(new) == len(ready):
                self._write(labelled(self._names.get(role, role)))
            self._write(new)

    def has_shown(self, role: str, text: str) -> bool:
        """True if this very text of the role stands on the terminal now; ends the line."""
        if not self._shown:
            return False
        self._end()
        same = role == self._role and " ".join(self._shown.split()) == " ".join(text.split())
        self._begin("")
        return same

    def _begin(self, role: str) -> None:
        if self._shown:
            self._end()
        self._role, self._came, self._shown = role, "", ""

    def _write(self, piece: str) -> None:
        self._terminal.write(self._wrapping.feed(piece))

    def _end(self) -> None:
        self._terminal.write(f"{self._wrapping.end()}\n")
        self._wrapping = Wrapping(self._terminal.width)
