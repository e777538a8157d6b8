"""MediQ / iCRAFT-MD (arXiv 2406.00922): English skin cases, one JSON object a line.

The sentences of `context` are the case, sorted by `vignette`, a line each. `facts` says the same
once more, atom by atom, and is not read twice; of the options only the answer has a place in a
record. Where `answer_idx` marks an option of another wording than `answer`, the answer counts and
the record's source tells of the other.
"""

from __future__ import annotations

import re
from typing import Any

from records.findings.splitter import split_findings
from records.medical_record import HISTORY_SECTIONS, Demographics, Diagnosis, MedicalRecord
from records.readers.foreign import Foreign
from records.readers.people import age_in_years, read_demographics, sex_of
from records.readers.vignette import read_vignette

_FIELDS = (
    "id",
    "question",
    "context",
    "options",
    "answer",
    "answer_idx",
    "facts",
    "patient",
)
_UNKNOWN = re.compile(r"unavailable|unknown|not\s+(?:given|stated|specified)|n/?a|-", re.IGNORECASE)


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like a case of MediQ."""
    return (
        isinstance(value, dict)
        and "context" in value
        and bool({"options", "facts", "answer_idx"} & value.keys())
    )


def read(value: Any, number: int) -> MedicalRecord:
    """Read one case; raises `foreign.ShapeError` with all that is wrong with it."""
    case = Foreign(value)
    case.only(_FIELDS)
    name = case.text("id") or str(number)
    question = case.text("question")
    if question and not re.search(r"\bdiagnos|\bcondition\b|\bcause\b", question, re.IGNORECASE):
        case.wrong("question", "asks for no diagnosis; only cases that have one can be read")
    sentences = _sentences(case)
    answer = case.text("answer")
    if not answer:
        case.wrong("answer", "is missing; it is the diagnosis")
    marked = _marked(case)
    who = case.inner("patient")
    who.only(("age", "gender"))
    age, sex = (_known(who.text(field)) for field in ("age", "gender"))
    case.raise_if_wrong()
    told = read_vignette(sentences, "\n")
    stated = age_in_years(f"{age} old") if age else None
    opening = read_demographics(sentences[0])
    differs = marked and marked.casefold() != (answer or "").casefold()
    record = MedicalRecord(
        id=f"mediq-{name}",
        language="en",
        demographics=Demographics(
            age_years=opening.age_years if stated is None else stated,
            sex=sex_of(sex) if sex else opening.sex,
            description=told.who or (age if stated is None else None),
        ),
        chief_complaint=told.chief_complaint,
        **{str(section): said for section, said in told.history.items()},
        physical_examination=told.physical_examination,
        auxiliary_examinations=told.auxiliary_examinations,
        diagnoses=(Diagnosis(id="d1", name=answer or ""),),
        source=f"MediQ iCRAFT-MD, case {name}"
        + (f'; the option marked as its answer reads "{marked}"' if differs else ""),
    )
    sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    return record.model_copy(update={"findings": split_findings(sections, "en")})


def _sentences(case: Foreign) -> list[str]:
    context = case.value.get("context")
    sentences = [context] if isinstance(context, str) else context
    if not isinstance(sentences, list) or not all(isinstance(s, str) for s in sentences):
        case.wrong("context", "is no list of sentences; it is to hold the text of the case")
        return []
    said = [sentence.strip() for sentence in sentences if sentence.strip()]
    if not said:
        case.wrong("context", "is empty; it is to hold the text of the case")
    return said


def _marked(case: Foreign) -> str | None:
    """The option that `answer_idx` marks; None where there is none."""
    index = case.text("answer_idx")
    options = case.inner("options")
    texts = {key: options.text(key) for key in list(options.value)}
    if index and texts and index not in texts:
        case.wrong("answer_idx", f'"{index}" is none of the options {", ".join(texts)}')
    return texts.get(index or "")


def _known(text: str | None) -> str | None:
    return None if text is None or _UNKNOWN.fullmatch(text) else text
