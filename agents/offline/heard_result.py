"""A result as a doctor without a model reads it from the examiner's words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from agents.offline.phrase import affirmed, denied, places
from records.examinations.examination_lexicon import (
    load_examination_lexicon,
    normalise,
    specimen_of,
)
from records.knowledge import KnownExamination
from records.medical_record import Language

Direction = Literal["high", "low", "positive", "negative", "normal"]

_DIRECTION_WORDS: dict[Direction, re.Pattern[str]] = {
    "high": re.compile(
        r"升高|增高|偏高|增多|延长|↑|\b(?:high|raised|elevated|increased|prolonged)\b",
        re.IGNORECASE,
    ),
    "low": re.compile(
        r"降低|减低|偏低|减少|下降|↓|\b(?:low|decreased|reduced|suppressed)\b", re.IGNORECASE
    ),
    "positive": re.compile(
        r"阳性|(?<!\w)[1-4]\+|[（(]\+{1,4}[)）]|\bpositive\b|(?<!not )\bdetected\b", re.IGNORECASE
    ),
    "negative": re.compile(r"阴性|未检出|[（(]-[)）]|\bnegative\b|\bnot detected\b", re.IGNORECASE),
    "normal": re.compile(
        r"正常|未见(?:明显)?异常|无异常|\b(?:normal|unremarkable|no abnormality)\b", re.IGNORECASE
    ),
}
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.、)）])\s*")
_NO_RESULT = re.compile(
    r"没有这项检查|没有.{0,12}结果|暂无|未查|未做|无法提供|"
    r"\bno results?\b|not available|unavailable|not (?:been )?(?:done|performed|on record)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"[（(\[]?\s*(?:(?:参考(?:范围|值|区间)?|reference(?: range)?)\s*:?"
    r"|normal\s*:?(?=\s*[<>≤≥]?\d))"
    r"(?P<range>[^）)\]]*)[）)\]]?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:[-–—~～]|to|至)\s*(\d+(?:\.\d+)?)")
_LIMIT = re.compile(r"([<>≤≥])\s*(\d+(?:\.\d+)?)")
_CLAUSE = re.compile(r"[；;。\n]|\.\s")
_ABSENT = ("no", "not")
_LONGEST_NAME = 90


@dataclass(frozen=True)
class HeardResult:
    """One result as the examiner gave it."""

    name: str
    """The examination; "" where the line names none before a colon."""
    reading: str
    """What was found, without the reference range."""
    directions: frozenset[Direction]
    """What its words, or its number against the reference range, say of it."""
    line: str = field(default="", compare=False)
    """The line as it was given, reference range and all."""

    @classmethod
    def of(cls, line: str) -> HeardResult | None:
        """Read a line; None if it tells no result ("… : no result available")."""
        line = _BULLET.sub("", line).strip().replace("：", ":")
        if not line or _NO_RESULT.search(line):
            return None
        reference = _REFERENCE.search(line)
        bare = line[: reference.start()] + line[reference.end() :] if reference else line
        name, colon, reading = bare.partition(":")
        if not colon or len(name) > _LONGEST_NAME:
            name, reading = "", bare
        if not reading.strip():
            return None
        found = _directions(reading, reference["range"] if reference else "")
        return cls(name.strip(), reading.strip(), found, line)

    @property
    def text(self) -> str:
        """Name and reading in one line."""
        return f"{self.name}: {self.reading}" if self.name else self.reading

    def concerns(self, known: KnownExamination, language: Language) -> bool:
        """Whether it belongs to an examination, by all that the examination's name says."""
        return _concerns(self.name or self.reading, known.name(language), language)

    def agrees(self, expected: tuple[str, ...], language: Language) -> bool:
        """Whether it is as one alternative of `KnownExamination.expected` has it.

        Words of direction ("raised", "阴性") are compared with its directions. All others have to
        stand in one clause and not be denied there, or be denied if the alternative says "no" or
        "not".
        """
        wanted = [d for word in expected if (d := _direction(word))]
        if any(d not in self.directions for d in wanted):
            return False
        absent = expected[0] in _ABSENT
        sought = [w for w in expected if w not in _ABSENT and not _direction(w)]
        return not sought or any(
            all(_seen(word, self.name, clause, absent, language) for word in sought)
            for clause in _CLAUSE.split(self.reading)
        )


def names_its_analyte(expected: tuple[str, ...]) -> bool:
    """Whether an expectation says of what: "low bicarbonate" does, "raised" alone does not."""
    directed = [bool(_direction(word)) for word in expected]
    return any(directed) and not all(directed)


@lru_cache(maxsize=65536)
def _concerns(given: str, known: str, language: Language) -> bool:
    sought = _sought(known)
    if not sought:
        return bool(places(known, given, language))
    ids, within = _examined(given)
    return all(
        any(
            wanted in within
            # A chest film is whatever pictures the chest by X-ray, under any name.
            or (pictures and pictures <= ids)
            for wanted, pictures in alternatives
        )
        for alternatives in sought
    )


@lru_cache(maxsize=4096)
def _sought(known: str) -> tuple[tuple[tuple[str, frozenset[str | None]], ...], ...]:
    """For each word of an examination's name what it may be: an id, and how else that is made."""
    mentions = load_examination_lexicon().mentions(normalise(known), specimen_of(known))
    return tuple(
        tuple(
            (c.id, frozenset((c.modality, *c.regions) if c.regions else ()))
            for c in mention.concepts
        )
        for mention in mentions
    )


@lru_cache(maxsize=4096)
def _examined(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a result's name speaks of, and all that this belongs to.

    Both are ids of examinations, modalities and regions; the second holds the first.
    """
    lexicon = load_examination_lexicon()
    mentions = lexicon.mentions(normalise(name), specimen_of(name))
    concepts = [concept for mention in mentions for concept in mention.concepts]
    implied = [i for c in concepts for i in (c.modality, *c.regions) if i]
    ids = frozenset([c.id for c in concepts] + implied)
    return ids, ids.union(*(lexicon.ancestors(i) for i in ids))


def _directions(reading: str, range_text: str) -> frozenset[Direction]:
    found = {d for d, pattern in _DIRECTION_WORDS.items() if pattern.search(reading)}
    number = _NUMBER.search(reading)
    span, limit = _RANGE.search(range_text), _LIMIT.search(range_text)
    if number and span:
        value, low, high = float(number[0]), float(span[1]), float(span[2])
        found.add("low" if value < low else "high" if value > high else "normal")
    elif number and limit:
        value, bound, upper = float(number[0]), float(limit[2]), limit[1] in "<≤"
        inside = value <= bound if upper else value >= bound
        found.add("normal" if inside else "high" if upper else "low")
    return frozenset(found)


@lru_cache(maxsize=1024)
def _direction(word: str) -> Direction | None:
    for direction, pattern in _DIRECTION_WORDS.items():
        if pattern.fullmatch(word):
            return direction
    return None


def _seen(word: str, name: str, clause: str, absent: bool, language: Language) -> bool:
    if word.startswith(("未", "无", "不")):
        return word in clause
    if absent:
        return denied(word, clause, language)
    return affirmed(word, clause, language) or bool(places(word, name, language))
