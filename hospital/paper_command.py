"""`hospital paper`: a run's tables, methods and references, ready for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
from records.medical_record import Language


def paper(
    run: Annotated[Path, typer.Argument(help="A run's directory.", metavar="RUN")],
    out: Annotated[Path, typer.Option(help="The directory to write into.")],
    language: Annotated[Language, typer.Option(help="Of tables and text.")] = "en",
    judge: JudgeOption = None,
    convention: ConventionOption = None,
    matching: MatchingOption = None,
    preset: PresetOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
) -> None:
    """Write a run up: tables as LaTeX and CSV, a methods paragraph, and BibTeX.

    The same run gives the same files to the byte. paper.tex puts them together.
    """
    from evaluation.contestants import RunContents
    from evaluation.paper import paper as write_up
    from hospital.columns import plain_names
    from records.jsonl import write_whole

    counting = counting_of(preset, convention, matching)
    contents = RunContents.read(run)
    try:
        files = write_up(
            contents,
            judge=judge,
            counting=counting,
            language=language,
            seed=seed,
            names=plain_names(sorted({visit.doctor for visit in contents.visits})),
        )
    except ValueError as fault:
        raise InputError([Fault(run, str(fault).removeprefix(f"{run}: "))]) from None
    if out.exists() and not out.is_dir():
        raise InputError([Fault(out, "is a file; --out names a directory")])
    out.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_whole(out / name, text)
    console = Console(stderr=True)
    console.print(f"{len(files)} files in {out}: {', '.join(files)}", highlight=False)
