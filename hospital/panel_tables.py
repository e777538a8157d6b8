"""What stands below a panel's leaderboard: who sat on it, how far they agree, and kinship."""

from __future__ import annotations

from rich.console import Console

from evaluation.panel import Panel
from hospital.columns import text
from hospital.shown import HEADINGS


def print_panel(console: Console, panel: Panel) -> None:
    """Print a panel's judges, their agreement by dimension, and who judged its own family."""
    seats = [f"({n}) {judge}" for n, judge in enumerate(panel.judges, 1)]
    numbers = {judge: n for n, judge in enumerate(panel.judges, 1)}
    console.print()
    console.print(
        text(
            f"Panel of {len(panel.judges)}: {', '.join(seats)}. A grade is the median of"
            " theirs, the lower of two middle ones.",
            style="bold",
        )
    )
    for dimension, found in panel.agreement.items():
        if not found.visits:
            continue
        pairs = ", ".join(
            f"({numbers[pair.one]}, {numbers[pair.other]}) {_figure(pair.kappa)}"
            for pair in found.pairs
        )
        within = "" if found.within_one is None else f"{100 * found.within_one:.0f}%"
        console.print(
            text(
                f"  {HEADINGS[dimension]}: alpha {_figure(found.alpha)}, {within} within one grade"
                f" of {found.visits} visits; quadratic kappa {pairs}"
            )
        )
    if panel.alone:
        told = f"{panel.alone} visits were marked by one of them alone and are left out."
        console.print(text(told, style="yellow"))
    for kin in panel.kin:
        told = f"{kin.judge} judges {kin.doctor}, of its own family ({', '.join(kin.families)})"
        if kin.difference is not None:
            told += f": {kin.difference:+.1f} points from what the others gave"
        console.print(text(f"{told}.", style="yellow"))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
