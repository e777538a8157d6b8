"""AgentClinic NEJM (arXiv 2405.07960): image challenges of the journal, one JSON object a line.

The case is the text of `question`, sorted by `vignette`; the results are those of
`physical_exams`, where that gives any. The picture itself is no part of the file: its address is
kept as a result of its own, which says so. `patient_info` is the same case retold to an actor, with
stage directions, and the options of `answers` are for nobody but the one that is correct: neither
has a place in a record.
"""

from __future__ import annotations

import re
from typing import Any

from records.findings.splitter import split_findings
from records.medical_record import HISTORY_SECTIONS, Diagnosis, Examination, MedicalRecord
from records.readers.foreign import Foreign
from records.readers.people import read_demographics
from records.readers.result_list import listed_examinations
from records.readers.vignette import read_vignette, split_sentences

_FIELDS = ("image_url", "question", "patient_info", "physical_exams", "answers", "type")
_NO_RESULTS = re.compile(
    r"\b(?:does|do)\s+not\s+(?:include|contain|mention|provide)|\bno\s+(?:specific\s+)?(?:instrument|"
    r"numerical)\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"[^.]{1,160}\b(?:is|are|was|were)\s+shown\b[^.]{0,40}\.?", re.IGNORECASE)
IMAGE = "Image of the case"


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like an image challenge of AgentClinic."""
    return (
        isinstance(value, dict)
        and "answers" in value
        and bool({"image_url", "patient_info", "physical_exams"} & value.keys())
    )


def read(value: Any, number: int) -> MedicalRecord:
    """Read one case; raises `foreign.ShapeError` with all that is wrong with it."""
    case = Foreign(value)
    case.only(_FIELDS)
    text = case.text("question")
    if not text:
        case.wrong("question", "is missing; it holds the text of the case")
    case.text("patient_info")
    results, image, kind = (case.text(name) for name in ("physical_exams", "image_url", "type"))
    diagnosis = _correct(case)
    case.raise_if_wrong()
    sentences = split_sentences(text or "")
    # "A blood smear is shown": what the picture is of is all that the text says of it.
    shown = [sentence for sentence in sentences if _SHOWN.fullmatch(sentence)] if image else []
    told = read_vignette([sentence for sentence in sentences if sentence not in shown])
    auxiliary = told.auxiliary_examinations
    if results and not _NO_RESULTS.search(results):
        auxiliary = listed_examinations(results, "e")
    if image:
        auxiliary += (_image(f"e{len(auxiliary) + 1}", image, kind, shown),)
    record = MedicalRecord(
        id=f"agentclinic-nejm-{number:03d}",
        language="en",
        demographics=read_demographics(sentences[0]).model_copy(update={"description": told.who}),
        chief_complaint=told.chief_complaint,
        **{str(section): said for section, said in told.history.items()},
        physical_examination=told.physical_examination,
        auxiliary_examinations=auxiliary,
        diagnoses=(Diagnosis(id="d1", name=diagnosis),),
        source=f"AgentClinic NEJM, case {number}" + (f"; image: {image}" if image else ""),
    )
    sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    return record.model_copy(update={"findings": split_findings(sections, "en")})


def _correct(case: Foreign) -> str:
    """The one option that is correct; "" with a problem noted where there is not one."""
    answers = case.value.get("answers")
    if not isinstance(answers, list):
        case.wrong("answers", 'is missing or no list; expected [{"text": …, "correct": …}, …]')
        return ""
    correct: list[str] = []
    before = len(case.problems)
    for i, answer in enumerate(answers):
        option = Foreign(answer, f"answers[{i}].", case.problems)
        option.only(("text", "correct"))
        text = option.text("text")
        if option.value.get("correct") is True:
            correct.append(text or "")
        elif option.value.get("correct") is not False:
            option.wrong("correct", "is neither true nor false")
    if len(case.problems) > before:
        return ""
    if len(correct) != 1:
        case.wrong("answers", f"{len(correct)} options are correct; a case needs exactly one")
    elif not correct[0]:
        case.wrong("answers", "the correct option has no text; it is the diagnosis")
    return correct[0] if correct else ""


def _image(id_: str, address: str, kind: str | None, shown: list[str]) -> Examination:
    said = " ".join((*shown, *([f"({kind})"] if kind else ()))) or None
    return Examination(
        id=id_,
        name=IMAGE,
        category="Image",
        value=f"published as a picture, not put in words: {address}",
        note=said,
    )
