"""`hospital records import`: plain-text notes through a model into our own format."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hospital.model_options import KeyFile, ModelsFile, PromptsDirectory
from records.errors import Fault, InputError
from records.medical_record import Language

if TYPE_CHECKING:
    from agents.clerk import Sorted
    from agents.seats import Seats

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SUFFIX = ".provenance.jsonl"


def import_notes(
    notes: Annotated[
        Path, typer.Argument(metavar="NOTES", help="A text file in UTF-8: the notes of one case.")
    ],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The JSON Lines file to add the case to.")
    ],
    model: Annotated[
        str, typer.Option("--model", help="The model, as PROVIDER/MODEL or URL#MODEL.")
    ],
    language: Annotated[
        Language | None,
        typer.Option(help="The language of the notes. [default: by their script]"),
    ] = None,
    id_: Annotated[
        str | None,
        typer.Option("--id", help="The id of the case. [default: the next free number]"),
    ] = None,
    prompts: PromptsDirectory = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
) -> None:
    """Have a model sort the notes of one case into a record, every fact in the notes' own words.

    What the model says and the notes do not is dropped and counted. Where each fact stands in the
    notes is written beside OUT, to OUT.provenance.jsonl.
    """
    from agents.clerk import UnreadableReplyError
    from agents.model.keys import Keys
    from agents.model.model_failure import ModelFailure
    from agents.model.model_table import ModelTable
    from agents.seats import Seats
    from hospital.case_draft import append_record, ids_in
    from prompts import Prompts
    from records.diseases.disease_names import guess_language
    from records.lint import fault_of, lint_record
    from records.notes import transcribe

    text, taken = _read(notes), ids_in(out)
    spoken = language or guess_language(text)
    name = id_ or next(i for n in range(1, 10**6) if (i := f"{spoken}-{n:03d}") not in taken)
    if name in taken:
        raise InputError([Fault(out, f'has a case "{name}" already; choose another --id')])
    try:
        table, keys = ModelTable.load(models), Keys(key_file)
        seats = Seats(prompts=Prompts(prompts), table=table, keys=keys)
        sorted_ = asyncio.run(_sort(text, spoken, model, seats))
    except (ModelFailure, UnreadableReplyError) as error:
        raise InputError([Fault(notes, f"not imported: {error}")]) from None
    source = f"notes {notes.name}, sorted by {sorted_.model or table.resolve(model).model}"
    transcript = transcribe(text, sorted_.claims, spoken, id_=name, source=source)
    for repair in transcript.repairs:
        _tell(f"{repair.kind}: {repair.detail}")
    if transcript.record is None:
        what = "not imported: the model named no diagnosis that the notes have in these words"
        raise InputError([Fault(notes, what)])
    record = transcript.record
    append_record(record, out)
    with out.with_name(out.name + _SUFFIX).open("a", encoding="utf-8", newline="\n") as file:
        for place in transcript.provenance:
            line = {"record": name, "notes": notes.name} | place.model_dump()
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    for remark in lint_record(record):
        _tell(str(fault_of(remark, out, record)))
    results = len(record.physical_examination) + len(record.auxiliary_examinations)
    counts = Counter(repair.kind for repair in transcript.repairs)
    repaired = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(
        f"{out}: {name}: {len(record.findings)} findings, {results} examinations, "
        f"{len(record.diagnoses)} diagnoses; {len(transcript.repairs)} repairs"
        + (f" ({repaired})" if repaired else "")
    )


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError([Fault(path, f"cannot be read: {error.strerror or error}")]) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8; save the file in UTF-8"
        raise InputError([Fault(path, what)]) from None
    if not text.strip():
        raise InputError([Fault(path, "is empty; expected the notes of one case")])
    return text


async def _sort(text: str, language: Language, model: str, seats: Seats) -> Sorted:
    try:
        return await seats.clerk(model).sort(text, language)
    finally:
        await seats.close()


def _tell(line: str) -> None:
    print(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", line), file=sys.stderr)
