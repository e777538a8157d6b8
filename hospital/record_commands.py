"""`hospital records`: look at cases, check and convert them; diagnoses only with `--reveal`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.text import Text

from hospital.add_command import add
from hospital.columns import Row, Sheet, shortened
from hospital.import_command import import_notes
from hospital.rebuild_command import rebuild
from records.errors import Fault, InputError
from records.medical_record import HISTORY_SECTIONS, Examination, MedicalRecord, Paper

records_app = typer.Typer(
    help="Look at cases, check a file of them, convert it to this project's own format.",
    no_args_is_help=True,
    add_completion=False,
)

records_app.command("add")(add)
records_app.command("import")(import_notes)
records_app.command("rebuild")(rebuild)

_SECRET = ("diagnoses", "rationale", "treatment")
_NUMBERS = frozenset(("Age", "Facts", "Results"))
_LEAST_COMPLAINT = 12
_NARROW = 16
"""Columns of a department where they are scarce."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_WIDE = 160
"""Columns where the output is no terminal: a file or a pipe wants whole lines, not 80 columns."""

Cases = Annotated[
    Path | None,
    typer.Option("--cases", help="A file of cases. [default: the bundled records]"),
]
Mapping = Annotated[
    Path | None,
    typer.Option(
        "--mapping",
        help="Of a table: the TOML file that says which column is what. "
        "[default: NAME.mapping.toml beside it]",
        show_default=False,
    ),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Also diagnoses, rationale and treatment.")]


@records_app.command("list")
def list_records(
    path: Annotated[
        Path | None, typer.Argument(help="A file of cases. [default: the bundled records]")
    ] = None,
    reveal: Reveal = False,
    mapping: Mapping = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """List the cases of a file, or the bundled ones."""
    records = _load(path, mapping)
    if as_json:
        _print_json([_row(record, reveal=reveal) for record in records])
        return
    headings: tuple[str, ...] = (
        "Id",
        "Lang",
        "Department",
        "Age",
        "Sex",
        "Complaint",
        "Facts",
        "Results",
    )
    rows = []
    for record in records:
        row = _row(record, reveal=reveal)
        cells = [
            row["id"],
            row["language"],
            row["department"] or "-",
            _age(record.demographics.age_years),
            row["sex"] or "-",
            row["complaint"] or "-",
            str(row["findings"]),
            str(row["examinations"]),
        ]
        if reveal:
            cells.append("; ".join(row["diagnoses"]))
        rows.append(Row(tuple(cells)))
    headings += ("Diagnoses",) if reveal else ()
    sheet = Sheet(headings, tuple(rows), "Complaint", frozenset(headings) - _NUMBERS)
    console = _console()
    if not console.is_terminal:
        console.width = max(console.width, sheet.width)
    # Shortened where a line a case is gained by it; `records show` has it in full.
    room = sheet.room(console.width)
    if room < _LEAST_COMPLAINT:
        narrow = Sheet(headings, tuple(map(_narrow, rows)), sheet.named, sheet.left)
        if narrow.room(console.width) >= _LEAST_COMPLAINT:
            sheet, room = narrow, narrow.room(console.width)
    told = {c: shortened(c, room) if room >= _LEAST_COMPLAINT else c for c in sheet.names}
    sheet.print(console, told)
    _say(console, f"{len(records)} cases", style="dim")


@records_app.command("show")
def show_record(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The id of a case.")],
    cases: Cases = None,
    reveal: Reveal = False,
    mapping: Mapping = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show one case: history, findings, examinations."""
    record = _find(_load(cases, mapping), id_, cases)
    if as_json:
        shown = record.model_dump(mode="json")
        _print_json({k: v for k, v in shown.items() if reveal or k not in _SECRET})
        return
    console = _console()
    _say(console, record.id, style="bold")
    for name, value in _facts(record):
        _say(console, f"{name}: {value}")
    for section in HISTORY_SECTIONS:
        _print_section(console, record, section)
    for title, examinations in (
        ("Physical examination", record.physical_examination),
        ("Auxiliary examinations", record.auxiliary_examinations),
    ):
        if examinations:
            _say(console, f"\n{title}", style="bold")
            for examination in examinations:
                _say(console, _examination_line(examination), indent=2)
    if reveal:
        _print_answers(console, record)


@records_app.command("lint")
def lint(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files of cases.")],
    mapping: Mapping = None,
) -> None:
    """Check files of cases, shape and sense: every fault and warning a line on standard error.

    Exit code 2 if there is a fault; warnings deserve a second look and may be right.
    """
    from hospital.lint_report import lint_files

    lint_files(paths, mapping)


@records_app.command("convert")
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file of cases of any format.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The JSON Lines file to write.")],
    mapping: Mapping = None,
) -> None:
    """Convert a file of cases to this project's own format: JSON Lines, one record a line.

    A table (CSV, TSV, xlsx, xls) needs a mapping file.
    """
    from records.readers import read_records, write_records

    records = read_records(source, mapping)
    if target.exists() and target.samefile(source):
        raise InputError([Fault(target, "is the file that is read; name another one to write")])
    write_records(records, target)
    print(f"{target}: {len(records)} {'record' if len(records) == 1 else 'records'} written")


@records_app.command("schema")
def schema(
    what: Annotated[
        Literal["record", "visit", "mark"],
        typer.Argument(help="A case, or a line of a run's visits.jsonl or marks.jsonl."),
    ] = "record",
) -> None:
    """Print the JSON Schema of a case in this project's own format, or of a run's lines."""
    from records.mark import Mark
    from records.visit import Visit

    models: dict[str, type[Paper]] = {"record": MedicalRecord, "visit": Visit, "mark": Mark}
    _print_json(models[what].model_json_schema())


def _load(path: Path | None, mapping: Path | None = None) -> list[MedicalRecord]:
    if path is None or (str(path) == "library" and not path.exists()):
        from records.library import bundled_records

        return bundled_records()
    from records.readers import read_records

    return read_records(path, mapping)


def _find(records: list[MedicalRecord], id_: str, cases: Path | None) -> MedicalRecord:
    for record in records:
        if record.id == id_:
            return record
    known = ", ".join(record.id for record in records[:8]) + (", …" if len(records) > 8 else "")
    source = cases or "bundled records"
    raise InputError([Fault(source, f'there is no case "{id_}"; there are {known}')])


def _row(record: MedicalRecord, *, reveal: bool) -> dict[str, Any]:
    complaint = record.chief_complaint or record.persona.chief_complaint
    row: dict[str, Any] = {
        "id": record.id,
        "language": record.language,
        "department": record.department,
        "age_years": record.demographics.age_years,
        "sex": record.demographics.sex,
        "complaint": " ".join(complaint.split()) if complaint else None,
        "findings": len(record.findings),
        "examinations": len(record.physical_examination) + len(record.auxiliary_examinations),
    }
    if reveal:
        row["diagnoses"] = [diagnosis.name for diagnosis in record.diagnoses]
    return row


def _narrow(row: Row) -> Row:
    identifier, language, department, *others = row.cells
    return Row((identifier, language, shortened(department, _NARROW), *others))


def _facts(record: MedicalRecord) -> list[tuple[str, str]]:
    who = record.demographics
    facts = [
        ("Language", record.language),
        ("Department", record.department),
        ("Age", None if who.age_years is None else _age(who.age_years)),
        ("Sex", who.sex),
        ("Occupation", who.occupation),
        ("Described as", who.description),
        ("Background", record.persona.background),
        ("Way of speaking", record.persona.way_of_speaking),
        ("Emotion", record.persona.emotion),
        ("Source", record.source),
        ("Reviewed by", record.reviewed_by),
    ]
    return [(name, value) for name, value in facts if value]


def _print_section(console: Console, record: MedicalRecord, section: Any) -> None:
    text = record.section_text(section)
    findings = [finding for finding in record.findings if finding.section == section]
    if not text and not findings:
        return
    title = "In the patient's words" if section == "persona" else section.replace("_", " ")
    _say(console, f"\n{title[0].upper()}{title[1:]}", style="bold")
    _say(console, text, indent=2)
    for finding in findings:
        sign = "+" if finding.present else "-"
        _say(console, f"{finding.id:>4} {sign} {finding.symptom}", indent=2, style="dim")


def _print_answers(console: Console, record: MedicalRecord) -> None:
    _say(console, "\nDiagnoses", style="bold")
    for diagnosis in record.diagnoses:
        parts = (diagnosis.icd10 or "no code", diagnosis.role, diagnosis.reach.replace("_", " "))
        _say(console, f"{diagnosis.id} {diagnosis.name} ({', '.join(parts)})", indent=2)
    for title, text in (("Rationale", record.rationale), ("Treatment", record.treatment)):
        if text:
            _say(console, f"\n{title}", style="bold")
            _say(console, text, indent=2)


def _examination_line(examination: Examination) -> str:
    name = (
        f"{examination.category}, {examination.name}"
        if examination.category
        else (examination.name)
    )
    line = f"{examination.id:>4} {name}: {examination.reading}"
    if examination.reference_range:
        line += f" (reference {examination.reference_range})"
    return f"{line} [abnormal]" if examination.abnormal else line


def _age(years: float | None) -> str:
    if years is None:
        return "-"
    if years >= 2 or years == 0:
        return f"{years:.1f}".removesuffix(".0")
    return (
        f"{years * 12:.1f} months".replace(".0 ", " ")
        if years >= 1 / 12
        else (f"{round(years * 365.25)} days")
    )


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDE)


def _text(value: str, *, style: str = "") -> Text:
    return Text(_clean(value), style=style, overflow="fold")


def _say(console: Console, value: str, *, indent: int = 0, style: str = "") -> None:
    """Print a text; where no terminal reads it, its lines stay whole."""
    for line in value.split("\n"):
        padded = _text(" " * indent + line, style=style)
        console.print(padded, soft_wrap=not console.is_terminal)


def _clean(value: str) -> str:
    """Text without control characters: a case file must not steer the terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value)


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
