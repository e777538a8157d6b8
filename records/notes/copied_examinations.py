"""Examinations claimed of notes: every word of theirs located, or they are dropped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from records.lint.numbers import read_range, read_value
from records.medical_record import Examination
from records.notes.claims import text_of
from records.notes.verbatim import Notes, Span
from records.readers.reading import Reading, take_reading
from records.visit import Repair

_BETWEEN = re.compile(
    r"[\s:：=＝,，;；。.、()（）\[\]-]+|为|是|\b(?:is|was|of|at)\b", re.IGNORECASE
)
_LONGEST_QUOTE = 400


@dataclass(frozen=True)
class Copied:
    """The examinations found, each with its place in the notes, and what was dropped."""

    examinations: tuple[tuple[Examination, Span], ...]
    repairs: tuple[Repair, ...]


def copy_examinations(
    kind: Literal["p", "e"], claimed: Sequence[Mapping[str, Any]], notes: Notes
) -> Copied:
    """The claimed examinations that the notes have, word for word.

    `note` keeps the notes' own words where they say more than name, value, unit and range.

    Args:
        kind: `p` for signs, `e` for results.
        claimed: objects with `name`, `value` and, if any, `unit`, `reference_range`, `category`
            and `quote`.
        notes: the text.
    """
    found: list[tuple[Examination, Span]] = []
    repairs: list[Repair] = []
    for one in claimed:
        copied = _copy(f"{kind}{len(found) + 1}", one, notes)
        if copied is None:
            shown = ": ".join(t for t in (text_of(one.get("name")), text_of(one.get("value"))) if t)
            repairs.append(Repair(kind="not_in_notes", detail=shown[:200]))
            continue
        examination, span, dropped = copied
        repairs.extend(dropped)
        if not any(span == other and examination.name == e.name for e, other in found):
            found.append((examination, span))
    return Copied(tuple(found), tuple(repairs))


def _copy(
    identity: str, claimed: Mapping[str, Any], notes: Notes
) -> tuple[Examination, Span, list[Repair]] | None:
    name, value = text_of(claimed.get("name")), text_of(claimed.get("value"))
    quote = text_of(claimed.get("quote"))
    where = notes.find(quote) if quote else None
    if where is None:
        # The quotation was reworded; name and value may still stand side by side.
        where = _side_by_side(name, value, notes)
    if not name or not value or where is None:
        return None
    named, valued = notes.find(name, [where]) or notes.find(name), notes.find(value, [where])
    if named is None or valued is None:
        return None
    repairs: list[Repair] = []
    parts: dict[str, str | None] = {}
    spans = [valued] if not _inside(named, where) else [named, valued]
    for field in ("unit", "reference_range"):
        parts[field], span = _part(field, claimed, notes, where, repairs)
        if span is not None:
            spans.append(span)
    category, _ = _part("category", claimed, notes, (0, len(notes.text)), repairs)
    whole = (min(s for s, _ in spans), max(e for _, e in spans))
    written = notes.text[slice(*valued)]
    reading = take_reading(written)
    if parts["unit"] and reading.unit != parts["unit"]:
        # The unit stands elsewhere: what looks like one in "5.2×10^4" belongs to the number.
        reading = Reading(written)
    unit = parts["unit"] or reading.unit
    limits = parts["reference_range"] or reading.reference_range
    examination = Examination(
        id=identity,
        name=notes.text[slice(*named)],
        category=category,
        value=reading.value,
        unit=unit,
        reference_range=limits,
        abnormal=_abnormal(notes.text[slice(*where)], reading.value, unit, limits),
        note=_note(notes.text[slice(*whole)], notes, whole, spans) or reading.note,
    )
    return examination, whole, repairs


def _part(
    field: str, claimed: Mapping[str, Any], notes: Notes, where: Span, repairs: list[Repair]
) -> tuple[str | None, Span | None]:
    """A part of the result as the notes have it; one that they have not is dropped by itself."""
    wanted = text_of(claimed.get(field))
    if not wanted:
        return None, None
    span = notes.find(wanted, [where]) or _glued(wanted, notes, where)
    if span is None:
        repairs.append(Repair(kind="not_in_notes", detail=f"{field}: {wanted}"[:200]))
        return None, None
    return notes.text[slice(*span)], span


def _glued(wanted: str, notes: Notes, where: Span) -> Span | None:
    """A unit right behind its number or a range in brackets, as "12.1g/dL" has it."""
    at = notes.text.find(wanted, *where)
    return (at, at + len(wanted)) if at >= 0 else None


def _side_by_side(name: str, value: str, notes: Notes) -> Span | None:
    """The span from the name to the value where only a few characters part them."""
    named = notes.find(name) if name else None
    while named is not None:
        valued = notes.find(value, [(named[1], min(len(notes.text), named[1] + 12 + len(value)))])
        if valued is not None:
            return named[0], min(len(notes.text), valued[1] + 40)
        named = notes.find(name, [(named[1], len(notes.text))])
    return None


def _abnormal(quote: str, value: str, unit: str | None, reference_range: str | None) -> bool | None:
    """What the notes themselves say: a word, an arrow, or the range."""
    number, limits = read_value(value), read_range(reference_range or "")
    if number is not None and not number.bounded and len(limits) == len(number.numbers):
        return not all(a.holds(b) for a, b in zip(limits, number.numbers, strict=True))
    if number is not None:
        behind = quote.partition(value)[2][:12]
        return (
            take_reading(f"{value}{unit or ''}{behind}").abnormal
            if "↑" in behind[:8] or ("↓" in behind[:8])
            else None
        )
    return take_reading(value).abnormal


def _note(quote: str, notes: Notes, whole: Span, spans: Sequence[Span]) -> str | None:
    """The quotation, where it has words beside those taken out of it."""
    rest = "".join(
        notes.text[i] for i in range(*whole) if not any(start <= i < end for start, end in spans)
    )
    if not _BETWEEN.sub("", rest):
        return None
    return f"({quote})" if len(quote) <= _LONGEST_QUOTE else None


def _inside(span: Span, where: Span) -> bool:
    return where[0] <= span[0] and span[1] <= where[1]
