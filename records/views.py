"""What each role may see. A type, not a convention, keeps the diagnosis away from the players.

The views are built by `MedicalRecord`'s owner (a setting) and handed to the roles; there is no way
back from a view to its record.
"""

from __future__ import annotations

from records.medical_record import (
    Demographics,
    Diagnosis,
    Examination,
    Finding,
    HistoryText,
    Language,
    MedicalRecord,
    Paper,
)


class PatientView(HistoryText):
    """Subjective information: all that the Patient knows."""

    record_id: str
    language: Language
    demographics: Demographics
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, record: MedicalRecord) -> PatientView:
        """The patient's part of a record."""
        return cls(
            record_id=record.id,
            language=record.language,
            demographics=record.demographics,
            persona=record.persona,
            chief_complaint=record.chief_complaint,
            history_of_present_illness=record.history_of_present_illness,
            past_history=record.past_history,
            personal_history=record.personal_history,
            family_history=record.family_history,
            medication_history=record.medication_history,
            findings=record.findings,
        )

    @property
    def opening(self) -> str:
        """The complaint that the patient opens with, in its own words where the record has them."""
        return (
            self.persona.chief_complaint
            or self.chief_complaint
            or next((f.text for f in self.findings if f.present), "")
        )

    @property
    def text(self) -> str:
        """Everything the patient knows, a section a line."""
        sections = (
            self.persona.chief_complaint,
            self.persona.background,
            self.chief_complaint,
            self.history_of_present_illness,
            self.past_history,
            self.personal_history,
            self.family_history,
            self.medication_history,
        )
        return "\n".join(s for s in sections if s)


class ExaminerView(Paper):
    """Objective information: all that the Examiner knows."""

    record_id: str
    language: Language
    physical_examination: tuple[Examination, ...]
    auxiliary_examinations: tuple[Examination, ...]

    @classmethod
    def of(cls, record: MedicalRecord) -> ExaminerView:
        """The examiner's part of a record."""
        return cls(
            record_id=record.id,
            language=record.language,
            physical_examination=record.physical_examination,
            auxiliary_examinations=record.auxiliary_examinations,
        )

    @property
    def examinations(self) -> tuple[Examination, ...]:
        """Physical signs first, then auxiliary results."""
        return self.physical_examination + self.auxiliary_examinations


class CaseView(Paper):
    """Subjective and objective information together: what the one-step Doctor reads."""

    patient: PatientView
    examiner: ExaminerView

    @classmethod
    def of(cls, record: MedicalRecord) -> CaseView:
        """Both parts of a record; still no diagnosis."""
        return cls(patient=PatientView.of(record), examiner=ExaminerView.of(record))


class MarkingView(Paper):
    """The whole record, for marking alone."""

    record: MedicalRecord

    @property
    def reference(self) -> tuple[Diagnosis, ...]:
        """The reference diagnoses."""
        return self.record.diagnoses
