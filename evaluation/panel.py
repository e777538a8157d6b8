"""A panel of judges: how far they agree, and who judges its own kin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean

from evaluation.agreement import krippendorff_alpha, quadratic_kappa
from evaluation.chosen_marks import panel_of
from evaluation.model_family import families_of
from evaluation.panel_marks import RANKS
from records.mark import DIMENSIONS, Mark
from records.medical_record import Paper
from records.visit import DOCTOR, Visit


class PairAgreement(Paper):
    """Two judges in one dimension, over the visits that both graded."""

    one: str
    other: str
    visits: int
    kappa: float | None
    """Quadratic-weighted; None where it is not defined."""


class DimensionAgreement(Paper):
    """All judges in one dimension."""

    visits: int
    """Visits that at least two of them graded."""
    alpha: float | None
    """Krippendorff's, interval metric; None where it is not defined."""
    within_one: float | None
    """Share of these visits, 0 to 1, whose highest and lowest grade are at most one apart."""
    pairs: tuple[PairAgreement, ...]


class Kinship(Paper):
    """A judge that marked a doctor of its own family of models."""

    judge: str
    doctor: str
    families: tuple[str, ...]
    difference: float | None
    """What the judge gave this doctor in the mean of all dimensions, less what the judges of other
    families gave it for the same, in points of 100; None without such a judge."""


class Panel(Paper):
    """What there is to know of a panel beside its marks (`evaluation.panel_marks`)."""

    judges: tuple[str, ...]
    agreement: dict[str, DimensionAgreement]
    """By dimension of `DIMENSIONS`."""
    kin: tuple[Kinship, ...]
    alone: int = 0
    """Visits that only one of the judges marked: they have no mark of the panel's."""


def look_at_panel(
    visits: Iterable[Visit], marks: Iterable[Mark], judges: Sequence[str] | None = None
) -> Panel:
    """Look at a panel of judges who marked a run.

    Args:
        visits: of the run, in any order.
        marks: oldest first, of any judges.
        judges: whose marks count; all who marked if None.

    Raises:
        ValueError: a judge did not mark, there are fewer than two, or a judge's marks do not go
            together; its text says what to do.
    """
    known = {visit.key: visit for visit in visits}
    every = [mark for mark in marks if mark.visit_key in known]
    seated, by_judge = panel_of(every, judges)
    keys = tuple(dict.fromkeys(mark.visit_key for mark in every if mark.judge in by_judge))
    marked = [sum(key in own for own in by_judge.values()) for key in keys]
    return Panel(
        judges=seated,
        agreement={dimension: _agreement(by_judge, keys, dimension) for dimension in DIMENSIONS},
        kin=tuple(_kin(by_judge, known)),
        alone=sum(count == 1 for count in marked),
    )


def _rank(mark: Mark | None, dimension: str) -> int | None:
    grade = mark.grades.get(dimension) if mark is not None else None
    return RANKS.index(grade.grade) if grade is not None and grade.grade is not None else None


def _agreement(
    by_judge: Mapping[str, Mapping[str, Mark]], keys: Sequence[str], dimension: str
) -> DimensionAgreement:
    ranks = {
        judge: [_rank(marks.get(key), dimension) for key in keys]
        for judge, marks in by_judge.items()
    }
    shared = [
        values
        for column in zip(*ranks.values(), strict=True)
        if len(values := [value for value in column if value is not None]) > 1
    ]
    pairs = []
    for one, other in combinations(ranks, 2):
        both = [
            (a, b)
            for a, b in zip(ranks[one], ranks[other], strict=True)
            if a is not None and b is not None
        ]
        kappa = quadratic_kappa([a for a, _ in both], [b for _, b in both])
        pairs.append(PairAgreement(one=one, other=other, visits=len(both), kappa=kappa))
    return DimensionAgreement(
        visits=len(shared),
        alpha=krippendorff_alpha(list(ranks.values())),
        within_one=fmean(max(v) - min(v) <= 1 for v in shared) if shared else None,
        pairs=tuple(pairs),
    )


def _kin(
    by_judge: Mapping[str, Mapping[str, Mark]], visits: Mapping[str, Visit]
) -> Iterable[Kinship]:
    doctors: dict[str, list[Visit]] = {}
    for visit in visits.values():
        doctors.setdefault(visit.doctor, []).append(visit)
    for doctor in sorted(doctors):
        answered = [m for visit in doctors[doctor] for m in visit.models_answered.get(DOCTOR, ())]
        own = families_of([doctor, *answered])
        related = {judge: tuple(sorted(own & families_of([judge]))) for judge in by_judge}
        strangers = [by_judge[judge] for judge, common in related.items() if not common]
        for judge, common in related.items():
            if common and any(v.key in by_judge[judge] for v in doctors[doctor]):
                gap = _gap(by_judge[judge], strangers, [v.key for v in doctors[doctor]])
                yield Kinship(judge=judge, doctor=doctor, families=common, difference=gap)


def _gap(
    own: Mapping[str, Mark], others: Sequence[Mapping[str, Mark]], keys: Sequence[str]
) -> float | None:
    """Mean of a judge's grades less the mean of others' for the same, in points of 100."""
    gaps = []
    for key in keys:
        for dimension in DIMENSIONS:
            mine = _rank(own.get(key), dimension)
            theirs = [r for o in others if (r := _rank(o.get(key), dimension)) is not None]
            if mine is not None and theirs:
                gaps.append(mine - fmean(theirs))
    return fmean(gaps) / 3 * 100 if gaps else None
