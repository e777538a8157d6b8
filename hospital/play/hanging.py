"""Lines that hang: what is wrapped stands under its own line's beginning, not under the margin."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from hospital.columns import clean

_MARKER = re.compile(r"\s*(?:[-*•]\s+|\d{1,2}[.)]\s+|\[[x ]\]\s+)?")
_NARROW = 60
"""Columns below which nothing is indented further than a step."""
_STEP = 2
_LABEL = 9
_PIECE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+|\s+")
"""A wide character, or a word, or what is between words: a line may break after each."""
_NEVER_FIRST = frozenset("，。、；：！？）》」』】”’％,.;:!?)]}%")
_NEVER_LAST = frozenset("（《「『【“‘([{")


class Hanging:
    """A text whose wrapped lines are indented.

    Args:
        text: one line or several; a list's marker stands out of its item.
        indent: columns of the wrapped part of a line that has no marker of its own.
    """

    def __init__(self, text: Text, indent: int = _STEP) -> None:
        self._text = text
        self._indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines, wrapped to the width."""
        width = options.max_width
        for line in self._text.split("\n", allow_blank=True):
            marker = _MARKER.match(line.plain)
            wanted = cell_len(marker.group()) if marker else 0
            if not line.plain[:wanted].strip():
                wanted += self._indent
            if width < _NARROW:
                wanted = min(wanted, _LABEL)
            # The head is cut off, the rest wrapped to what is left, and the head put back.
            cut = _characters(line.plain, min(wanted, width // 2))
            head, rest = line[:cut], line[cut:]
            space = Text(" " * cell_len(head.plain))
            wrapped = rest.divide(breaks(rest.plain, width - cell_len(head.plain)))
            for number, piece in enumerate(wrapped):
                piece.rstrip()
                whole = Text.assemble(space if number else head, piece)
                yield from whole.render(console)
                yield Segment("\n")


def spoken(label: str, words: str, *, plain: bool, style: str = "") -> Iterable[RenderableType]:
    """What someone says, under its name.

    Args:
        label: the name.
        words: one line or several.
        plain: put the name before every line, for those who hear one line at a time.
        style: of the name.
    """
    lines = [line for line in clean(words).split("\n") if line.strip()] or [""]
    name = labelled(label)
    if plain:
        return [Text(f"{name}{line.strip()}") for line in lines]
    if len(lines) > 1:
        return [Text(name.rstrip(), style=style), Hanging(Text("\n".join(lines)))]
    return [Hanging(Text.assemble((name, style), lines[0]), cell_len(name))]


class Wrapping:
    """Wraps a line that comes in pieces, without knowing how it goes on.

    Args:
        width: columns; None does not wrap.
    """

    def __init__(self, width: int | None) -> None:
        self._width = width
        self._column = 0
        self._held = ""
        """The last word, whose end is not known yet."""

    def feed(self, piece: str) -> str:
        """What to write for a piece: all but the word that may go on."""
        if self._width is None:
            return piece
        pieces = _PIECE.findall(self._held + piece)
        self._held = pieces.pop() if pieces and not pieces[-1].isspace() else ""
        return "".join(map(self._placed, pieces))

    def end(self) -> str:
        """What is left to write."""
        held, self._held = self._held, ""
        return self._placed(held)

    def _placed(self, word: str) -> str:
        columns = cell_len(word)
        if "\n" in word:
            self._column = 0
            return word
        if self._width is not None and self._column + columns > self._width:
            if word.isspace():
                # What follows begins a line.
                self._column = self._width
                return ""
            if word not in _NEVER_FIRST and columns <= self._width - _STEP:
                self._column = _STEP + columns
                return f"\n{' ' * _STEP}{word}"
        self._column += columns
        return word


def labelled(label: str) -> str:
    """A name with the colon of its language after it."""
    return f"{label}: " if label[-1:].isascii() else f"{label}："


def command(*words: str) -> Text:
    """A command to be copied: never broken into lines."""
    return Text(f"  {shlex.join(words)}", no_wrap=True)


def breaks(text: str, width: int) -> list[int]:
    """Where a line is broken, as offsets: between words, and between wide characters.

    No line begins with a comma or ends with an opening bracket; a word that is longer than a line
    is cut.
    """
    found: list[int] = []
    start = end = 0
    for match in _PIECE.finditer(text):
        while not match.group().isspace() and cell_len(text[start : match.end()]) > width:
            if end > start:
                start = end
            else:
                start += max(1, _fitting(text[start:], width))
            found.append(start)
        glued = match.end() < len(text) and (
            text[match.end()] in _NEVER_FIRST or text[match.end() - 1] in _NEVER_LAST
        )
        if not glued:
            end = match.end()
    return [offset for offset in found if offset < len(text)]


def _fitting(text: str, columns: int) -> int:
    """How many characters fit into so many columns."""
    taken = 0
    for number, character in enumerate(text):
        taken += cell_len(character)
        if taken > columns:
            return number
    return len(text)


def _characters(text: str, columns: int) -> int:
    """How many characters stand in the first columns; a wide one is not cut in two."""
    taken = 0
    for number, character in enumerate(text):
        if taken >= columns:
            return number
        taken += cell_len(character)
    return len(text)
