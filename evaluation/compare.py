"""Comparing doctors pair by pair on the cases that both have, with what can be told at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean, median
from typing import Literal, NamedTuple, get_args

from evaluation.case_scores import Counting, disease_counts, grade_scores, silent
from evaluation.chosen_marks import ChosenMarks
from evaluation.contestants import Case, Contestant, RunContents, gather
from evaluation.rank_groups import rank_groups
from evaluation.statistics import (
    ALPHA,
    ITERATIONS,
    Difference,
    Interval,
    Part,
    bootstrap_difference,
    bootstrap_score,
    detectable_difference,
    holm,
)
from records.mark import DIMENSIONS
from records.medical_record import Paper, canonical_hash
from records.visit import Setting

Metric = Literal[
    "symptoms",
    "examinations",
    "diagnosis",
    "rationale",
    "treatment",
    "f1",
    "recall",
    "precision",
]
METRICS: tuple[Metric, ...] = get_args(Metric)

_RESAMPLES_A_PAIR = 100
"""Resamples for each pair, where that is more: else the least p that resampling can tell would
never be below the level after the correction for very many pairs."""


class Standing(Paper):
    """One contestant's score."""

    name: str
    doctor: str
    setting: Setting
    run: str
    cases: int
    score: float
    half_width: float
    """Upper bound of the 95% bootstrap interval less the score."""
    group: str
    """Letters; contestants that share one are not told apart. "" for one that shares no case with
    another, and for all where only the pairs with one of them are tested."""


class Pair(Paper):
    """Two contestants on their common cases; the first stands above the second."""

    one: str
    other: str
    cases: int
    difference: float
    """Score of the first less that of the second, in points."""
    lower: float
    """Of the difference's 95% bootstrap interval."""
    upper: float
    p: float
    p_holm: float
    """Corrected over all pairs."""
    apart: bool
    """True if the corrected p is below 0.05."""
    detectable: float | None
    """The smallest true difference that this pair's cases find with 80% power, corrected for the
    number of pairs; None for one case."""


class Comparison(Paper):
    """All pairs, or all against one."""

    metric: Metric
    standings: tuple[Standing, ...]
    """Best first."""
    on_common_cases: bool
    """True: all scores are of the cases that all have; False: no case is common to all, so that
    each score is of its own cases, and only the pairs compare."""
    pairs: tuple[Pair, ...]
    without_cases: tuple[tuple[str, str], ...] = ()
    """Pairs that have no case in common."""
    against: str | None = None
    judge: str | None
    counting: Counting
    terminology: str
    extraction: str = ""
    detectable: float | None
    """The median over the pairs."""
    seed: int
    iterations: int
    silent: int = 0
    """Answers without a disease, each of which counts as one wrong disease here."""
    unmarked: int = 0
    """Visits that could be marked and are not; their cases are left out."""
    differing: tuple[str, ...] = ()
    """What the runs do not have in common."""
    fingerprint: str


