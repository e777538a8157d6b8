"""Readers of case files, chosen by looking at the content and never at the file's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from records.errors import Fault, InputError
from records.medical_record import MedicalRecord
from records.reach import tag_reach
from records.readers import (
    agentclinic,
    agentclinic_nejm,
    mediq,
    mvme,
    own,
    symptomcheck,
    triage,
)
from records.readers.cells import is_workbook
from records.readers.foreign import ShapeError
from records.readers.mapping import mapping_beside
from records.readers.own import write_records
from records.readers.source import FORMATS, load_entries, may_be_json, read_content
from records.readers.table import load_table

__all__ = ["inspect_file", "is_table", "lint_file", "read_records", "write_records"]


@dataclass(frozen=True)
class _Format:
    name: str
    recognises: Callable[[Any], bool]
    read: Callable[[Any, int], MedicalRecord]


_LISTER = "hospital records lint FILE"
"""The command that lists every fault of a file of cases."""

_FORMATS = (
    _Format("AgentClinic OSCE", agentclinic.recognises, agentclinic.read),
    _Format("AgentClinic NEJM", agentclinic_nejm.recognises, agentclinic_nejm.read),
    _Format("MediQ", mediq.recognises, mediq.read),
    _Format("SymptomCheck", symptomcheck.recognises, symptomcheck.read),
    _Format("Semigran triage", triage.recognises, triage.read),
    _Format("MVME", mvme.recognises, mvme.read),
    _Format("our own", own.recognises, own.read),
)


def read_records(path: Path, mapping: Path | None = None) -> list[MedicalRecord]:
    """Read all cases of a file, in its order, each diagnosis tagged with its reach.

    Args:
        path: the file; its content tells the format.
        mapping: of a table, the file that says which column is what; the one beside it by default.

    Raises:
        InputError: anything is wrong with the file or with one of its cases; holds every fault.
    """
    records, faults = _read(Path(path), mapping)
    if faults:
        raise InputError(faults, _LISTER)
    return records


def inspect_file(
    path: Path, mapping: Path | None = None
) -> tuple[list[MedicalRecord], list[Fault]]:
    """The cases of a file that are fine, and everything wrong with the others; never raises."""
    try:
        return _read(Path(path), mapping)
    except InputError as error:
        return [], list(error.faults)


def lint_file(path: Path, mapping: Path | None = None) -> list[Fault]:
    """Everything wrong with a file of cases, in its order; empty if all is well."""
    return inspect_file(path, mapping)[1]


def is_table(path: Path) -> bool:
    """Whether a file is no JSON, so that it can only be read through a mapping.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    return not may_be_json(read_content(path))


@dataclass(frozen=True)
class _Case:
    """One case of a file that is yet to be read."""

    place: str
    """ "line 3", "record 3" or "row 3"."""
    label: str
    """The place with the id, if there is one."""
    read: Callable[[], MedicalRecord]


def _read(path: Path, mapping: Path | None) -> tuple[list[MedicalRecord], list[Fault]]:
    raw = read_content(path)
    if mapping and may_be_json(raw):
        raise InputError([Fault(path, "is JSON, which needs no mapping; leave the mapping out")])
    if is_workbook(raw) or (not may_be_json(raw) and (mapping or mapping_beside(path))):
        cases, faults = _table_cases(path, raw, mapping or mapping_beside(path))
    else:
        cases, faults = _json_cases(path, raw)
    records: list[MedicalRecord] = []
    first: dict[str, str] = {}
    for case in cases:
        record, found = _read_case(path, case)
        faults.extend(found)
        if record is None:
            continue
        if record.id in first:
            name = _one_line(record.id)
            what = f'the id "{name}" is that of {first[record.id]} too; give each its own'
            faults.append(Fault(path, what, case.place, "id"))
            continue
        first[record.id] = case.place
        records.append(tag_reach(record))
    return records, faults


def _table_cases(path: Path, raw: bytes, mapping: Path | None) -> tuple[list[_Case], list[Fault]]:
    if mapping is None:
        raise InputError([Fault(path, f"is a workbook; {_needs_mapping(path)}")])
    table = load_table(path, raw, mapping)
    return [_Case(row.place, row.place, partial(table.read, row)) for row in table.rows], list(
        table.faults
    )


def _json_cases(path: Path, raw: bytes) -> tuple[list[_Case], list[Fault]]:
    entries, faults = load_entries(path, raw)
    kind = next((f for entry in entries for f in _FORMATS if f.recognises(entry.value)), None)
    if kind is None:
        what = f"no known format; expected {FORMATS}"
        if not may_be_json(raw):
            what += f"; if it is a table, {_needs_mapping(path)}"
        unknown = Fault(path, what)
        # What looks like JSON has no format because of its faults; of other text they tell nothing.
        meant = bool(entries) or may_be_json(raw)
        raise InputError([*faults, unknown] if meant else [unknown, *faults[:1]], _LISTER)
    cases: list[_Case] = []
    for entry in entries:
        if not kind.recognises(entry.value):
            what = f"not a case in {kind.name} format, as the others of this file are"
            faults.append(Fault(path, what, entry.place))
            continue
        name = entry.value.get("id")
        label = f"{entry.place} ({name})" if isinstance(name, str | int) else entry.place
        cases.append(
            _Case(entry.place, _one_line(label), partial(kind.read, entry.value, entry.number))
        )
    return cases, faults


def _needs_mapping(path: Path) -> str:
    beside = path.with_name(f"{path.stem}.mapping.toml").name
    return f"say which column is what in {beside} beside it, or in a file named with --mapping"


def _read_case(path: Path, case: _Case) -> tuple[MedicalRecord | None, list[Fault]]:
    try:
        return case.read(), []
    except ShapeError as error:
        problems = error.problems
    except ValidationError as error:
        problems = own.problems_of(error)
    return None, [
        Fault(path, _one_line(what), case.label, _one_line(field)) for field, what in problems
    ]


def _one_line(text: str) -> str:
    """A text of the file's own as part of a one-line message."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]}…"
