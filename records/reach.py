"""How a doctor could come to each reference diagnosis, by rules."""

from __future__ import annotations

from records.medical_record import MedicalRecord


def tag_reach(record: MedicalRecord) -> MedicalRecord:
    """The record with `reach` set on every diagnosis that does not say it itself."""
    return record
