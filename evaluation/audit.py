"""What a judge makes of reports that were made to try it: is it steady, blind to manner, awake?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal

from evaluation.probes import PLANTED, REWRITES, Kind, Probe
from evaluation.statistics import grade_score
from records.mark import DIMENSIONS, Grade, Mark
from records.medical_record import Paper

Group = Literal["zh", "en", "all"]


class Finding(Paper):
    """What one kind of probe showed in one dimension."""

    reports: int
    """Reports that have a grade, and, but for swapped ones, whose faithful report has one."""
    unscored: int
    """Reports without such a grade."""
    share: float | None
    """0 to 1. Of rewrites: graded like the faithful report. Of swapped ones: graded D. Of planted
    errors: graded lower than the faithful report. Of faithful ones: graded A. None without any."""
    shift: float | None
    """Mean change from the faithful report in points of 100; None for faithful and swapped ones."""


class ProbeRow(Paper):
    """One kind of probe in one language, or in all."""

    kind: Kind
    language: Group
    findings: dict[str, Finding]
    """By dimension; of planted errors only the one that has to fall."""


class Audit(Paper):
    """What the probes showed of one judge."""

    judge: str
    judge_version: str = ""
    cases: int
    seed: int
    rows: tuple[ProbeRow, ...]

    def share(self, kind: Kind, dimension: str, language: Group = "all") -> float | None:
        """The share of one kind in one dimension; None if there is none."""
        for row in self.rows:
            if (row.kind, row.language) == (kind, language) and dimension in row.findings:
                return row.findings[dimension].share
        return None


def sum_up(judge: str, probes: Sequence[Probe], marks: Iterable[Mark], *, seed: int = 0) -> Audit:
    """Sum up what a judge made of probes.

    Args:
        judge: whose marks count.
        probes: all that were to be marked; those without a mark are left out.
        marks: by `Probe.key`; of several of one probe the last counts.
        seed: that the probes were made with, as provenance.
    """
    latest = {mark.visit_key: mark for mark in marks if mark.judge == judge}
    graded = [(probe, latest[probe.key]) for probe in probes if probe.key in latest]
    faithful = {p.of: m.grades for p, m in graded if p.kind == "faithful"}
    languages: tuple[Group, ...] = ("zh", "en", "all")
    there = {probe.record.language for probe, _ in graded}
    kinds = tuple(dict.fromkeys(probe.kind for probe, _ in graded))
    rows = [
        ProbeRow(kind=kind, language=language, findings=_findings(kind, own, faithful))
        for kind in kinds
        for language in languages
        if (language in there or (language == "all" and len(there) > 1) or len(there) == 0)
        and (own := [(p, m) for p, m in graded if p.kind == kind and _in(p, language)])
    ]
    if len(there) == 1:
        rows += [row.model_copy(update={"language": "all"}) for row in rows]
    return Audit(
        judge=judge,
        judge_version=next((m.judge_version for _, m in graded), ""),
        cases=len({p.of for p, _ in graded if p.kind == "faithful"}),
        seed=seed,
        rows=tuple(rows),
    )


def _in(probe: Probe, language: Group) -> bool:
    return language == "all" or probe.record.language == language


def _findings(
    kind: Kind,
    marked: Sequence[tuple[Probe, Mark]],
    faithful: Mapping[str, Mapping[str, Grade]],
) -> dict[str, Finding]:
    dimensions = (PLANTED[kind],) if kind in PLANTED else DIMENSIONS
    return {
        dimension: _finding(
            kind,
            [
                (
                    faithful[probe.of].get(dimension) if probe.of in faithful else None,
                    mark.grades.get(dimension),
                )
                for probe, mark in marked
            ],
        )
        for dimension in dimensions
    }


def _finding(kind: Kind, grades: Sequence[tuple[Grade | None, Grade | None]]) -> Finding:
    """Sum up pairs of the faithful report's grade and the probe's."""
    pairs = [
        (grade_score(before.grade) if before and before.grade else None, grade_score(now.grade))
        for before, now in grades
        if now is not None and now.grade is not None
    ]
    alone = kind in ("faithful", "swapped")
    counted = [(before, now) for before, now in pairs if alone or before is not None]
    shifts = [now - before for before, now in counted if before is not None]
    best, worst = grade_score("A"), grade_score("D")
    if kind == "faithful":
        right = [now == best for _, now in counted]
    elif kind == "swapped":
        right = [now == worst for _, now in counted]
    elif kind in REWRITES:
        right = [shift == 0 for shift in shifts]
    else:
        right = [shift < 0 for shift in shifts]
    return Finding(
        reports=len(counted),
        unscored=len(grades) - len(counted),
        share=fmean(right) if right else None,
        shift=None if alone or not shifts else fmean(shifts),
    )
