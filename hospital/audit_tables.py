"""What a judge's audit looks like on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluation.audit import Audit, Finding, ProbeRow
from evaluation.probes import PLANTED, REWRITES
from hospital.shown import HEADINGS
from records.mark import DIMENSIONS

_NAMES = {
    "faithful": "faithful",
    "again": "once more",
    "length": "padded",
    "politeness": "politer",
    "order": "reordered",
    "markdown": "markdown",
    "swapped": "another's",
    "wrong_disease": "wrong disease",
    "contraindicated": "contraindicated",
    "denied_affirmed": "denied affirmed",
}
_LANGUAGES = {"zh": "Chinese", "en": "English", "all": "all"}
_LEGEND = (
    "Faithful: share graded A. Rewrites: share graded as the faithful report, and the mean change "
    "in points of 100. Another case's report: share graded D. Errors: share graded lower than the "
    "faithful report in the dimension that has to fall, and the mean change."
)


def print_audit(audits: Sequence[Audit], *, as_json: bool) -> None:
    """Print audits: a table each, or all as one JSON list."""
    if as_json:
        figures = [audit.model_dump(mode="json") for audit in audits]
        print(json.dumps(figures, ensure_ascii=False, indent=2))
        return
    console = Console()
    for audit in audits:
        version = f", version {audit.judge_version} of its rules" if audit.judge_version else ""
        title = f"Audit of {audit.judge}{version}: {audit.cases} cases, seed {audit.seed}"
        console.print(Text(title, style="bold"))
        console.print(_table(audit))
        console.print(Text(_LEGEND, style="dim"))
        unscored = sum(
            found.unscored
            for row in audit.rows
            if row.language == "all"
            for found in row.findings.values()
        )
        if unscored:
            console.print(Text(f"{unscored} grades could not be read or compared.", style="dim"))


def _table(audit: Audit) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("report", no_wrap=True)
    table.add_column("in", no_wrap=True)
    table.add_column("n", justify="right")
    for dimension in DIMENSIONS:
        table.add_column(HEADINGS[dimension], justify="right")
    single = len({row.language for row in audit.rows}) == 2
    before = None
    for row in audit.rows:
        if single and row.language == "all":
            continue
        name = _NAMES[row.kind] if row.kind != before else ""
        before = row.kind
        count = max((found.reports for found in row.findings.values()), default=0)
        cells = (_cell(row, row.findings.get(dimension)) for dimension in DIMENSIONS)
        table.add_row(name, _LANGUAGES[row.language], str(count), *cells)
    return table


def _cell(row: ProbeRow, found: Finding | None) -> str:
    if found is None or found.share is None:
        return ""
    share = f"{100 * found.share:.0f}%"
    if row.kind in REWRITES and found.shift is not None:
        return f"{share} {found.shift:+.1f}"
    if row.kind in PLANTED and found.shift is not None:
        return f"{share} {found.shift:+.0f}"
    return share
