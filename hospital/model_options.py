"""The options of every command that takes a model's spec: which models there are, what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ModelsFile = Annotated[
    Path | None,
    typer.Option(
        "--models",
        help="A TOML file of your own providers and models. "
        "[default: models.toml in the user's configuration folder]",
        show_default=False,
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        help="A file of NAME=VALUE lines with the keys of endpoints. "
        "[default: the environment, then .env in the working directory]",
        show_default=False,
    ),
]
PromptsDirectory = Annotated[
    Path | None,
    typer.Option("--prompts", help="A directory whose templates replace ours, file by file."),
]
