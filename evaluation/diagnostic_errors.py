"""Why a diagnosis is wrong: the three types of AI Hospital (section 4.5, Table 5), by rule.

A diagnosis graded D is of the first type that fits: *exclusive focus on complications* (what it
names of the reference is only what comes with the main disease), *omission of auxiliary
examinations* (results that the reference rests on were never asked for), *erroneous judgement*
(everything needed was there, and the conclusion is wrong all the same).
"""

from __future__ import annotations

from typing import Literal

from evaluation.process import Process
from records.examinations.stated_examinations import stated_examinations
from records.mark import Mark
from records.medical_record import MedicalRecord, Paper

ErrorType = Literal["complications", "omission", "judgement"]

_OMITTED = 0.5
"""Share of the telling results from which their lack is an omission."""


class DiagnosticError(Paper):
    """One wrong diagnosis with what makes it of its type."""

    visit_key: str
    type: ErrorType
    predicted: tuple[str, ...]
    """What the doctor named."""
    telling: tuple[str, ...] = ()
    """Results that the reference rests on: those that the rationale on record names, else the
    abnormal ones."""
    missing: tuple[str, ...] = ()
    """Of these, the ones that were never asked for."""
    named: tuple[str, ...] = ()
    """Reference diagnoses that were named, none of them the main one."""


def error_of(mark: Mark, record: MedicalRecord, process: Process) -> DiagnosticError | None:
    """The type of a visit's error; None where the diagnosis is not graded D.

    Args:
        mark: of the visit.
        record: its case.
        process: of the visit; everything counts as collected where the whole case was handed over.
    """
    grade = mark.grades.get("diagnosis")
    if grade is None or grade.grade != "D":
        return None
    scores = mark.diseases
    telling = _telling(record)
    missing = tuple(i for i in telling if i not in process.examinations)
    main = next((j for j, d in enumerate(record.diagnoses) if d.role == "primary"), 0)
    named = [scores.reference[j].name for _, j in scores.hits if j < len(scores.reference)]
    kind: ErrorType = "judgement"
    if named and all(j != main for _, j in scores.hits):
        kind = "complications"
    elif missing and len(missing) >= _OMITTED * len(telling):
        kind = "omission"
    return DiagnosticError(
        visit_key=mark.visit_key,
        type=kind,
        predicted=tuple(link.name for link in scores.predicted),
        telling=telling,
        missing=missing,
        named=tuple(named),
    )


def _telling(record: MedicalRecord) -> tuple[str, ...]:
    results = record.auxiliary_examinations
    if record.rationale:
        stated = stated_examinations(record.rationale, results, record.language)
        if stated:
            return stated
    return tuple(e.id for e in results if e.abnormal)
