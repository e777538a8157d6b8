"""Semigran triage vignettes (BMJ 2015;351:h3480), as published with Triage Bench: one a line.

`case_description` is sorted by `vignette`; how urgent the case is has no field in a record and is
kept in its source.
"""

from __future__ import annotations

from typing import Any

from records.findings.splitter import split_findings
from records.medical_record import HISTORY_SECTIONS, Diagnosis, MedicalRecord
from records.readers.foreign import Foreign
from records.readers.people import read_demographics
from records.readers.vignette import read_vignette, split_sentences

_FIELDS = ("urgency_level", "correct_diagnosis", "case_description")
_URGENCY = {"em": "emergency", "ne": "non-emergency", "sc": "self-care"}


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like a triage vignette."""
    return isinstance(value, dict) and "case_description" in value and "urgency_level" in value


def read(value: Any, number: int) -> MedicalRecord:
    """Read one case; raises `foreign.ShapeError` with all that is wrong with it."""
    case = Foreign(value)
    case.only(_FIELDS)
    diagnosis = " ".join((case.text("correct_diagnosis") or "").split())
    if not diagnosis:
        case.wrong("correct_diagnosis", "is missing; a case needs a diagnosis")
    text = " ".join((case.text("case_description") or "").split())
    if not text:
        case.wrong("case_description", "is missing; it holds the text of the case")
    urgency = case.text("urgency_level")
    if urgency not in _URGENCY:
        case.wrong("urgency_level", f"is none of {', '.join(_URGENCY)}")
    case.raise_if_wrong()
    sentences = split_sentences(text)
    told = read_vignette(sentences)
    record = MedicalRecord(
        id=f"triage-{number:03d}",
        language="en",
        demographics=read_demographics(sentences[0]).model_copy(update={"description": told.who}),
        chief_complaint=told.chief_complaint,
        **{str(section): said for section, said in told.history.items()},
        physical_examination=told.physical_examination,
        auxiliary_examinations=told.auxiliary_examinations,
        diagnoses=(Diagnosis(id="d1", name=diagnosis),),
        source=f"Semigran triage vignette {number} ({_URGENCY[urgency or 'em']})",
    )
    sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    return record.model_copy(update={"findings": split_findings(sections, "en")})
