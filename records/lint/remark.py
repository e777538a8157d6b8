"""What the clinical lint has to say of a record: a fault to be mended, or a warning to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["fault", "warning"]
Kind = Literal[
    "code",
    "polarity",
    "abnormal",
    "diagnosis",
    "quantity",
    "age",
    "sex",
    "language",
    "identity",
]
"""What is wrong: a code; a finding against its clause; a result against its range; a result against
the diagnosis; a unit, range or size that cannot be; who the patient is; the language; privacy."""


@dataclass(frozen=True)
class Remark:
    """One thing that a reader of the record would object to."""

    kind: Kind
    severity: Severity
    field: str
    """Where: "diagnoses.d1.icd10", "findings.f3", "past_history"."""
    what: str
    """What is wrong and what would be right, in one line."""


def fault(kind: Kind, field: str, what: str) -> Remark:
    """A remark that cannot be right as it stands."""
    return Remark(kind, "fault", field, what)


def warning(kind: Kind, field: str, what: str) -> Remark:
    """A remark that may be right and deserves a second look."""
    return Remark(kind, "warning", field, what)


def short(text: str, length: int = 60) -> str:
    """A text of the record's as part of a one-line message."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]}…"
