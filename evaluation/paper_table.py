"""One table of a paper, as LaTeX (booktabs) and as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "−": r"$-$",
    # Behind the end of a row, these two would be read as part of it.
    "*": "{*}",
    "[": "{[}",
    "]": "{]}",
}
_ROWS_OF_A_PAGE = 40
_CHINESE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def latex(words: str) -> str:
    """A text in which LaTeX reads nothing but text: on one line, without control characters."""
    line = " ".join(words.split())
    return "".join(_SPECIAL.get(c, c) for c in line if c.isprintable())


def has_chinese(words: str) -> bool:
    """True if a text needs Chinese glyphs."""
    return _CHINESE.search(words) is not None


@dataclass(frozen=True)
class PaperTable:
    """Headings and rows for people, and the figures behind them for machines."""

    name: str
    """Of the files, without suffix, and of the label."""
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """As many cells a row as headings, or one: the title of the rows after it."""
    figures: tuple[str, ...]
    """Headings of the CSV."""
    values: tuple[tuple[object, ...], ...]
    """Rows of the CSV; None is an empty cell."""
    words: int = 1
    """How many of the first columns are words, flush left."""

    def latex(self, fingerprint: str) -> str:
        """A `table*`, no wider than the text, or a `longtable` where it may not fit a page.

        The fingerprint is in its caption. Needs the packages booktabs, graphicx and longtable.
        """
        columns = "l" * self.words + "r" * (len(self.headings) - self.words)
        caption = rf"\caption{{{latex(self.caption)} Fingerprint \texttt{{{fingerprint}}}.}}"
        label = rf"\label{{tab:{self.name}}}"
        head = [r"\toprule", _line(self.headings), r"\midrule"]
        if len(self.rows) > _ROWS_OF_A_PAGE:
            lines = [
                r"{\footnotesize\setlength{\tabcolsep}{3pt}",
                rf"\begin{{longtable}}{{{columns}}}",
                rf"{caption}{label} \\",
                *head,
                r"\endfirsthead",
                *head,
                r"\endhead",
                *self._body(),
                r"\bottomrule",
                r"\end{longtable}}",
            ]
        else:
            lines = [
                r"\begin{table*}[t]",
                r"\centering\small",
                r"\setlength{\tabcolsep}{4pt}",
                caption,
                label,
                r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
                rf"\begin{{tabular}}{{{columns}}}",
                *head,
                *self._body(),
                r"\bottomrule",
                r"\end{tabular}}",
                r"\end{table*}",
            ]
        return "\n".join(lines) + "\n"

    def _body(self) -> list[str]:
        lines = []
        for n, row in enumerate(self.rows):
            if len(row) > 1:
                lines.append(_line(row))
                continue
            if n:
                lines.append(r"\addlinespace")
            title = rf"\textit{{{latex(row[0])}}}"
            lines.append(rf"\multicolumn{{{len(self.headings)}}}{{l}}{{{title}}} \\")
        return lines

    def csv(self, fingerprint: str) -> str:
        """The figures unrounded, UTF-8, the fingerprint in the last column."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*self.figures, "fingerprint"])
        for row in self.values:
            writer.writerow([*("" if value is None else value for value in row), fingerprint])
        return out.getvalue()


def _line(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"
