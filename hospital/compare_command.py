"""`hospital compare`: which doctors can be told apart, on the cases that they have in common."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from hospital.counting_options import (
    ConventionOption,
    JudgeOption,
    MatchingOption,
    PresetOption,
    counting_of,
)
from records.errors import Fault, InputError

if TYPE_CHECKING:
    from evaluation.compare import Metric
    from records.visit import Setting

Metrics = Annotated[
    str,
    typer.Option(
        help="symptoms, examinations, diagnosis, rationale, treatment, f1, recall or precision."
    ),
]


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Runs' directories.", metavar="RUN…")],
    against: Annotated[
        str | None,
        typer.Option(help="Only the pairs with this doctor are tested.", show_default=False),
    ] = None,
    metric: Metrics = "diagnosis",
    setting: Annotated[
        str | None,
        typer.Option(
            help="Settings to compare side by side, comma-separated, or all. [default: interaction "
            "where it has two doctors, else all]",
            show_default=False,
        ),
    ] = None,
    judge: JudgeOption = None,
    convention: ConventionOption = None,
    matching: MatchingOption = None,
    preset: PresetOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Compare all pairs of doctors, or settings, on their common cases."""
    from evaluation.compare import compare as compare_all
    from evaluation.contestants import RunContents
    from hospital.comparison_tables import print_comparison

    counting = counting_of(preset, convention, matching)
    what, settings = metric_of(metric), settings_of(setting)
    contents = [RunContents.read(run) for run in dict.fromkeys(runs)]
    try:
        comparison = compare_all(
            contents,
            metric=what,
            settings=settings,
            against=against,
            judge=judge,
            counting=counting,
            seed=seed,
        )
    except ValueError as fault:
        raise InputError([Fault(", ".join(map(str, runs)), str(fault))]) from None
    if json_:
        print(json.dumps(comparison.model_dump(mode="json"), ensure_ascii=False, indent=2))
    else:
        print_comparison(Console(), comparison)


def metric_of(name: str) -> Metric:
    """The metric of a name.

    Raises:
        BadParameter: there is none; names those there are.
    """
    from evaluation.compare import METRICS

    for metric in METRICS:
        if metric == name.strip().lower():
            return metric
    raise typer.BadParameter(
        f"{name!r} is no metric; there are {', '.join(METRICS)}", param_hint="--metric"
    )


def settings_of(text: str | None) -> tuple[Setting, ...]:
    """The settings named in a comma-separated text; none where the choice is left to us.

    Raises:
        BadParameter: one is no setting; names those there are.
    """
    from evaluation.leaderboard import SETTING_ORDER

    if text is None:
        return ()
    names = {name.strip().replace("-", "_") for name in text.split(",") if name.strip()}
    if "all" in names:
        return SETTING_ORDER
    unknown = sorted(names - set(SETTING_ORDER))
    if unknown or not names:
        raise typer.BadParameter(
            f"{', '.join(unknown) or 'nothing'!r} is no setting; there are"
            f" {', '.join(SETTING_ORDER)} and all",
            param_hint="--setting",
        )
    return tuple(setting for setting in SETTING_ORDER if setting in names)
