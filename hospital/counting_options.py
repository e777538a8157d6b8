"""How marks are to be counted, as options that several commands take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from evaluation.preset import PRESETS, Matching
from evaluation.preset import preset as preset_of
from records.mark import Convention

if TYPE_CHECKING:
    from evaluation.case_scores import Counting

JudgeOption = Annotated[
    str | None,
    typer.Option(
        help="Whose marks to show, where a run has several judges'; 'panel' for the median of all, "
        "'panel(A, B)' of some."
    ),
]
ConventionOption = Annotated[
    Convention | None,
    typer.Option(
        help="strict: an unscored grade is left out, and so are diseases that the patient tells of "
        "or nothing leads to; published: unscored is D, every disease counts. [default: strict]",
        show_default=False,
    ),
]
MatchingOption = Annotated[
    Matching | None,
    typer.Option(
        help="When diseases are the same: code (ICD-10), or published (shared candidate names). "
        "[default: code]",
        show_default=False,
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option(help=f"Count as a publication did: {', '.join(PRESETS)}.", show_default=False),
]


def counting_of(
    preset: str | None, convention: Convention | None, matching: Matching | None
) -> Counting:
    """How to count, of the options given.

    Raises:
        BadParameter: there is no such preset, or another option contradicts it.
    """
    from evaluation.case_scores import Counting

    if preset is None:
        return Counting(convention=convention or "strict", matching=matching or "code")
    try:
        fixed = preset_of(preset)
    except ValueError as fault:
        raise typer.BadParameter(str(fault), param_hint="--preset") from None
    for name, given, held in (
        ("convention", convention, fixed.convention),
        ("matching", matching, fixed.matching),
    ):
        if given is not None and given != held:
            raise typer.BadParameter(
                f"{preset} counts by {name} {held}; leave one of the two options out",
                param_hint=f"--{name}",
            )
    return Counting(
        convention=fixed.convention,
        matching=fixed.matching,
        literal_headings=fixed.literal_headings,
    )
