"""The clinical lint: what a consultant would object to in a record that is well formed.

Conservative by intent: a fault is what cannot be right, a warning what may be. Each check is a
function of one record; none of them needs anything that the record does not hold, so a published
format that has no codes, ranges or findings is never blamed for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from records.errors import Fault
from records.lint.codes import check_codes
from records.lint.comparisons import check_comparisons
from records.lint.diagnoses import check_diagnoses
from records.lint.histories import check_findings
from records.lint.identities import check_identity
from records.lint.languages import check_language
from records.lint.patients import check_patient
from records.lint.quantities import check_quantities
from records.lint.remark import Kind, Remark, Severity
from records.lint.results import check_results
from records.medical_record import MedicalRecord

__all__ = ["Kind", "Remark", "Severity", "fault_of", "lint_record"]

_CHECKS: tuple[Callable[[MedicalRecord], Iterable[Remark]], ...] = (
    check_codes,
    check_findings,
    check_results,
    check_diagnoses,
    check_quantities,
    check_comparisons,
    check_patient,
    check_language,
    check_identity,
)


def lint_record(record: MedicalRecord) -> tuple[Remark, ...]:
    """Everything that the checks object to in one record, check by check; none twice."""
    return tuple(dict.fromkeys(remark for check in _CHECKS for remark in check(record)))


def fault_of(remark: Remark, path: Path | str, record: MedicalRecord) -> Fault:
    """A remark as a line about a file; a warning says that it is one."""
    what = remark.what if remark.severity == "fault" else f"warning: {remark.what}"
    return Fault(path, what, record.id, remark.field)
