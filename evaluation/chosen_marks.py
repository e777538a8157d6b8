"""Which marks a table is made of: one judge's, the latest of each visit, one terminology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from records.mark import Mark


@dataclass(frozen=True)
class ChosenMarks:
    """One judge's latest marks."""

    judge: str | None
    """The judge asked for, else who marked the most visits; None without marks."""
    judges: tuple[str, ...]
    """All who gave marks, in the order of their first."""
    latest: Mapping[str, Mark]
    """By visit key."""
    terminology: str
    """Hash of the terminology of all of them; "" where none says."""
    words: tuple[str, ...]
    """Hashes of the words that the judge's model was asked with, sorted."""
    version: str = ""
    """Of the judge's rules; "" where it has none."""


def main_judge(marks: Iterable[Mark]) -> str | None:
    """Who marked the most visits, the first of them at a tie; None without marks."""
    visits: dict[str, set[str]] = {}
    for mark in marks:
        visits.setdefault(mark.judge, set()).add(mark.visit_key)
    return max(visits, key=lambda judge: len(visits[judge]), default=None)


def choose_marks(marks: Iterable[Mark], judge: str | None = None) -> ChosenMarks:
    """Choose one judge's marks; a later mark of a visit supersedes.

    Args:
        marks: oldest first.
        judge: whose; if None, of who marked the most visits, the first of them at a tie.

    Raises:
        ValueError: there are marks, but none by `judge`, or they were made with several
            terminologies or by several versions of the judge; its text says what there is and
            what to do.
    """
    every = list(marks)
    judges = tuple(dict.fromkeys(mark.judge for mark in every))
    if judge is not None and judges and judge not in judges:
        raise ValueError(f"no marks by {judge}; there are marks by {', '.join(judges)}")
    chosen = judge if judge is not None else main_judge(every)
    latest = {mark.visit_key: mark for mark in every if mark.judge == chosen}
    linked = Counter(mark.terminology for mark in latest.values() if mark.terminology)
    if len(linked) > 1:
        told = ", ".join(f"{name} ({n} marks)" for name, n in sorted(linked.items()))
        raise ValueError(
            f"the marks by {chosen} were made with different terminologies, {told}, which do not"
            " compare; mark all visits again with one of them ('hospital mark --help')"
        )
    ruled = Counter(mark.judge_version for mark in latest.values())
    if len(ruled) > 1:
        told = ", ".join(
            f"{name or 'an older one'} ({n} marks)" for name, n in sorted(ruled.items())
        )
        raise ValueError(
            f"the marks by {chosen} were made by different versions of its rules, {told}, which do"
            f" not compare; mark all visits again ('hospital mark RUN --judge {chosen} --again')"
        )
    return ChosenMarks(
        judge=chosen,
        judges=judges,
        latest=latest,
        terminology=next(iter(linked), ""),
        words=tuple(sorted({mark.prompts_hash for mark in latest.values()} - {""})),
        version=next(iter(ruled), ""),
    )
