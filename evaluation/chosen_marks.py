"""Which marks a table is made of: one judge's, the latest of each visit, linked in one way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.panel_marks import is_panel, panel_marks, panel_members, panel_name
from records.ledger import RunConfig
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
    extraction: str
    """`Mark.extraction` of all of them."""
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


def usual_judge(config: RunConfig, marks: Iterable[Mark]) -> str | None:
    """Whose marks a run shows if nobody else is asked for.

    Several judges of a run that all marked the same visits are its panel; None leaves it to
    `main_judge`. Published judges of an imported run marked what they were asked for, each its own.
    """
    if config.imported or len(config.judges) < 2:
        return None
    visits = {judge: set[str]() for judge in config.judges}
    for mark in marks:
        if mark.judge in visits:
            visits[mark.judge].add(mark.visit_key)
    first = visits[config.judges[0]]
    together = bool(first) and all(keys == first for keys in visits.values())
    return panel_name(config.judges) if together else None


def panel_of(
    marks: Sequence[Mark], judges: Sequence[str] | None
) -> tuple[tuple[str, ...], dict[str, Mapping[str, Mark]]]:
    """Who sits on a panel, and by judge and visit key the marks of each.

    Args:
        marks: oldest first, of any judges.
        judges: who; all who marked if None.

    Raises:
        ValueError: a judge did not mark, there are fewer than two, or a judge's marks do not go
            together; its text says what to do.
    """
    seated = tuple(dict.fromkeys(judges or (mark.judge for mark in marks)))
    if len(seated) < 2:
        told = f"{seated[0]} alone" if seated else "nobody"
        raise ValueError(
            f"a panel needs at least two judges, and this is {told}"
            " ('hospital mark RUN --judge SPEC' adds one)"
        )
    return seated, {judge: choose_marks(marks, judge).latest for judge in seated}


def choose_marks(marks: Iterable[Mark], judge: str | None = None) -> ChosenMarks:
    """Choose one judge's marks; a later mark of a visit supersedes.

    Args:
        marks: oldest first.
        judge: whose; `panel` or `panel(A, B)` for the medians of all or some; if None, of who
            marked the most visits, the first of them at a tie.

    Raises:
        ValueError: there are marks, but none by `judge`, or they were made with several
            terminologies, with several extractions, or by several versions of the judge; its text
            says what there is and what to do.
    """
    every = list(marks)
    if judge is not None and every and is_panel(judge):
        seated, by_judge = panel_of(every, panel_members(judge))
        together = _of_one(list(panel_marks(by_judge)), panel_name(seated))
        return replace(together, judges=tuple(dict.fromkeys(mark.judge for mark in every)))
    return _of_one(every, judge)


def _of_one(every: Sequence[Mark], judge: str | None) -> ChosenMarks:
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
    named = Counter(mark.extraction for mark in latest.values())
    if len(named) > 1:
        told = ", ".join(
            f"{name or 'older rules'} ({n} marks)" for name, n in sorted(named.items())
        )
        raise ValueError(
            f"the diseases of the marks by {chosen} were named in different ways, {told}, which do"
            " not compare; mark all visits again in one of them ('hospital mark --help')"
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
        extraction=next(iter(named), ""),
        words=tuple(sorted({mark.prompts_hash for mark in latest.values()} - {""})),
        version=next(iter(ruled), ""),
    )
