"""Lines that hang: what is wrapped stands under its own line's beginning, not under the margin."""

from __future__ import annotations

import re
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
    if plain:
        return [Text(f"{label}: {line.strip()}") for line in lines]
    if len(lines) > 1 and lines[0].startswith("- "):
        return [Text(f"{label}:", style=style), Hanging(Text("\n".join(lines)))]
    text = Text.assemble((f"{label}: ", style), "\n".join(lines))
    return [Hanging(text, cell_len(label) + 2)]


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
                start += max(1, _characters(text[start:], width))
            found.append(start)
        glued = match.end() < len(text) and (
            text[match.end()] in _NEVER_FIRST or text[match.end() - 1] in _NEVER_LAST
        )
        if not glued:
            end = match.end()
    return [offset for offset in found if offset < len(text)]


def _characters(text: str, columns: int) -> int:
    """How many characters stand in the first columns; a wide one is not cut in two."""
    taken = 0
    for number, character in enumerate(text):
        if taken >= columns:
            return number
        taken += cell_len(character)
    return len(text)
