"""The medical record: one case as paper, every fact and examination in it with an id.

A record has three kinds of information (AI Hospital, arXiv 2402.09742, section 2): subjective
(history and persona), objective (physical and auxiliary examinations), and diagnosis and treatment.
No role is ever handed a `MedicalRecord`; roles get one of the views in `records.views`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Language = Literal["zh", "en"]
Sex = Literal["male", "female"]
DiagnosisRole = Literal["primary", "comorbidity", "complication", "history"]
Reach = Literal["known_history", "named_in_result", "inferable", "unreachable"]

HistorySection = Literal[
    "persona",
    "chief_complaint",
    "history_of_present_illness",
    "past_history",
    "personal_history",
    "family_history",
    "medication_history",
]
HISTORY_SECTIONS: tuple[HistorySection, ...] = (
    "persona",
    "chief_complaint",
    "history_of_present_illness",
    "past_history",
    "personal_history",
    "family_history",
    "medication_history",
)


class Paper(BaseModel):
    """Base of everything written down: frozen, and a misspelt field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Demographics(Paper):
    """Who the patient is, as far as the source says."""

    age_years: float | None = Field(default=None, ge=0, le=130)
    """Age in years; six months is 0.5."""
    sex: Sex | None = None
    occupation: str | None = None
    description: str | None = None
    """The source's own words where they say more than age and sex ("newborn, 33 weeks")."""


class Persona(Paper):
    """How the patient talks; written once per record (AI Hospital, section 2.1)."""

    background: str | None = None
    way_of_speaking: str | None = None
    emotion: str | None = None
    chief_complaint: str | None = None
    """The complaint in the patient's own words; the opening answer of a visit."""


class Finding(Paper):
    """One atomic fact of the history: a symptom or circumstance, present or absent."""

    id: str = Field(pattern=r"^f\d+$")
    symptom: str
    """What the fact is about, in the record's language: "fever", "aspirin", "高血压"."""
    present: bool = True
    """False for a recorded negative ("denies fever", "无发热")."""
    attributes: dict[str, str] = Field(default_factory=dict)
    """What qualifies it, by name: duration, site, character, severity, trigger, relief, value."""
    section: HistorySection
    text: str
    """The clause as the record has it, in the record's own words."""
    start: int | None = Field(default=None, ge=0)
    """Offset of the fact's own words in the section's text, in characters; None if not verbatim."""
    end: int | None = Field(default=None, ge=0)
    """Offset past the last character; [start, end) never overlaps another fact of the section."""


class Examination(Paper):
    """One item examined: a sign of the physical examination or one auxiliary result."""

    id: str = Field(pattern=r"^[pe]\d+$")
    """`p1` for the physical examination, `e1` for an auxiliary examination."""
    name: str
    category: str | None = None
    """The panel or group it was recorded under: "complete blood count", "影像学检查", "abdomen"."""
    value: str
    """The finding or value without its unit; text as recorded."""
    unit: str | None = None
    reference_range: str | None = None
    abnormal: bool | None = None
    """None where the source does not say."""
    note: str | None = None
    """The source's words beside value and unit: "(99.0°F)", "(elevated)", "on room air"."""
    provenance: str | None = None
    """Where the source says it and how well it stands: "said_in=…; support=…"; not the result."""

    @property
    def reading(self) -> str:
        """Value, unit and note as the source has them: "37.2°C (99.0°F)", "36.9℃"."""
        unit = self.unit if self.unit and self.unit not in self.value else ""
        if unit and unit[0].isascii() and unit[0].isalnum():
            unit = f" {unit}"
        return f"{self.value}{unit}{f' {self.note}' if self.note else ''}"


class Diagnosis(Paper):
    """One reference diagnosis."""

    id: str = Field(pattern=r"^d\d+$")
    name: str
    icd10: str | None = Field(default=None, pattern=r"^[A-Z]\d[0-9A-Z](\.[0-9A-Za-z]{1,4})?$")
    """WHO ICD-10 (2019) code, a category ("I63") or a subcategory ("I63.9")."""
    role: DiagnosisRole = "primary"
    reach: Reach = "inferable"
    """How a doctor could come to it; set by rule when a record is read, correctable by hand."""


class HistoryText(Paper):
    """The history sections, which a record and the patient's view of it have alike."""

    persona: Persona = Persona()
    chief_complaint: str | None = None
    history_of_present_illness: str | None = None
    past_history: str | None = None
    personal_history: str | None = None
    family_history: str | None = None
    medication_history: str | None = None

    def section_text(self, section: HistorySection) -> str:
        """The text that the offsets of a section's findings count in; "" if there is none."""
        if section == "persona":
            return self.persona.chief_complaint or ""
        text: str | None = getattr(self, section)
        return text or ""


class MedicalRecord(HistoryText):
    """One case. What its source lacks is None or empty, never invented."""

    id: str = Field(min_length=1)
    language: Language
    department: str | None = None
    demographics: Demographics = Demographics()
    persona: Persona = Persona()
    chief_complaint: str | None = None
    history_of_present_illness: str | None = None
    past_history: str | None = None
    personal_history: str | None = None
    family_history: str | None = None
    medication_history: str | None = None
    findings: tuple[Finding, ...] = ()
    physical_examination: tuple[Examination, ...] = ()
    auxiliary_examinations: tuple[Examination, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = Field(min_length=1)
    rationale: str | None = None
    treatment: str | None = None
    source: str | None = None
    """Where the case comes from: the format and, if it has one, the id there."""
    reviewed_by: str | None = None
    """The clinician who signed the record; None until one has."""

    @model_validator(mode="after")
    def _ids_are_unique(self) -> MedicalRecord:
        ids = [
            item.id
            for items in (
                self.findings,
                self.physical_examination,
                self.auxiliary_examinations,
                self.diagnoses,
            )
            for item in items
        ]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"ids used twice: {', '.join(twice)}; every fact has an id of its own")
        return self

    @property
    def content_hash(self) -> str:
        """SHA-256 of the record's canonical JSON, hexadecimal, first 16 characters."""
        return canonical_hash(self.model_dump(mode="json"))


# `json.dumps` makes such an encoder for every value.
_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical_hash(value: object) -> str:
    """Hash a JSON value so that equal content has an equal hash: sorted keys, no spaces, UTF-8."""
    text = _canonical(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
