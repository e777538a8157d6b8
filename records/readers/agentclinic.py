"""AgentClinic OSCE (arXiv 2405.07960): English cases, one JSON object a line.

A case is one field `OSCE_Examination`. The primary symptom becomes the chief complaint; the
history, the other symptoms, the review of systems and whatever else the patient is given, a line
each, the history of present illness.
`Objective_for_Doctor` is an instruction to the examinee and no part of the case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from records.findings.splitter import split_findings
from records.medical_record import HISTORY_SECTIONS, Examination, MedicalRecord
from records.readers.foreign import Foreign
from records.readers.people import read_demographics
from records.readers.reading import take_reading
from records.readers.reference import reference_diagnoses

_FIELDS = (
    "Objective_for_Doctor",
    "Patient_Actor",
    "Physical_Examination_Findings",
    "Test_Results",
    "Correct_Diagnosis",
)
_HISTORY = ("Past_Medical_History", "Past_Surgical_History", "Allergies")
_FAMILY = ("Family_History",)
_MEDICATION = ("Current_Medications", "Medications", "Drug_History", "Medication_History")
_PATIENT = (
    "Demographics",
    "History",
    "Symptoms",
    *_HISTORY,
    *_FAMILY,
    *_MEDICATION,
    "Social_History",
    "Review_of_Systems",
)
# A key that tells which side of a study is meant is no result of its own: the study is the name.
_RESULT_KEY = re.compile(r"(?:findings?|results?|level|value)", re.IGNORECASE)
_FACET_KEY = re.compile(
    r"(?:other|preliminary|histopathology|pathology|microscopic)?[ _]?(?:findings?|comments?|"
    r"interpretation|impression|conclusion|optional|suggestion|description|histopathology|"
    r"microscopy|histology|summary|notes?)",
    re.IGNORECASE,
)
_NOTHING_SAID = re.compile(
    r"[^.;]{1,70} not (?:provided|specified|mentioned)|not indicated in the scenario provided|"
    r"no mention of [^.;]*|does not specify [^;]*|"
    r"[^.;]* (?:did not|didn['’]t) provide any [^.;]*|[^.;]*social history is not applicable",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"(?:n/?a|none (?:provided|given|stated|recorded|mentioned)|unknown|"
    r"not (?:applicable|provided|specified|mentioned|available|recorded|assessed|performed|given|"
    r"reported|stated|done)\b[^.;]{0,30}|"
    r"(?:no )?(?:(?:additional|other|further|detailed|specific) )*"
    r"(?:relevant |pertinent |significant )?(?:information|details?|social history|"
    r"(?:systemic )?symptoms|(?:past )?medical history)"
    r"(?: (?:is|are|was|were|have been|has been))?"
    r" (?:not )?(?:provided|specified|available|mentioned|given|stated))\.?",
    re.IGNORECASE,
)


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like an OSCE case of AgentClinic."""
    return isinstance(value, dict) and "OSCE_Examination" in value


def read(value: Any, number: int) -> MedicalRecord:
    """Read one case; raises `foreign.ShapeError` with all that is wrong with it."""
    outer = Foreign(value)
    outer.only(("OSCE_Examination",))
    case = outer.inner("OSCE_Examination")
    case.only(_FIELDS)
    patient = case.inner("Patient_Actor")
    symptoms = patient.inner("Symptoms")
    diagnoses = reference_diagnoses(case.text("Correct_Diagnosis") or "", "en")
    if not diagnoses:
        case.wrong("Correct_Diagnosis", "is missing; a case needs a diagnosis")
    illness = [
        *_texts(patient, "History"),
        *_texts(symptoms, "Secondary_Symptoms"),
        *_others(symptoms, ("Primary_Symptom", "Secondary_Symptoms")),
        *_texts(patient, "Review_of_Systems"),
        *_others(patient, _PATIENT),
    ]
    past, family, medication, personal = (
        "\n".join(text for name in names for text in _texts(patient, name)) or None
        for names in (_HISTORY, _FAMILY, _MEDICATION, ("Social_History",))
    )
    complaint = "\n".join(_texts(symptoms, "Primary_Symptom")) or None
    demographics = read_demographics(patient.text("Demographics") or "")
    physical = _examinations(case.value.get("Physical_Examination_Findings"), "p")
    auxiliary = _examinations(case.value.get("Test_Results"), "e")
    outer.raise_if_wrong()
    record = MedicalRecord(
        id=f"agentclinic-{number:03d}",
        language="en",
        demographics=demographics,
        chief_complaint=complaint,
        history_of_present_illness="\n".join(illness) or None,
        past_history=past,
        personal_history=personal,
        family_history=family,
        medication_history=medication,
        physical_examination=physical,
        auxiliary_examinations=auxiliary,
        diagnoses=diagnoses,
        source=f"AgentClinic OSCE, case {number}",
    )
    sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    return record.model_copy(update={"findings": split_findings(sections, "en")})


def _texts(holder: Foreign, name: str) -> list[str]:
    """The texts in a field, a line each: a text, a list of texts, or texts by system."""
    value = holder.value.get(name)
    if isinstance(value, dict):
        inner = holder.inner(name)
        return [text for key in value for text in _texts(inner, key)]
    items = value if isinstance(value, list) else [value]
    texts = []
    for item in items:
        if isinstance(item, str):
            texts.extend(_said(item))
        elif item is not None:
            holder.wrong(name, "is not a text; expected a text or a list of texts")
    return texts


def _others(holder: Foreign, known: tuple[str, ...]) -> list[str]:
    """What a patient knows beyond the fields of the published file, each with its name."""
    return [
        f"{_spaced(name)}: {text}"
        for name in list(holder.value)
        if name not in known
        for text in _texts(holder, name)
    ]


def _said(text: str) -> list[str]:
    """A text without the sentences that only say that nothing is known; none if it has no other."""
    kept = [
        sentence
        for sentence in re.split(r"(?<=[.;])\s+", text.strip())
        if not _ABSENT.fullmatch(sentence.strip())
        and not _NOTHING_SAID.fullmatch(sentence.strip(" ."))
    ]
    return [" ".join(kept)] if any(kept) else []


def _examinations(tree: Any, prefix: str) -> tuple[Examination, ...]:
    items: list[Examination] = []
    for path, text in _leaves(tree, ()):
        names = [_spaced(key) for key in path]
        while len(names) > 1 and _RESULT_KEY.fullmatch(names[-1]):
            names.pop()
        if len(names) > 1 and prefix == "e" and _FACET_KEY.fullmatch(names[-1]):
            facet = names.pop()
            names[-1] += f" ({facet})"
        reading = take_reading(text)
        items.append(
            Examination(
                id=f"{prefix}{len(items) + 1}",
                name=names[-1] if names else "Findings",
                category="/".join(names[:-1]) or None,
                value=reading.value,
                unit=reading.unit,
                reference_range=reading.reference_range,
                abnormal=reading.abnormal,
                note=reading.note,
            )
        )
    return tuple(items)


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path)
    elif value is not None:
        text = value.strip() if isinstance(value, str) else json.dumps(value)
        if text and not _ABSENT.fullmatch(text) and not _NOTHING_SAID.fullmatch(text.strip(" .")):
            yield path, text


def _spaced(key: str) -> str:
    return " ".join(key.replace("_", " ").split()) or key
