"""Which recorded results a statement gives: a message, or the examinations part of a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from records.examinations.examination_lexicon import normalise
from records.examinations.examination_reading import Named, read_names
from records.examinations.recorded_examinations import RecordedExamination, find_recorded
from records.medical_record import Examination, Language

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LISTED = re.compile(r"^\s*\(?\d{1,2}\s*[.、)](?!\d)")
_CLAUSE = re.compile(r"[^。！!?？；;\n]+")
_ABNORMAL = re.compile(
    r"异常|[升增偏过]高|[降减偏过]低|减少|下降|增多|增加|阳性|↑|↓|\b(?:elevated|increased|high|"
    r"raised|decreased|reduced|low|positive|abnormal|present|diminished|enlarged)\b",
    re.IGNORECASE,
)
_NORMAL = re.compile(
    r"未见|正常|阴性|无异常|没有异常|无明显|\b(?:normal|negative|unremarkable|"
    r"within normal limits|no (?:evidence|abnormal\w*|sign)|absent|not detected)\b",
    re.IGNORECASE,
)

_EMPTY = re.compile(
    r"明显|检查|发现|结果|待|轻度|中度|重度|显著|双侧|未|无|有|"
    r"\b(?:the|and|for|with|range|limits|mildly|slightly|markedly|significantly|pending|results?|"
    r"findings?|bilateral(?:ly)?|noted|observed|seen|exam(?:ination)?|palpation|auscultation|"
    r"throughout|other|any)\b",
    re.IGNORECASE,
)


_MOSTLY_SAID = 0.8
"""Length of a sentence against a value's from which it can hold the value in other words."""


def stated_examinations(
    text: str, examinations: Sequence[Examination], language: Language
) -> tuple[str, ...]:
    """Ids of the recorded results that a statement gives, in the record's order.

    A result is given where its name and its value meet in one sentence: a number of the value, or a
    like finding in other words. A value that stands there in full needs no name.
    """
    del language  # both languages are read alike
    recorded = [RecordedExamination.of(e) for e in examinations]
    stated: set[str] = set()
    for found in _CLAUSE.finditer(text):
        named = _named(found.group(), recorded)
        sentence = normalise(found.group()).lower()
        stated.update(e.id for e in examinations if _gives(e, e.id in named, sentence))
    return tuple(e.id for e in examinations if e.id in stated)


def _named(sentence: str, recorded: Sequence[RecordedExamination]) -> set[str]:
    """Ids of the examinations that a sentence names; of a panel with members, the members alone."""
    groups = [set(find_recorded(n, recorded)) for n in _names(sentence)]
    kept = [g for g in groups if not any(other and other < g for other in groups)]
    return set().union(*kept)


@lru_cache(maxsize=4096)
def _names(sentence: str) -> tuple[Named, ...]:
    return read_names(sentence)


def _gives(examination: Examination, named: bool, said: str) -> bool:
    value = normalise(examination.value).strip().lower()
    telling = _tells_by_itself(value)
    if telling and value in said:
        return True
    if not named and normalise(examination.name).strip().lower() not in said:
        # Long enough to be of this examination and no other; and most of it must be said, for a
        # letter or a word is part of many a value.
        whole = len(value) >= 10 and len(said) >= _MOSTLY_SAID * len(value)
        return telling and whole and fuzz.partial_ratio(value, said) >= 85
    numbers = _NUMBER.findall(value)
    if numbers and numbers[0] in _numbers(said):
        return True
    if numbers and not telling:
        return _right_direction(examination, said)
    if _same_direction(value, said):
        return True
    return fuzz.partial_token_set_ratio(value, said) >= 60 and _overlap(value, said) >= 0.5


@lru_cache(maxsize=4096)
def _numbers(said: str) -> frozenset[str]:
    """The numbers of a sentence, without that of a list's item."""
    return frozenset(_NUMBER.findall(_LISTED.sub("", said)))


def _right_direction(examination: Examination, said: str) -> bool:
    """True for "haemoglobin is low" of a number, unless the record says that it is normal."""
    abnormal, normal = bool(_ABNORMAL.search(said)), bool(_NORMAL.search(said))
    if examination.abnormal is None:
        return abnormal or normal
    return abnormal if examination.abnormal else normal


@lru_cache(maxsize=4096)
def _tells_by_itself(value: str) -> bool:
    """True if a value says what was found, and not only "normal", "elevated" or a number."""
    rest = _ABNORMAL.sub(" ", _NORMAL.sub(" ", value))
    rest = _EMPTY.sub(" ", rest)
    return len(re.findall(r"[a-z]{3,}", rest)) >= 3 or len(re.findall(r"[一-鿿]", rest)) >= 4


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
