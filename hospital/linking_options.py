"""The options of every command that links diseases: with which terminology, and who names them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from records.errors import Fault, InputError

if TYPE_CHECKING:
    from records.diseases.terminology import Terminology

WHO = "who"

TerminologyOption = Annotated[
    str,
    typer.Option(
        "--terminology",
        metavar="who|who+cm|FILE",
        help="What to link with: WHO ICD-10 with our names; the same with the synonyms of "
        "ICD-10-CM (extra 'icd'); or a table of codes and names (xls, xlsx, csv, tsv; any "
        "layout).",
    ),
]
ExtractOption = Annotated[
    str | None,
    typer.Option(
        "--extract",
        metavar="SPEC",
        help="Who takes the names of diseases from the text: rules, or a model as PROVIDER/MODEL "
        "or URL#MODEL. [default: rules]",
        show_default=False,
    ),
]


def terminology_named(typed: str, icd_table: Path | None) -> Terminology:
    """The terminology of the two options; building it takes a moment.

    Raises:
        InputError: both are given, or there is no such terminology, or it cannot be read.
    """
    from records.diseases.icd10 import named_terminology

    if icd_table is not None and typed != WHO:
        raise InputError([Fault("--icd-table", "give it or --terminology, not both")])
    return named_terminology(str(icd_table) if icd_table is not None else typed)


def extracting_model(typed: str | None) -> str:
    """The spec of the model that is to name diseases; "" for the rules."""
    return "" if typed in (None, "rules") else typed
