"""A directory of published logs: which of the known files are in it, and their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from records.errors import Fault, InputError
from records.rebuild.dialogues import json_lines, patient_of

DIALOGUES = "dialog_history_"
ONE_STEP = "onestep_"
JUDGEMENTS = "evaluation_"
CONFERENCES = "_discussion_history"
PATIENTS = ("patients_full.json", "patients.json")


@dataclass(frozen=True)
class Entry:
    """One line of a file."""

    file: Path
    place: str
    patient: str
    value: dict[str, Any]

    def text(self, field: str) -> str:
        """A field's text; "" where there is none."""
        value = self.value.get(field)
        return value if isinstance(value, str) else ""

    def names(self, *fields: str) -> tuple[str, ...]:
        """The fields that name something, in this order."""
        return tuple(text for field in fields if (text := self.text(field).strip()))


class PublishedDirectory:
    """The published files that a directory holds, by kind.

    Raises:
        InputError: there is no such directory, or it holds none of them.
    """

    def __init__(self, directory: Path) -> None:
        if not directory.is_dir():
            what = (
                "is a file; name the directory it is in"
                if directory.exists()
                else "no such directory"
            )
            raise InputError([Fault(directory, what)])
        self.path = directory
        self.dialogues = sorted(directory.glob(f"{DIALOGUES}*.jsonl"))
        self.one_step = sorted(directory.glob(f"{ONE_STEP}*.jsonl"))
        self.judgements = sorted(directory.glob(f"{JUDGEMENTS}*.jsonl"))
        self.conferences = sorted(directory.glob(f"*{CONFERENCES}.jsonl"))
        self.patients = next(
            (path for name in PATIENTS if (path := directory / name).is_file()), None
        )
        self.faults: list[Fault] = []
        if not (self.dialogues or self.one_step or self.judgements or self.conferences):
            what = (
                f"holds no published log; expected {DIALOGUES}*.jsonl, {ONE_STEP}*.jsonl,"
                f" {JUDGEMENTS}*.jsonl or *{CONFERENCES}.jsonl"
            )
            raise InputError([Fault(directory, what)])

    def entries(self, path: Path, field: str, kind: type) -> Iterator[Entry]:
        """The lines of a file that name a patient and have a field of this kind.

        What is wrong with others is added to `faults`.
        """
        for place, value in json_lines(path, self.faults):
            patient = patient_of(value)
            if patient is None or not isinstance(value.get(field), kind):
                what = f"not such a log; expected patient_id and {field}"
                self.faults.append(Fault(path, what, place))
            else:
                yield Entry(path, place, patient, value)

    def raise_if_wrong(self) -> None:
        """Raise all faults found so far, if any.

        Raises:
            InputError: there are some.
        """
        if self.faults:
            raise InputError(self.faults)
