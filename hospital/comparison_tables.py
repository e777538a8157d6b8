"""What a comparison looks like on a terminal: the standings, and the pairs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from rich.console import Console

from evaluation.compare import Comparison, Pair
from hospital.columns import Row, Sheet, names_in_sheets, text
from hospital.shown import HEADINGS, NONE, setting_name
from hospital.tables import print_full_names

_MEASURES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}


def print_comparison(console: Console, comparison: Comparison) -> None:
    """Print the standings with their rank groups, then every pair, then what to know of them."""
    metric = comparison.metric
    what = _MEASURES.get(metric) or HEADINGS[metric]
    console.print(text(f"{what}, 0 to 100, by {comparison.judge}", style="bold"))
    standings = _standings_sheet(comparison)
    plain = {standing.name: standing.name for standing in comparison.standings}
    names = names_in_sheets(plain, [standings, _pairs_sheet(comparison, plain)], console.width)
    pairs = _pairs_sheet(comparison, names)
    console.print()
    standings.print(console, names)
    console.print(text(_standings_legend(comparison), style="dim"))
    console.print()
    pairs.print(console, names)
    console.print(text(_pairs_legend(comparison), style="dim"))
    _print_remarks(console, comparison)
    print_full_names(console, names)
    counting = comparison.counting
    console.print(
        text(
            f"Fingerprint {comparison.fingerprint}: convention {counting.convention}, matching"
            f" {counting.matching}, seed {comparison.seed}.",
            style="dim",
        )
    )


def _standings_sheet(comparison: Comparison) -> Sheet:
    several = len({standing.setting for standing in comparison.standings}) > 1
    rows = [
        Row(
            (
                s.name,
                *([setting_name(s.setting)] if several else []),
                str(s.cases),
                f"{s.score:.1f} ±{s.half_width:.1f}",
                *([] if comparison.against else [s.group or NONE]),
            )
        )
        for s in comparison.standings
    ]
    headings = ("Doctor", *(["Setting"] if several else []), "Cases", "Score")
    headings += () if comparison.against else ("Group",)
    return Sheet(headings, tuple(rows), "Doctor", frozenset({"Setting", "Group"}))


def _pairs_sheet(comparison: Comparison, names: Mapping[str, str]) -> Sheet:
    """The pairs under the title of their better one; against one, all under that one's."""
    lines: list[Row | str] = []
    if comparison.against is not None:
        title = comparison.against
        lines.append(f"less {names[title]}")
        lines += [Row(_cells(_seen_from(pair, title))) for pair in comparison.pairs]
    else:
        for better, group in groupby(comparison.pairs, key=lambda pair: pair.one):
            lines.append(f"{names[better]} less")
            lines += [Row(_cells(pair)) for pair in group]
    headings = ("Doctor", "Cases", "Difference", "95% interval", "p", "Holm", "Detectable")
    return Sheet(headings, tuple(lines), "Doctor")


def _seen_from(pair: Pair, against: str) -> Pair:
    """The pair with `against` second, as in "less the baseline", and `other` the row's name."""
    if pair.one == against:
        return pair.model_copy(
            update={
                "difference": -pair.difference,
                "lower": -pair.upper,
                "upper": -pair.lower,
            }
        )
    return pair.model_copy(update={"one": pair.other, "other": pair.one})


def _cells(pair: Pair) -> tuple[str, ...]:
    return (
        pair.other,
        str(pair.cases),
        f"{pair.difference:+.1f}",
        f"{pair.lower:+.1f} to {pair.upper:+.1f}",
        f"{pair.p:.4f}",
        f"{pair.p_holm:.4f}{'*' if pair.apart else ' '}",
        NONE if pair.detectable is None else f"{pair.detectable:.1f}",
    )


def _standings_legend(comparison: Comparison) -> str:
    cases = (
        "on the cases that all have"
        if comparison.on_common_cases
        else "each on its own cases, as no case is common to all: only the pairs compare"
    )
    legend = f"Score {cases}, ±half-width of its 95% bootstrap interval."
    if comparison.against is None:
        legend += " Doctors that share a letter are not told apart."
    return legend


def _pairs_legend(comparison: Comparison) -> str:
    n = len(comparison.pairs)
    legend = (
        f"Paired bootstrap over common cases ({comparison.iterations:,} resamples); Holm: p"
        f" corrected for {n} {'pair' if n == 1 else 'pairs'}, * below 0.05. Detectable: the least"
        " true difference, in points, that these cases find with 80% power"
    )
    if comparison.detectable is not None:
        legend += f", {comparison.detectable:.1f} at the median"
    return f"{legend}."


def _print_remarks(console: Console, comparison: Comparison) -> None:
    if comparison.silent:
        console.print(
            text(
                f"{comparison.silent} answers without a disease count as one wrong disease each.",
                style="dim",
            )
        )
    for one, other in comparison.without_cases:
        console.print(text(f"{one} and {other} have no case in common.", style="yellow"))
    if comparison.unmarked:
        line = f"{comparison.unmarked} visits have no mark yet; their cases are left out."
        console.print(text(line, style="yellow"))
    for line in comparison.differing:
        console.print(text(f"The runs differ in {line}", style="yellow"))
