"""Our own format: JSON Lines, one `MedicalRecord` a line, as `schema` of the record room has it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from records.errors import Fault, InputError
from records.findings.splitter import split_findings
from records.medical_record import (
    HISTORY_SECTIONS,
    Demographics,
    Diagnosis,
    Examination,
    Finding,
    MedicalRecord,
    Persona,
)
from records.readers.foreign import ShapeError

_OURS = frozenset(MedicalRecord.model_fields)
_FIELDS = [
    name
    for model in (MedicalRecord, Demographics, Persona, Finding, Examination, Diagnosis)
    for name in model.model_fields
]


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like a record of ours: at least two of its field names are."""
    return isinstance(value, dict) and len(_OURS & value.keys()) >= 2


def read(value: Any, number: int) -> MedicalRecord:
    """Read one record; raises `foreign.ShapeError` with all that is wrong with it.

    A record that lists no findings gets those of its sections. An id that is a number is the text
    of it: the same case has it so in one file and so in another.
    """
    if isinstance(value, dict) and type(value.get("id")) is int:
        value = value | {"id": str(value["id"])}
    try:
        record = MedicalRecord.model_validate_json(json.dumps(value))
    except ValidationError as error:
        raise ShapeError(problems_of(error)) from None
    if not record.findings:
        sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
        found = split_findings(sections, record.language)
        record = record.model_copy(update={"findings": found})
    problems = list(_misplaced(record))
    if problems:
        raise ShapeError(problems)
    return record


def write_records(records: Iterable[MedicalRecord], path: Path) -> None:
    """Write records as JSON Lines in UTF-8; fields that are empty are left out.

    Raises:
        InputError: the file cannot be written.
    """
    text = "".join(
        json.dumps(
            record.model_dump(mode="json", exclude_defaults=True)
            | {"diagnoses": [diagnosis.model_dump(mode="json") for diagnosis in record.diagnoses]},
            ensure_ascii=False,
        )
        + "\n"
        for record in records
    )
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputError([Fault(path, what)]) from None


def problems_of(error: ValidationError) -> tuple[tuple[str, str], ...]:
    """What is wrong with a record, as (field, what would be right) pairs."""
    return tuple(_problems(error))


def _problems(error: ValidationError) -> Iterable[tuple[str, str]]:
    placed = [problem["loc"] for problem in error.errors()]
    for problem in error.errors():
        name = ""
        for step in problem["loc"]:
            name += f"[{step}]" if isinstance(step, int) else f".{step}" if name else str(step)
        kind = problem["type"]
        if kind == "extra_forbidden":
            near = difflib.get_close_matches(str(problem["loc"][-1]), _FIELDS, 1)
            hint = (
                f'did you mean "{near[0]}"?'
                if near
                else "`hospital records schema` lists the fields"
            )
            what = f"unknown field; {hint}"
        elif kind == "too_short" and any(
            len(loc) > len(problem["loc"]) and loc[: len(problem["loc"])] == problem["loc"]
            for loc in placed
        ):
            continue  # It is too short only because the members named above do not count.
        elif kind == "too_short" and name == "diagnoses":
            what = "is empty; a record needs at least one diagnosis"
        elif kind == "missing":
            what = "is missing; it is required"
        else:
            what = problem["msg"].removeprefix("Value error, ")
        yield name or "(record)", what


def _misplaced(record: MedicalRecord) -> Iterable[tuple[str, str]]:
    """Findings whose offsets are not those of their own words, or overlap."""
    taken: dict[str, int] = {}
    placed = [f for f in record.findings if f.start is not None or f.end is not None]
    for finding in sorted(placed, key=lambda f: (f.section, f.start or 0, f.end or 0)):
        name = f"findings.{finding.id}"
        text = record.section_text(finding.section)
        start, end = finding.start, finding.end
        if start is None or end is None:
            yield name, "start and end are to be given both or neither"
        elif not start < end <= len(text):
            yield name, f"start {start} and end {end} lie outside {finding.section} ({len(text)})"
        elif start < taken.get(finding.section, 0):
            yield name, f"overlaps another finding of {finding.section}"
        elif text[start:end] not in finding.text:
            yield name, f'start and end mark "{text[start:end]}", which its text does not hold'
        else:
            taken[finding.section] = end
