"""Numbers and reference ranges as records write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"\d+(?:\.\d+)?"
_VALUE = re.compile(
    rf"\s*(?P<bound>[<>＜＞≤≥]|约|≈|~)?\s*(?P<first>{_NUMBER})"
    rf"(?:\s*/\s*(?P<second>{_NUMBER}))?(?P<rest>\s*\(.*\)|\s*（.*）|\s*[↑↓])?\s*"
)
_PAIR = re.compile(r"\s*(\S+?)\s*/\s*(\S+)\s*")
_BETWEEN = re.compile(rf"({_NUMBER})\s*[-–—~～〜至−]+\s*({_NUMBER})|({_NUMBER})\s+to\s+({_NUMBER})")
_BELOW = re.compile(rf"(?:[<＜≤]|小于|低于|不超过|under|below|up to|less than)\s*=?\s*({_NUMBER})")
_ABOVE = re.compile(
    rf"(?:[>＞≥]|大于|高于|不低于|over|above|at least|more than)\s*=?\s*({_NUMBER})"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")


@dataclass(frozen=True)
class Range:
    """A reference range; None where it is open."""

    low: float | None
    high: float | None

    def holds(self, number: float) -> bool:
        """Whether a number lies in it, bounds included."""
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )


@dataclass(frozen=True)
class Measured:
    """A recorded number, or a pair such as a blood pressure; bounded if written as "<5"."""

    numbers: tuple[float, ...]
    bounded: bool = False


def read_value(text: str) -> Measured | None:
    """The number that a value is; None if it is words, several numbers, or a grade ("2+")."""
    found = _VALUE.fullmatch(_THOUSANDS.sub("", text))
    if found is None:
        return None
    numbers = (float(found["first"]), *((float(found["second"]),) if found["second"] else ()))
    return Measured(numbers, bounded=bool(found["bound"]))


def read_range(text: str) -> tuple[Range, ...]:
    """The range of each number of a value: one, or two for a pair; () if it is words."""
    text = _THOUSANDS.sub("", text)
    whole = _one_range(text)
    pair = _PAIR.fullmatch(text)
    if pair:
        both = (_one_range(pair[1]), _one_range(pair[2]))
        if both[0] and both[1]:
            return (both[0], both[1])
    return (whole,) if whole else ()


def _one_range(text: str) -> Range | None:
    between = list(_BETWEEN.finditer(text))
    if len(between) > 1:
        return None  # Several ranges, by sex or age: which one counts is not said.
    if between:
        low, high = between[0].group(1, 2) if between[0][1] else between[0].group(3, 4)
        return Range(float(low), float(high))
    below, above = _BELOW.search(text), _ABOVE.search(text)
    if below and above:
        return None
    if below:
        return Range(None, float(below[1]))
    return Range(float(above[1]), None) if above else None
