"""The options of every command that may spend money on models, and what is checked of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from hospital.holding import Means
from records.errors import Fault, InputError

MaxCost = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        metavar="USD",
        help="US dollars that the run may cost in all, resumed runs included; then it stops.",
        show_default=False,
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, help="Tokens that the run may use in all, likewise.", show_default=False),
]
Cache = Annotated[
    str | None,
    typer.Option(
        metavar="DIR|on",
        help="Keep replies on disk and take them from there, across runs: a directory, or "
        "'on' for the user's cache folder.",
        show_default=False,
    ),
]


def cache_directory(typed: str | None) -> Path | None:
    """The directory of replies; made, so that a place that cannot be written is told at once.

    Raises:
        InputError: it cannot be written.
    """
    if typed is None:
        return None
    from platformdirs import user_cache_path

    path = (
        user_cache_path("hospital", appauthor=False) / "replies" if typed == "on" else Path(typed)
    )
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError([Fault(path, f"no place for a cache: {error.strerror}")]) from None
    if not os.access(path, os.W_OK):
        raise InputError([Fault(path, "no place for a cache: it cannot be written")])
    return path


def _unpriced(means: Means) -> list[str]:
    """Specs of the models in the seats whose price nobody told us."""
    from agents.model.spec_text import models_in, without_limits

    models = dict.fromkeys(model for spec in means.specs for model in models_in(spec))
    unpriced = (without_limits(m) for m in models if means.table.resolve(m).price is None)
    return list(dict.fromkeys(unpriced))


def check_prices(means: Means, doctors: Sequence[str], console: Console) -> None:
    """Warn of models without a price; refuse a limit in dollars that could not be kept.

    Raises:
        InputError: there is such a limit.
    """
    from agents.model.spec_text import models_in

    unpriced = _unpriced(means)
    if unpriced and means.max_cost is not None:
        what = (
            f"the price of {', '.join(unpriced)} is unknown; put it into a file of models for "
            '--models, as in [providers.NAME] url = "…" with price = {prompt = 0.5, completion = '
            "1.5} in US dollars per million tokens, and name the model NAME/MODEL; or limit "
            "--max-tokens instead"
        )
        raise InputError([Fault("--max-cost", what)])
    if unpriced:
        line = f"The price of {', '.join(unpriced)} is unknown, and so is what it costs."
        console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)
    own = [spec for spec in doctors if ":" in spec and not models_in(spec)]
    if own and (means.max_cost is not None or means.max_tokens is not None):
        line = f"What {', '.join(own)} spends on models of its own is not counted."
        console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)
