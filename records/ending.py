"""How a visit can end."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """How a visit ended; a closed list, each with an attribution and a rule for resuming."""

    DIAGNOSIS_GIVEN = "diagnosis_given"
    ROUND_LIMIT = "round_limit"
    DOCTOR_DECLINED = "doctor_declined"
    DOCTOR_FAILED = "doctor_failed"
    PATIENT_FAILED = "patient_failed"
    EXAMINER_FAILED = "examiner_failed"
    MODERATOR_FAILED = "moderator_failed"
    INFRASTRUCTURE = "infrastructure"
    CONTENT_FILTERED = "content_filtered"
    BUDGET = "budget"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """True if the order is settled: resuming does not hold the visit again."""
        return self in _FINAL

    @property
    def markable(self) -> bool:
        """True if the visit gets marks; a doctor that gave nothing is marked as no diagnosis."""
        return self in _MARKED


_MARKED = frozenset(
    {
        Ending.DIAGNOSIS_GIVEN,
        Ending.ROUND_LIMIT,
        Ending.DOCTOR_DECLINED,
        Ending.DOCTOR_FAILED,
    }
)
_FINAL = _MARKED | {Ending.CONTENT_FILTERED}