def compare(
    runs: Sequence[RunContents],
    *,
    metric: Metric = "diagnosis",
    settings: Sequence[Setting] = (),
    against: str | None = None,
    judge: str | None = None,
    counting: Counting | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare the doctors of one run or several.

    Of an unscored grade, the case counts as D where the other of the pair has a grade, and is left
    out where neither has: nothing is gained by an answer that cannot be graded. So too, but under
    convention `published`, an answer without a disease counts as one wrong disease in F1,
    precision and recall.

    Args:
        runs: at least one.
        metric: what is compared, 0 to 100.
        settings: which take part, as contestants side by side; if none is named, `interaction`
            where two doctors or more are in it, else all.
        against: a doctor, or a contestant by its name here: only pairs with it are tested.
        judge: whose marks; that of the first mark if None.
        counting: strictly by codes if None.
        seed: of the bootstrap.

    Raises:
        ValueError: there is nothing to compare, or it does not compare; its text says why and what
            to do.
    """
    how = counting if counting is not None else Counting()
    field = gather(runs, judge=judge, settings=settings)
    entered = field.contestants
    values = {one.name: _values(one, metric, how) for one in entered}
    target = None if against is None else _named(against, entered)
    couples = [
        (one.name, other.name)
        for one, other in combinations(entered, 2)
        if target is None or target in (one.name, other.name)
    ]
    tested = [(a, b) for a, b in couples if _common([values[a], values[b]])]
    if not tested:
        raise ValueError(_nothing_common(values, metric))

    common = _common(list(values.values()))
    scores = {name: _interval(own, common, seed) for name, own in values.items()}
    by_name = {one.name: one for one in entered}
    # As on the leaderboard: on a tie, who has answered more comes first.
    ranked = sorted(scores, key=lambda name: (-scores[name].mean, _silence(by_name[name]), name))
    iterations = max(ITERATIONS, _RESAMPLES_A_PAIR * len(tested))
    pairs = _test(sorted(_ordered(tested, ranked)), ranked, values, seed, iterations)
    compared = [name for name in ranked if any(name in couple for couple in tested)]
    groups = rank_groups(compared, {frozenset((p.one, p.other)) for p in pairs if p.apart})
    told = [pair.detectable for pair in pairs if pair.detectable is not None]
    silence_counts = metric not in DIMENSIONS and how.convention == "strict"
    return Comparison(
        metric=metric,
        standings=tuple(
            Standing(
                name=name,
                doctor=by_name[name].doctor,
                setting=by_name[name].setting,
                run=by_name[name].run,
                cases=len(common) or len(values[name]),
                score=scores[name].mean,
                half_width=scores[name].half_width,
                group=groups.get(name, "") if target is None else "",
            )
            for name in ranked
        ),
        on_common_cases=bool(common),
        pairs=tuple(pairs),
        without_cases=tuple(couple for couple in couples if couple not in tested),
        against=target,
        judge=field.judge,
        counting=how,
        terminology=field.terminology,
        extraction=field.extraction,
        detectable=median(told) if told else None,
        seed=seed,
        iterations=iterations,
        silent=sum(map(_silent, entered)) if silence_counts else 0,
        unmarked=sum(one.unmarked for one in entered),
        differing=field.differing,
        fingerprint=joint_fingerprint(
            runs,
            field.chosen,
            how,
            metric=metric,
            doctors=[[one.doctor, one.setting] for one in entered],
            against=target,
            seed=seed,
            iterations=iterations,
        ),
    )


def joint_fingerprint(
    runs: Sequence[RunContents],
    chosen: Sequence[ChosenMarks],
    counting: Counting,
    **others: object,
) -> str:
    """Of figures made of these marks of these runs; `others` is what else they depend on."""
    each = [
        counting.fingerprint(run.config, marks, **others)
        for run, marks in zip(runs, chosen, strict=True)
    ]
    return each[0] if len(each) == 1 else canonical_hash(each)[:12]


def _named(against: str, entered: Sequence[Contestant]) -> str:
    found = [one.name for one in entered if one.name == against] or [
        one.name for one in entered if against in (one.doctor, f"{one.doctor}, {one.setting}")
    ]
    if len(found) != 1:
        what = f"{len(found)} are" if found else "nobody is"
        there = "; ".join(one.name for one in entered)
        raise ValueError(f"{what} named {against!r} here; there are: {there}")
    return found[0]


class _Value(NamedTuple):
    """What a case brings to a score."""

    part: Part
    graded: bool
    """False where no trial has a grade, so that the part is that of a D."""


Values = Mapping[Case, _Value]


def _values(one: Contestant, metric: Metric, counting: Counting) -> dict[Case, _Value]:
    """By case; a case of which the judge was not asked is left out."""
    if metric not in DIMENSIONS:
        counts = disease_counts(
            one.cases, one.records, counting, silence_is_wrong=counting.convention == "strict"
        )
        return {case: _Value(count.part(metric), True) for case, count in counts.items()}
    found = {}
    for case, trials in one.cases.items():
        asked = [mark for _, mark in trials if metric in mark.grades]
        if asked:
            scores = [grade_scores(metric, mark, "published")[0] for mark in asked]
            graded = any(grade_scores(metric, mark, counting.convention) for mark in asked)
            found[case] = _Value(Part(fmean(scores)), graded)
    return found


def _common(every: Sequence[Values]) -> list[Case]:
    """The cases that all have and at least one has a grade for, in order."""
    first, *others = every
    return sorted(
        case
        for case in first
        if all(case in other for other in others) and any(one[case].graded for one in every)
    )


def _interval(own: Values, common: Sequence[Case], seed: int) -> Interval:
    parts = [own[case].part for case in (common or sorted(own))]
    return bootstrap_score(parts or [Part(0.0)], seed=seed)


def _silence(one: Contestant) -> float:
    """Share of the trials that have no gradable answer, the mean over cases."""
    cases = one.cases.values()
    return fmean(fmean(silent(visit, mark) for visit, mark in trials) for trials in cases)


def _silent(one: Contestant) -> int:
    return sum(not m.diseases.predicted for trials in one.cases.values() for _, m in trials)


def _nothing_common(values: Mapping[str, Values], metric: Metric) -> str:
    if any(values.values()):
        return f"no two of {'; '.join(values)} have a case in common with a score of {metric}"
    return f"nobody has a score of {metric}; the judge was not asked for it"


def _ordered(couples: Sequence[tuple[str, str]], ranked: Sequence[str]) -> list[tuple[int, int]]:
    """Each couple by its places in the ranking, the better first."""
    place = {name: n for n, name in enumerate(ranked)}
    return [(min(place[a], place[b]), max(place[a], place[b])) for a, b in couples]


def _test(
    couples: Sequence[tuple[int, int]],
    ranked: Sequence[str],
    values: Mapping[str, Values],
    seed: int,
    iterations: int,
) -> list[Pair]:
    found = []
    for places in couples:
        one, other = (values[ranked[n]] for n in places)
        cases = _common([one, other])
        found.append(
            bootstrap_difference(
                [one[case].part for case in cases],
                [other[case].part for case in cases],
                seed=seed,
                iterations=iterations,
            )
        )
    corrected = holm([difference.p for difference in found])
    return [
        Pair(
            one=ranked[a],
            other=ranked[b],
            cases=found[n].cases,
            difference=found[n].difference,
            lower=found[n].lower,
            upper=found[n].upper,
            p=found[n].p,
            p_holm=corrected[n],
            apart=corrected[n] < ALPHA,
            detectable=_detectable(found[n], len(couples)),
        )
        for n, (a, b) in enumerate(couples)
    ]


def _detectable(found: Difference, comparisons: int) -> float | None:
    if found.deviation is None:
        return None
    return detectable_difference(found.deviation, found.cases, comparisons=comparisons)
