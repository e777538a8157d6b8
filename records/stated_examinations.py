"""Which recorded results a statement gives: a message, or the examinations part of a report."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from records.examination_lexicon import normalise
from records.examination_reading import Named, read_names
from records.medical_record import Examination, Language
from records.recorded_examinations import RecordedExamination, find_recorded

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CLAUSE = re.compile(r"[^。！!?？；;\n]+")
_ABNORMAL = re.compile(
    r"异常|升高|增高|降低|减低|减少|下降|偏高|偏低|增多|阳性|↑|↓|\b(?:elevated|increased|high|"
    r"raised|decreased|reduced|low|positive|abnormal|present|diminished|enlarged)\b",
    re.IGNORECASE,
)
_NORMAL = re.compile(
    r"未见|正常|阴性|无异常|没有异常|无明显|\b(?:normal|negative|unremarkable|"
    r"within normal limits|no (?:evidence|abnormal\w*|sign)|absent|not detected)\b",
    re.IGNORECASE,
)


def stated_examinations(
    text: str, examinations: Sequence[Examination], language: Language
) -> tuple[str, ...]:
    """Ids of the recorded results that a statement gives, in the record's order.

    A result is given where its name and its value meet in one sentence: a number of the value, or a
    like finding in other words. A value that stands there in full needs no name.
    """
    del language  # both languages are read alike
    recorded = {e.id: RecordedExamination.of(e) for e in examinations}
    sentences = [(normalise(m.group()), read_names(m.group())) for m in _CLAUSE.finditer(text)]
    return tuple(
        e.id
        for e in examinations
        if any(_gives(e, recorded[e.id], sentence, named) for sentence, named in sentences)
    )


def _gives(
    examination: Examination,
    recorded: RecordedExamination,
    sentence: str,
    named: tuple[Named, ...],
) -> bool:
    value = normalise(examination.value).strip().lower()
    said = sentence.lower()
    if len(value) >= 6 and value in said:
        return True
    name_said = normalise(examination.name).strip().lower() in said or any(
        find_recorded(n, [recorded]) for n in named
    )
    if not name_said:
        return len(value) >= 8 and fuzz.partial_ratio(value, said) >= 85
    numbers = _NUMBER.findall(value)
    if numbers:
        return numbers[0] in _NUMBER.findall(said) or _same_direction(value, said)
    if _same_direction(value, said):
        return True
    return fuzz.partial_token_set_ratio(value, said) >= 60 and _overlap(value, said) >= 0.5


def _same_direction(value: str, said: str) -> bool:
    short = len(value) <= 16
    if not short:
        return False
    normal = bool(_NORMAL.search(value))
    if normal != bool(_NORMAL.search(said)):
        return False
    return normal or bool(_ABNORMAL.search(value) and _ABNORMAL.search(said))


def _overlap(value: str, said: str) -> float:
    """Share of the value's words (Latin) or character pairs (Chinese) that the sentence has."""
    parts = re.findall(r"[a-z]{3,}|[一-鿿]{2,}", value)
    units = [
        unit
        for part in parts
        for unit in ([part] if part.isascii() else [part[i : i + 2] for i in range(len(part) - 1)])
    ]
    return sum(u in said for u in units) / len(units) if units else 0.0
