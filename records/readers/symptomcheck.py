"""SymptomCheck Bench's Avey vignettes (github.com/medaks/symptomcheck-bench): one object a line.

`presentation` and, on the next line, `absent_findings` are the history of present illness. Each
item of `absent_findings` is a finding that is absent, however it is worded, but for those that
state that something is normal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from records.findings.clause import Span, cut, has_words, shielded, trim
from records.findings.splitter import split_findings
from records.medical_record import (
    HISTORY_SECTIONS,
    Diagnosis,
    Finding,
    HistorySection,
    MedicalRecord,
)
from records.readers.foreign import Foreign
from records.readers.people import read_demographics

_FIELDS = (
    "correct_diagnosis",
    "demographics",
    "chief_complaints",
    "presentation",
    "absent_findings",
    "physical_history",
    "family_history",
    "social_history",
)
_UNSAID = re.compile(r"[-–—\s]*|n/?a\.?|not\s+(?:given|provided|stated|recorded)\.?", re.IGNORECASE)
_NONE = re.compile(r"none\.?", re.IGNORECASE)
_NORMAL = re.compile(r"normal\b", re.IGNORECASE)
# "No seizure  No vomiting": a comma was forgotten.
_FORGOTTEN = re.compile(r"\s(?=No\s)")
# "The pain is not radiating": what is absent is that it radiates.
_OWN_NOT = re.compile(r"(?:\s+(?:is|are))?\s+not\b", re.IGNORECASE)
_ABOUT: dict[HistorySection, str] = {
    "past_history": "past illness",
    "family_history": "illness in the family",
    "personal_history": "social history",
}


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like an Avey vignette."""
    known = ("chief_complaints", "presentation", "absent_findings", "physical_history")
    return isinstance(value, dict) and sum(name in value for name in known) >= 2


def read(value: Any, number: int) -> MedicalRecord:
    """Read one case; raises `foreign.ShapeError` with all that is wrong with it."""
    case = Foreign(value)
    case.only(_FIELDS)
    diagnosis = _said(case.text("correct_diagnosis"))
    if not diagnosis:
        case.wrong("correct_diagnosis", "is missing; a case needs a diagnosis")
    complaint, told, absent, past, family, social, who = (
        _said(case.text(name))
        for name in (
            "chief_complaints",
            "presentation",
            "absent_findings",
            "physical_history",
            "family_history",
            "social_history",
            "demographics",
        )
    )
    if not (complaint or told):
        case.wrong(
            "presentation", "is missing, and so is chief_complaints; one has to tell the case"
        )
    case.raise_if_wrong()
    record = MedicalRecord(
        id=f"symptomcheck-{number:03d}",
        language="en",
        demographics=read_demographics(who or ""),
        chief_complaint=complaint,
        history_of_present_illness="\n".join(text for text in (told, absent) if text) or None,
        past_history=past,
        family_history=family,
        personal_history=social,
        diagnoses=(Diagnosis(id="d1", name=diagnosis or ""),),
        source=f"SymptomCheck Bench, Avey vignette {number}",
    )
    return record.model_copy(update={"findings": _findings(record, told, absent)})


def _said(text: str | None) -> str | None:
    return None if text is None or _UNSAID.fullmatch(text) else text


def _findings(record: MedicalRecord, told: str | None, absent: str | None) -> tuple[Finding, ...]:
    """All findings in the order of the sections, numbered anew."""
    found: list[Finding] = []
    for section in HISTORY_SECTIONS:
        text = record.section_text(section)
        if section in _ABOUT and _NONE.fullmatch(text):
            found.append(_nothing(section, text))
            continue
        if section != "history_of_present_illness":
            found.extend(split_findings({section: text}, "en"))
            continue
        found.extend(split_findings({section: told or ""}, "en"))
        if absent:
            found.extend(_absent(text, len(text) - len(absent)))
    return tuple(finding.model_copy(update={"id": f"f{i}"}) for i, finding in enumerate(found, 1))


def _nothing(section: HistorySection, text: str) -> Finding:
    """A section that says "None": asked, and there is nothing of the kind."""
    return Finding(
        id="f1",
        symptom=_ABOUT[section],
        present=False,
        section=section,
        text=text,
        start=0,
        end=len(text),
    )


def _absent(text: str, begin: int) -> Iterator[Finding]:
    """The items of the absent findings, which begin at an offset of the section's text."""
    section: HistorySection = "history_of_present_illness"
    for start, end in _items(text, begin):
        item = text[start:end]
        if _NORMAL.match(item):
            yield Finding(id="f1", symptom=item, section=section, text=item, start=start, end=end)
            continue
        for finding in split_findings({section: item}, "en"):
            place = {
                "symptom": _OWN_NOT.sub("", finding.symptom),
                "start": start + (finding.start or 0),
                "end": start + (finding.end or 0),
                "present": False,
            }
            yield finding.model_copy(update=place)


def _items(text: str, begin: int) -> Iterator[Span]:
    inside = shielded(text)
    forgotten = {found.start() for found in _FORGOTTEN.finditer(text, begin)}
    for piece in cut(
        (begin, len(text)), lambda i: (text[i] in ",;.\n" or i in forgotten) and not inside[i]
    ):
        start, end = trim(text, piece, ",;.")
        if has_words(text[start:end]):
            yield start, end
