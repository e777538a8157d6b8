"""A case being written: what has been answered, kept on disk until the case is whole."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from records.errors import Fault, InputError
from records.jsonl import write_whole
from records.medical_record import (
    HISTORY_SECTIONS,
    Demographics,
    Diagnosis,
    Examination,
    Finding,
    HistorySection,
    Language,
    MedicalRecord,
    Persona,
)
from records.readers import inspect_file, write_records


class CaseDraft(BaseModel):
    """The answers so far, and which steps are behind."""

    model_config = ConfigDict(extra="forbid")

    language: Language | None = None
    id: str | None = None
    department: str | None = None
    demographics: Demographics = Demographics()
    persona: Persona = Persona()
    sections: dict[HistorySection, str] = Field(default_factory=dict)
    """All but the persona's."""
    findings: dict[HistorySection, list[Finding]] = Field(default_factory=dict)
    physical: list[Examination] = Field(default_factory=list)
    auxiliary: list[Examination] = Field(default_factory=list)
    diagnoses: list[Diagnosis] = Field(default_factory=list)
    rationale: str | None = None
    treatment: str | None = None
    done: list[str] = Field(default_factory=list)
    """Names of the steps that are answered."""

    def record(self) -> MedicalRecord:
        """The case as far as it goes; findings are numbered in the order of the sections.

        A case without a diagnosis yet has one that is named "?".
        """
        findings: list[Finding] = []
        for section in HISTORY_SECTIONS:
            for finding in self.findings.get(section, []):
                findings.append(finding.model_copy(update={"id": f"f{len(findings) + 1}"}))
        return MedicalRecord(
            **{name: text or None for name, text in self.sections.items()},
            id=self.id or "?",
            language=self.language or "en",
            department=self.department,
            demographics=self.demographics,
            persona=self.persona,
            findings=tuple(findings),
            physical_examination=tuple(self.physical),
            auxiliary_examinations=tuple(self.auxiliary),
            diagnoses=tuple(self.diagnoses) or (Diagnosis(id="d1", name="?"),),
            rationale=self.rationale,
            treatment=self.treatment,
        )

    def save(self, path: Path) -> None:
        """Write the draft, whole or not at all."""
        write_whole(path, self.model_dump_json(indent=2, exclude_defaults=True) + "\n")

    @classmethod
    def load(cls, path: Path) -> CaseDraft:
        """Read a draft.

        Raises:
            InputError: there is none, or it is none of ours.
        """
        try:
            return cls.model_validate_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            what = "there is no draft to resume; leave --resume out to begin a case"
            raise InputError([Fault(path, what)]) from None
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            where = (
                ".".join(str(step) for step in error.errors()[0]["loc"])
                if isinstance(error, ValidationError)
                else ""
            )
            what = "is no draft of a case; delete it to begin anew"
            raise InputError([Fault(path, what, field=where or None)]) from None


def draft_of(path: Path) -> Path:
    """Where the draft of a case for this file lies."""
    return path.with_name(f"{path.name}.draft.json")


def ids_in(path: Path) -> frozenset[str]:
    """The ids of the cases that a file holds already; none if there is no file.

    Raises:
        InputError: it is no file that a line can be added to.
    """
    if not path.exists() or (path.is_file() and not path.read_bytes().strip()):
        return frozenset()
    records, faults = inspect_file(path)
    if faults:
        raise InputError(faults)
    if not _is_json_lines(path):
        what = "is not in our own format, JSON Lines; name another file to write to"
        raise InputError([Fault(path, what)])
    return frozenset(record.id for record in records)


def append_record(record: MedicalRecord, path: Path) -> None:
    """Add a case to a file as its last line.

    Raises:
        InputError: the file cannot be written.
    """
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / "case.jsonl"
        write_records([record], alone)
        line = alone.read_text(encoding="utf-8")
    try:
        old = path.read_bytes() if path.exists() else b""
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line if not old or old.endswith(b"\n") else f"\n{line}")
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputError([Fault(path, what)]) from None


def _is_json_lines(path: Path) -> bool:
    for line in path.read_text(encoding="utf-8-sig").split("\n"):
        if line.strip():
            try:
                MedicalRecord.model_validate_json(json.dumps(json.loads(line)))
            except ValueError:
                return False
    return True
