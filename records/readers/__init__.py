"""Readers of case files, chosen by looking at the content and never at the file's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from records.errors import Fault, InputError
from records.medical_record import MedicalRecord
from records.reach import tag_reach
from records.readers import agentclinic, agentclinic_nejm, mediq, mvme, own, symptomcheck
from records.readers.foreign import ShapeError
from records.readers.own import write_records
from records.readers.source import FORMATS, Entry, load_entries

__all__ = ["inspect_file", "lint_file", "read_records", "write_records"]


@dataclass(frozen=True)
class _Format:
    name: str
    recognises: Callable[[Any], bool]
    read: Callable[[Any, int], MedicalRecord]


_FORMATS = (
    _Format("AgentClinic OSCE", agentclinic.recognises, agentclinic.read),
    _Format("AgentClinic NEJM", agentclinic_nejm.recognises, agentclinic_nejm.read),
    _Format("MediQ", mediq.recognises, mediq.read),
    _Format("SymptomCheck", symptomcheck.recognises, symptomcheck.read),
    _Format("MVME", mvme.recognises, mvme.read),
    _Format("our own", own.recognises, own.read),
)


def read_records(path: Path) -> list[MedicalRecord]:
    """Read all cases of a file, in its order, each diagnosis tagged with its reach.

    Raises:
        InputError: anything is wrong with the file or with one of its cases; holds every fault.
    """
    records, faults = _read(Path(path))
    if faults:
        raise InputError(faults)
    return records


def inspect_file(path: Path) -> tuple[list[MedicalRecord], list[Fault]]:
    """The cases of a file that are fine, and everything wrong with the others; never raises."""
    try:
        return _read(Path(path))
    except InputError as error:
        return [], list(error.faults)


def lint_file(path: Path) -> list[Fault]:
    """Everything wrong with a file of cases, in its order; empty if all is well."""
    return inspect_file(path)[1]


def _read(path: Path) -> tuple[list[MedicalRecord], list[Fault]]:
    entries, faults = load_entries(path)
    if not entries:
        raise InputError([Fault(path, f"no known format; expected {FORMATS}"), *faults[:1]])
    kind = next((f for entry in entries for f in _FORMATS if f.recognises(entry.value)), None)
    if kind is None:
        raise InputError([*faults, Fault(path, f"no known format; expected {FORMATS}")])
    records: list[MedicalRecord] = []
    first: dict[str, str] = {}
    for entry in entries:
        record, found = _read_entry(path, kind, entry)
        faults.extend(found)
        if record is None:
            continue
        if record.id in first:
            what = f'the id "{record.id}" is that of {first[record.id]} too; give each its own'
            faults.append(Fault(path, what, entry.place, "id"))
            continue
        first[record.id] = entry.place
        records.append(tag_reach(record))
    return records, faults


def _read_entry(
    path: Path, kind: _Format, entry: Entry
) -> tuple[MedicalRecord | None, list[Fault]]:
    place = entry.place
    if not kind.recognises(entry.value):
        what = f"not a case in {kind.name} format, as the others of this file are"
        return None, [Fault(path, what, place)]
    name = entry.value.get("id")
    if isinstance(name, str | int):
        place = f"{place} ({name})"
    try:
        return kind.read(entry.value, entry.number), []
    except ShapeError as error:
        problems = error.problems
    except ValidationError as error:
        problems = own.problems_of(error)
    return None, [
        Fault(path, _one_line(what), _one_line(place), _one_line(field)) for field, what in problems
    ]


def _one_line(text: str) -> str:
    """A text of the file's own as part of a one-line message."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]}…"
