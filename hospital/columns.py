"""Columns on a terminal of any width: side by side where they fit, else below one another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from records.conference import is_conference

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_GAP = 1
_INDENT = 3
_LABEL = 10
"""Columns of the headings, one below another, with their gap."""
_LEAST_NAME = 10
"""Columns that a shortened name needs to say anything."""


@dataclass(frozen=True)
class Row:
    """One line of a table. A cell may have several lines; a remark stands under the whole row."""

    cells: tuple[str, ...]
    remark: str = ""


@dataclass(frozen=True)
class Sheet:
    """Headings, and rows of as many cells; a text among the rows is the title of those after it."""

    headings: tuple[str, ...]
    rows: tuple[Row | str, ...]
    named: str
    """The heading whose cells are names that may be shortened."""
    left: frozenset[str] = frozenset()
    """Headings of columns flush left, as is that of names; the others hold numbers."""

    def room(self, width: int) -> int:
        """Columns that are left for the names if all stands side by side; may be negative."""
        return width - self.width + self._width(self._name)

    @property
    def width(self) -> int:
        """Columns that it needs to stand side by side, with the names as they are."""
        return sum(self._width(i) + _GAP for i in range(len(self.headings))) - _GAP

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the rows have, each once."""
        return tuple(dict.fromkeys(row.cells[self._name] for row in self._lines))

    @property
    def _name(self) -> int:
        return self.headings.index(self.named)

    @property
    def _lines(self) -> list[Row]:
        return [row for row in self.rows if isinstance(row, Row)]

    def _width(self, i: int) -> int:
        parts = (part for row in self._lines for part in row.cells[i].split("\n"))
        return max(map(cell_len, (self.headings[i], *map(clean, parts))))

    def print(self, console: Console, names: Mapping[str, str]) -> None:
        """Print it, with `names` in the place of the names; nothing is left out or cut off."""
        lines = [
            Row(tuple(names[c] if i == self._name else c for i, c in enumerate(r.cells)), r.remark)
            if isinstance(r, Row)
            else r
            for r in self.rows
        ]
        shown = Sheet(self.headings, tuple(lines), self.named, self.left)
        widths = [shown._width(i) for i in range(len(self.headings))]
        if sum(widths) + _GAP * (len(widths) - 1) <= console.width:
            shown._print_beside(console, widths)
        else:
            shown._print_below(console)

    def _print_beside(self, console: Console, widths: Sequence[int]) -> None:
        self._print_line(console, self.headings, widths, "bold")
        for row in self.rows:
            if isinstance(row, str):
                console.print(text(row, style="italic"))
                continue
            parts = [cell.split("\n") for cell in row.cells]
            for n in range(max(map(len, parts))):
                line = [part[n] if n < len(part) else "" for part in parts]
                self._print_line(console, line, widths, "")
            _print_remark(console, row.remark)

    def _print_line(
        self, console: Console, cells: Sequence[str], widths: Sequence[int], style: str
    ) -> None:
        padded = []
        for heading, cell, width in zip(self.headings, map(clean, cells), widths, strict=True):
            space = " " * (width - cell_len(cell))
            flush_left = heading == self.named or heading in self.left
            padded.append(cell + space if flush_left else space + cell)
        console.print(text((" " * _GAP).join(padded).rstrip(), style=style))

    def _print_below(self, console: Console) -> None:
        for row in self.rows:
            if isinstance(row, str):
                console.print(text(row, style="italic"))
                continue
            first, *others = (" ".join(cell.split("\n")) for cell in row.cells)
            console.print(text(first, style="bold"))
            grid = Table.grid(padding=(0, _GAP, 0, 0))
            grid.add_column(no_wrap=True)
            grid.add_column(overflow="fold")
            for heading, cell in zip(self.headings[1:], others, strict=True):
                grid.add_row(text(heading), text(cell))
            console.print(Padding(grid, (0, 0, 0, _INDENT), expand=False))
            _print_remark(console, row.remark)


def _print_remark(console: Console, remark: str) -> None:
    if remark:
        short = shortened(remark, console.width - _INDENT)
        console.print(Padding(text(short, style="dim"), (0, 0, 0, _INDENT), expand=False))


def names_in_sheets(names: Iterable[str], sheets: Sequence[Sheet], width: int) -> dict[str, str]:
    """By name, the one to show in all the sheets: so short that as many as can stand side by side.

    A sheet that would leave a name too little to say anything stands below, and asks nothing.
    """
    plain = plain_names(names)
    longest = max(map(cell_len, plain.values()), default=0)
    rooms = [sheet.room(width) for sheet in sheets]
    beside = [room for room in rooms if room >= min(longest, _LEAST_NAME)]
    return dict(
        zip(
            plain,
            distinctly_shortened(list(plain.values()), min([*beside, width - _INDENT - _LABEL])),
            strict=True,
        )
    )


def plain_names(doctors: Iterable[str]) -> dict[str, str]:
    """By doctor: the model's name alone for an endpoint's, where no other doctor is named so."""
    every = dict.fromkeys(doctors)
    short = {
        doctor: _plain_conference(doctor)
        if is_conference(doctor)
        else doctor.partition("#")[2].partition("?")[0]
        if "://" in doctor
        else doctor
        for doctor in every
    }
    times = Counter(short.values())
    return {d: clean(name if name and times[name] == 1 else d) for d, name in short.items()}


def _plain_conference(doctor: str) -> str:
    """A conference with the names of its models in the place of their addresses."""
    return re.sub(r"https?://[^#\s,;()]*#([^?\s,;()]*)(?:\?[^\s,;()]*)?", r"\1", doctor)


def distinctly_shortened(names: Sequence[str], width: int) -> list[str]:
    """Each name in at most `width` columns, and no two alike that were not.

    What tells most is kept: a class's or a model's own name, else the end, else the beginning;
    where all of these would be alike, a number is added.
    """
    if all(cell_len(name) <= width for name in names):
        return list(names)
    for keep in (_own_name, _end, shortened):
        short = [name if cell_len(name) <= width else keep(name, width) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    numbers = {name: f"…{n}" for n, name in enumerate(dict.fromkeys(names), 1)}
    return [_beginning(name, width - cell_len(numbers[name])) + numbers[name] for name in names]


def _own_name(name: str, width: int) -> str:
    """`…:Curious` of a module's class, `…#model` of an endpoint's model; else the end."""
    own = re.search(r"[:#/][^:#/?\s]+(?=\?|\Z)", name)
    short = f"…{own.group()}" if own else ""
    return short if own and cell_len(short) <= width else _end(name, width)


def _end(name: str, width: int) -> str:
    kept = name
    while kept and cell_len(kept) > width - 1:
        kept = kept[1:]
    return f"…{kept}"


def _beginning(name: str, width: int) -> str:
    while name and cell_len(name) > width:
        name = name[:-1]
    return name


def shortened(words: str, width: int) -> str:
    """A text in one line of at most `width` columns; what is cut is cut after a word and marked."""
    line = " ".join(words.split())
    if cell_len(line) <= width:
        return line
    kept = _beginning(line, width - 1)
    if line[len(kept)] != " " and kept.isascii() and kept.rfind(" ") > len(kept) // 2:
        kept = kept[: kept.rfind(" ")]
    return f"{kept.rstrip()}…"


def text(words: str, style: str = "") -> Text:
    """Text as it is: no markup is read in it, and no control character reaches the terminal."""
    return Text(clean(words), style=style)


def clean(words: str) -> str:
    """Text without control characters but tab and line feed, nor any that turns its direction."""
    return _CONTROL.sub("�", words.replace("\r\n", "\n"))
