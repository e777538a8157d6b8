"""`hospital link`: the diseases that a text names, linked to ICD-10."""

from __future__ import annotations

import asyncio
import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from hospital.linking_options import (
    WHO,
    ExtractOption,
    TerminologyOption,
    extracting_model,
    terminology_named,
)
from hospital.model_options import KeyFile, ModelsFile
from records.errors import Fault, InputError
from records.medical_record import Language

if TYPE_CHECKING:
    from agents.disease_reader import NamedDiseases
    from records.diseases.explanation import Explanation
    from records.diseases.terminology import Link, Terminology


class TextLanguage(StrEnum):
    """The languages that names are taken from."""

    ZH = "zh"
    EN = "en"


def link(
    text: Annotated[
        str, typer.Argument(help="A disease name or a diagnosis text.", metavar="TEXT")
    ],
    language: Annotated[
        TextLanguage | None, typer.Option(help="The text's language. [default: by its script]")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print every step: pieces, names, candidates.")
    ] = False,
    terminology: TerminologyOption = WHO,
    icd_table: Annotated[
        Path | None,
        typer.Option(
            "--icd-table",
            metavar="FILE",
            help="The same as --terminology FILE: xls, xlsx, csv or tsv, any layout.",
        ),
    ] = None,
    extract: ExtractOption = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
) -> None:
    """Name the diseases in a text and link each to its ICD-10 code (WHO 2019)."""
    from records.diseases.disease_names import guess_language

    spoken: Language = language.value if language else guess_language(text)
    linker = terminology_named(terminology, icd_table)
    model = extracting_model(extract)
    named = _named(text, spoken, model, models, key_file) if model else None
    if named is None:
        links = linker.link_text(text, spoken)
    else:
        links = tuple(linker.link(name, spoken) for name in named.names)
    steps = _steps(text, spoken, linker, named) if explain else None
    if json_:
        print(json.dumps(_told(links, linker, spoken, named, steps), ensure_ascii=False, indent=2))
        return
    if named is not None:
        for repair in named.repairs:
            print(f"{repair.kind}: {repair.detail}".rstrip(": "), file=sys.stderr)
    _print(links, linker)
    if steps is not None:
        _print_steps(steps, linker)


def _named(
    text: str, language: Language, spec: str, models: Path | None, key_file: Path | None
) -> NamedDiseases:
    from agents.errors import SeatError
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats
    from prompts import Prompts

    seats = Seats(prompts=Prompts(), table=ModelTable.load(models), keys=Keys(key_file))

    async def read() -> NamedDiseases:
        try:
            return await seats.disease_reader(spec).read(text, language)
        finally:
            await seats.close()

    try:
        return asyncio.run(read())
    except SeatError as failure:
        raise InputError([Fault(f"--extract {spec}", f"no names: {failure.reason}")]) from None


def _steps(
    text: str, language: Language, terminology: Terminology, named: NamedDiseases | None
) -> Explanation:
    from records.diseases.explanation import explain

    return explain(text, language, terminology, named.names if named else None)


def _row(one: Link, terminology: Terminology) -> dict[str, object]:
    return {
        "name": one.name,
        "icd10": one.icd10,
        "title": terminology.title(one.icd10) if one.icd10 else None,
        "term": one.term,
        "how": one.how,
        "score": one.score,
    }


def _told(
    links: tuple[Link, ...],
    terminology: Terminology,
    language: Language,
    named: NamedDiseases | None,
    steps: Explanation | None,
) -> dict[str, object]:
    told: dict[str, object] = {
        "language": language,
        "terminology": terminology.hash,
        "links": [_row(one, terminology) for one in links],
    }
    if named is not None:
        told["repairs"] = [repair.model_dump() for repair in named.repairs]
        told["raw"] = named.raw
    if steps is not None:
        told["pieces"] = [
            {"text": one.text, "names": list(one.names), "why": one.why} for one in steps.pieces
        ]
        told["candidates"] = {
            chances.link.name: [_row(one, terminology) for one in chances.others]
            for chances in steps.chances
        }
    return told


def _print(links: tuple[Link, ...], terminology: Terminology) -> None:
    from hospital.columns import Row, Sheet

    console = Console()
    if not links:
        console.print("No disease is named in this text.", highlight=False)
        return
    headings = ("Name", "ICD-10", "Title", "Linked to", "How", "Score")
    lines = []
    for one in links:
        title = (terminology.title(one.icd10) or "") if one.icd10 else ""
        cells = (one.name, one.icd10 or "-", title, one.term or "", one.how, f"{one.score:.1f}")
        lines.append(Row(cells))
    sheet = Sheet(headings, tuple(lines), "Name", frozenset(headings) - {"Score"})
    sheet.print(console, {name: name for name in sheet.names})


def _print_steps(steps: Explanation, terminology: Terminology) -> None:
    console = Console(soft_wrap=True, highlight=False, markup=False)
    console.print(f"\nTerminology {terminology.hash}, {len(terminology)} names")
    console.print("\nPieces of the text")
    for piece in steps.pieces:
        taken = "; ".join(piece.names) if piece.why == "named" else f"({piece.why})"
        console.print(f"  {piece.text} -> {taken}")
    for chances in steps.chances:
        chosen = chances.link
        console.print(f"\n{chosen.name}: {chosen.how}")
        if chosen.icd10:
            console.print(f"  * {chosen.icd10:6} {chosen.score:5.1f}  {chosen.term}")
        for one in chances.others:
            console.print(f"    {one.icd10:6} {one.score:5.1f}  {one.term}")
