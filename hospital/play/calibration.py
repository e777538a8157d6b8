"""How a person's private list came to the diagnosis: calibration, told from its lists in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hospital.play.words import PlayWords
from records.diseases.disease_overlap import normal_name
from records.diseases.icd10 import default_terminology, same_category
from records.medical_record import MedicalRecord


@dataclass(frozen=True)
class Course:
    """Where a record's first diagnosis stood in the lists of a visit."""

    entered: int
    """The turn whose list had it first."""
    place: int
    """Its place there, from 1."""
    of: int
    """How many names that list had."""
    top_since: int | None
    """The turn from which on it was always first; None if it was not first in the end."""
    last: int | None
    """Its place in the last list; None if it is gone from it."""

    @classmethod
    def of_lists(
        cls, record: MedicalRecord, lists: Sequence[tuple[int, tuple[str, ...]]]
    ) -> Course | None:
        """Follow the diagnosis through (turn, names) lists, oldest first; None if none has it."""
        places = [(turn, _place(record, names), len(names)) for turn, names in lists]
        had = [(turn, place, of) for turn, place, of in places if place is not None]
        if not had:
            return None
        since: int | None = None
        for turn, place, _ in places:
            since = (turn if since is None else since) if place == 1 else None
        entered, first, of = had[0]
        return cls(entered=entered, place=first, of=of, top_since=since, last=places[-1][1])


def tell(
    record: MedicalRecord, lists: Sequence[tuple[int, tuple[str, ...]]], words: PlayWords
) -> str:
    """The course in a sentence; "" where no list was kept."""
    if not lists:
        return ""
    course = Course.of_lists(record, lists)
    if course is None:
        return words.never_listed
    if course.place == 1 and course.top_since == course.entered:
        return words.top_at_once.format(turn=course.entered) + words.stop
    told = words.listed.format(turn=course.entered, place=course.place, of=course.of)
    if course.top_since is not None:
        then = words.top_since.format(turn=course.top_since)
    elif course.last is None:
        then = words.unlisted_again
    else:
        then = words.not_top.format(place=course.last)
    return f"{told}{words.separator}{then}{words.stop}"


def _place(record: MedicalRecord, names: Sequence[str]) -> int | None:
    terminology = default_terminology()
    first = record.diagnoses[0]
    code = first.icd10 or terminology.link(first.name, record.language).icd10
    for place, name in enumerate(names, start=1):
        if normal_name(name) == normal_name(first.name):
            return place
        if same_category(terminology.link(name, record.language).icd10, code):
            return place
    return None
