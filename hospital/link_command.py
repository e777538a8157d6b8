"""`hospital link`: the diseases that a text names, linked to ICD-10."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console


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
) -> None:
    """Name the diseases in a text and link each to its ICD-10 code (WHO 2019)."""
    from hospital.columns import Row, Sheet
    from records.diseases.disease_names import guess_language
    from records.diseases.icd10 import default_terminology

    spoken = language.value if language else guess_language(text)
    terminology = default_terminology()
    links = terminology.link_text(text, spoken)
    if json_:
        rows = [
            {
                "name": one.name,
                "icd10": one.icd10,
                "title": terminology.title(one.icd10) if one.icd10 else None,
                "term": one.term,
                "how": one.how,
                "score": one.score,
            }
            for one in links
        ]
        result = {"language": spoken, "terminology": terminology.hash, "links": rows}
        print(json.dumps(result, ensure_ascii=False, indent=2))
        return
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
