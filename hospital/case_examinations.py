"""Examinations of a case being written: one result typed, taken apart, numbered."""

from __future__ import annotations

from typing import Literal

from records.lint.numbers import read_range, read_value
from records.medical_record import Examination
from records.readers.reading import take_reading


def read_examination(
    kind: Literal["p", "e"],
    number: int,
    *,
    name: str,
    category: str | None,
    result: str,
    reference_range: str | None,
    abnormal: bool | None,
) -> Examination:
    """One examination of the four things typed; a unit or range in the result is taken out of it.

    Args:
        kind: `p` for a sign of the physical examination, `e` for a result.
        number: of its id.
        name: as typed.
        category: the group it belongs to.
        result: value and unit, or words.
        reference_range: as typed; None if none was.
        abnormal: as answered; None takes what value and range say.
    """
    reading = take_reading(result)
    limits = reference_range or reading.reference_range
    if abnormal is None:
        abnormal = reading.abnormal if reading.abnormal is not None else outside(result, limits)
    return Examination(
        id=f"{kind}{number}",
        name=name,
        category=category,
        value=reading.value,
        unit=reading.unit,
        reference_range=limits,
        abnormal=abnormal,
        note=reading.note,
    )


def outside(result: str, reference_range: str | None) -> bool | None:
    """Whether a result lies outside a range; None if either is no number."""
    value = read_value(take_reading(result).value)
    limits = read_range(reference_range or "")
    if value is None or value.bounded or len(limits) != len(value.numbers):
        return None
    return not all(one.holds(number) for one, number in zip(limits, value.numbers, strict=True))
