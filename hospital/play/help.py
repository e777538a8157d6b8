"""What one may type, and what it does: two columns, or one below the other where it is narrow."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from hospital.play.hanging import Hanging
from hospital.play.terminal import Terminal

_LEAST = 60
"""Columns for two columns."""


def show_help(terminal: Terminal, words: str, *, without: Sequence[str] = ()) -> None:
    """Show help.

    Args:
        terminal: where.
        words: lines of what one types, two spaces or more, and what it does.
        without: commands that are left out.
    """
    # A line that begins with spaces goes on with the one before.
    lines = re.sub(r"\n {2,}", " ", words).split("\n")
    rows = [
        re.split(r" {2,}", line, maxsplit=1)
        for line in lines
        if not line.startswith(tuple(without))
    ]
    column = 2 + max(cell_len(row[0]) for row in rows)
    for typed, *does in rows:
        meaning = " ".join(does)
        if terminal.width is None or terminal.width < _LEAST:
            line = Text.assemble((typed, "bold"), f": {meaning}" if meaning else "")
            terminal.show(line)
        else:
            space = " " * (column - cell_len(typed))
            line = Text.assemble((typed, "bold"), f"{space}{meaning}" if meaning else "")
            terminal.show(Hanging(line, column))
