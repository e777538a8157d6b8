"""Every text of a record that someone wrote, with the field that it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from records.medical_record import HISTORY_SECTIONS, Examination, MedicalRecord


def texts(record: MedicalRecord) -> Iterator[tuple[str, str]]:
    """(field, text) of each text that is not empty, in the record's order, `source` left out."""
    who, persona = record.demographics, record.persona
    yield from _filled(
        ("department", record.department),
        ("demographics.occupation", who.occupation),
        ("demographics.description", who.description),
        ("persona.background", persona.background),
        ("persona.way_of_speaking", persona.way_of_speaking),
        ("persona.emotion", persona.emotion),
    )
    yield from history_texts(record)
    for finding in record.findings:
        yield from _filled(
            (f"findings.{finding.id}.symptom", finding.symptom),
            (f"findings.{finding.id}.text", finding.text),
        )
    for examination in examinations(record):
        field = examination_field(examination)
        yield from _filled(
            (f"{field}.name", examination.name),
            (f"{field}.category", examination.category),
            (f"{field}.value", examination.value),
            (f"{field}.note", examination.note),
        )
    for diagnosis in record.diagnoses:
        yield from _filled((f"diagnoses.{diagnosis.id}.name", diagnosis.name))
    yield from _filled(("rationale", record.rationale), ("treatment", record.treatment))


def history_texts(record: MedicalRecord) -> Iterator[tuple[str, str]]:
    """(field, text) of each section of the history that is not empty."""
    for section in HISTORY_SECTIONS:
        field = "persona.chief_complaint" if section == "persona" else section
        yield from _filled((field, record.section_text(section)))


def examinations(record: MedicalRecord) -> tuple[Examination, ...]:
    """Signs and results alike."""
    return (*record.physical_examination, *record.auxiliary_examinations)


def examination_field(examination: Examination) -> str:
    """The field that a message about an examination names."""
    kind = "physical" if examination.id.startswith("p") else "auxiliary"
    plural = "examination" if kind == "physical" else "examinations"
    return f"{kind}_{plural}.{examination.id}"


def _filled(*pairs: tuple[str, str | None]) -> Iterator[tuple[str, str]]:
    for field, text in pairs:
        if text and text.strip():
            yield field, text
