"""The leaderboard: for each doctor and setting, the five marks and the disease scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from pydantic import Field

from evaluation.diseases import DiseaseCounts, micro_overlap
from evaluation.statistics import ITERATIONS, bootstrap_mean, grade_score
from records.mark import DIMENSIONS, Mark
from records.medical_record import MedicalRecord, Paper
from records.visit import Setting, Visit

SETTING_ORDER: tuple[Setting, ...] = ("interaction", "one_step", "zero_turn", "conference")

SHORT_WAY = 5.0
"""Points from floor to ceiling below which a share beyond either end tells nothing."""

_WAY: tuple[Setting, ...] = ("interaction", "one_step", "zero_turn")


class MarkMean(Paper):
    """One dimension's mean over cases, 0 to 100."""

    mean: float | None
    """None where no visit has a grade."""
    half_width: float | None
    """Upper bound of the 95% bootstrap interval less the mean."""
    coverage: float
    """Share of the row's visits that have a grade, 0 to 1."""


class DiseaseMeans(Paper):
    """Micro averaged disease scores of the row's marked visits."""

    predicted_mean: float | None
    """Diseases predicted a case, the paper's `#`; None where no visit is marked."""
    recall: float | None
    """Percent, as are precision and F1."""
    precision: float | None
    f1: float | None
    linked: float | None
    """Share of reference diagnoses linked to ICD-10, 0 to 1."""


class Row(Paper):
    """One doctor in one setting."""

    doctor: str
    setting: Setting
    visits: int
    """Visits held, marked or not."""
    marks: dict[str, MarkMean]
    """By dimension of `records.mark.DIMENSIONS`."""
    diseases: DiseaseMeans


class Share(Paper):
    """How far of the way from floor to ceiling a doctor's interaction gets.

    (interaction - zero_turn) / (one_step - zero_turn) over the cases that have all three; 0 is what
    the chief complaint alone gives, 1 what the whole record gives. Below 0 and above 1 can happen,
    but are told only where the way is at least `SHORT_WAY` points long.
    """

    doctor: str
    cases: int
    """Cases marked in all three settings."""
    shares: dict[str, float | None]
    """By dimension, and `f1`; None where the ceiling is no higher than the floor, or one lacks, or
    where the share is outside 0 to 1 of a way of less than `SHORT_WAY` points."""


class Endings(Paper):
    """How the visits of one doctor in one setting ended."""

    doctor: str
    setting: Setting
    counts: dict[str, int]
    """By ending; endings that did not occur are left out."""
    failures: dict[str, dict[str, int]] = Field(default_factory=dict)
    """By ending, how often each reason was given, the commonest first; none where none was."""


class Leaderboard(Paper):
    """Rows by setting, then by the mean of diagnosis (unscored counts as D here), best first."""

    rows: tuple[Row, ...]
    judge: str | None
    """Whose marks these are: the judge asked for, even if nothing is marked; None without marks."""
    judges: tuple[str, ...]
    """All judges that marked any of the visits, in the order of their first mark."""
    cases: int
    """Cases with at least one visit."""
    iterations: int = ITERATIONS
    """Of the bootstrap."""
    share: tuple[Share, ...] = ()
    """One for each doctor with an interaction row, in the order of the rows."""
    endings: tuple[Endings, ...] = ()
    unmarked: int = 0
    """Visits without a mark of this judge: not markable, or not marked yet."""


def leaderboard(
    visits: Iterable[Visit],
    marks: Iterable[Mark],
    records: Iterable[MedicalRecord],
    *,
    judge: str | None = None,
    seed: int = 0,
) -> Leaderboard:
    """Sum up a run.

    A case that was tried several times counts once, with the mean of its trials. Of several lines
    with the same visit key, and of several marks of a visit by one judge, the last one counts.

    Args:
        visits: in any order.
        marks: of any judges, oldest first; marks of other visits are left out.
        records: the cases to count; visits of other records are left out.
        judge: whose marks to show; the judge of the first mark if None.
        seed: of the bootstrap.

    Raises:
        ValueError: there are marks, but none by `judge`; its text names the judges there are.
    """
    known = {record.id for record in records}
    held = {visit.key: visit for visit in visits if visit.record_id in known}
    own = [mark for mark in marks if mark.visit_key in held]
    judges = tuple(dict.fromkeys(mark.judge for mark in own))
    if judge is not None and judges and judge not in judges:
        raise ValueError(f"no marks by {judge}; there are marks by {', '.join(judges)}")
    chosen = judge if judge is not None else (judges[0] if judges else None)
    latest = {mark.visit_key: mark for mark in own if mark.judge == chosen}

    groups: dict[tuple[str, Setting], list[Visit]] = {}
    for key in sorted(held):
        visit = held[key]
        groups.setdefault((visit.doctor, visit.setting), []).append(visit)
    rows = [
        _row(doctor, setting, groups[doctor, setting], latest, seed)
        for doctor, setting in sorted(groups, key=lambda key: _rank(key, groups[key], latest))
    ]
    return Leaderboard(
        rows=tuple(rows),
        judge=chosen,
        judges=judges,
        cases=len({visit.record_id for visit in held.values()}),
        share=tuple(
            _share(row.doctor, groups, latest) for row in rows if row.setting == "interaction"
        ),
        endings=tuple(
            Endings(
                doctor=row.doctor,
                setting=row.setting,
                counts=dict(
                    sorted(Counter(v.ending.value for v in groups[row.doctor, row.setting]).items())
                ),
                failures=_failures(groups[row.doctor, row.setting]),
            )
            for row in rows
        ),
        unmarked=sum(key not in latest for key in held),
    )


def _failures(visits: Iterable[Visit]) -> dict[str, dict[str, int]]:
    times = Counter((v.ending.value, v.failure) for v in visits if v.failure)
    told: dict[str, dict[str, int]] = {}
    for ending, reason in sorted(times, key=lambda one: (one[0], -times[one], one[1])):
        told.setdefault(ending, {})[reason] = times[ending, reason]
    return told


def _rank(
    row: tuple[str, Setting], visits: Sequence[Visit], marks: Mapping[str, Mark]
) -> tuple[int, float, float, str]:
    """Where a row belongs; a doctor gains nothing by leaving a visit without a gradable answer.

    Other than the mean shown, an unscored diagnosis counts as D here; on a tie, whoever left fewer
    marked visits without any disease comes first.
    """
    doctor, setting = row
    cases = _by_case(visits, marks)
    scores = [
        fmean(sum(_grade_scores("diagnosis", [mark])) for mark in trials)
        for trials in cases.values()
    ]
    silent = [fmean(not mark.diseases.predicted for mark in trials) for trials in cases.values()]
    return (
        SETTING_ORDER.index(setting),
        -fmean(scores) if scores else 1.0,
        fmean(silent) if silent else 1.0,
        doctor,
    )


def _row(
    doctor: str,
    setting: Setting,
    visits: Sequence[Visit],
    marks: Mapping[str, Mark],
    seed: int,
) -> Row:
    cases = _by_case(visits, marks)
    return Row(
        doctor=doctor,
        setting=setting,
        visits=len(visits),
        marks={d: _mark_mean(d, cases, len(visits), seed) for d in DIMENSIONS},
        diseases=_disease_means(cases),
    )


def _by_case(visits: Iterable[Visit], marks: Mapping[str, Mark]) -> dict[str, list[Mark]]:
    """The marks of each case's trials; cases in the order of their ids."""
    cases: dict[str, list[Mark]] = {}
    for visit in sorted(visits, key=lambda v: (v.record_id, v.trial, v.key)):
        if visit.key in marks:
            cases.setdefault(visit.record_id, []).append(marks[visit.key])
    return cases


def _grade_scores(dimension: str, trials: Iterable[Mark]) -> list[float]:
    grades = (mark.grades.get(dimension) for mark in trials)
    return [grade_score(g.grade) for g in grades if g is not None and g.grade is not None]


def _mark_mean(
    dimension: str, cases: Mapping[str, Sequence[Mark]], visits: int, seed: int
) -> MarkMean:
    scores = [_grade_scores(dimension, trials) for trials in cases.values()]
    graded = sum(map(len, scores))
    values = [fmean(trials) for trials in scores if trials]
    if not values:
        return MarkMean(mean=None, half_width=None, coverage=0.0)
    interval = bootstrap_mean(values, seed=seed)
    return MarkMean(mean=interval.mean, half_width=interval.half_width, coverage=graded / visits)


def _disease_means(cases: Mapping[str, Sequence[Mark]]) -> DiseaseMeans:
    if not cases:
        return DiseaseMeans(predicted_mean=None, recall=None, precision=None, f1=None, linked=None)
    counts = [DiseaseCounts.of([m.diseases for m in trials]) for trials in cases.values()]
    scores = micro_overlap(counts)
    # The reference of a case is the same in every trial.
    reference = [link for trials in cases.values() for link in trials[0].diseases.reference]
    return DiseaseMeans(
        predicted_mean=fmean(c.predicted for c in counts),
        recall=scores.recall,
        precision=scores.precision,
        f1=scores.f1,
        linked=(
            sum(link.icd10 is not None for link in reference) / len(reference)
            if reference
            else None
        ),
    )


def _share(
    doctor: str,
    groups: Mapping[tuple[str, Setting], Sequence[Visit]],
    marks: Mapping[str, Mark],
) -> Share:
    inside, ceiling, floor = (
        _by_case(groups.get((doctor, setting), ()), marks) for setting in _WAY
    )
    common = [case for case in inside if case in ceiling and case in floor]
    shares: dict[str, float | None] = {}
    for dimension in DIMENSIONS:
        scores = [
            [_grade_scores(dimension, way[case]) for way in (inside, ceiling, floor)]
            for case in common
        ]
        graded = [[fmean(trials) for trials in case] for case in scores if all(case)]
        shares[dimension] = (
            _way(*(fmean(column) for column in zip(*graded, strict=True))) if graded else None
        )
    shares["f1"] = (
        _way(
            *(
                micro_overlap(
                    [DiseaseCounts.of([m.diseases for m in way[case]]) for case in common]
                ).f1
                for way in (inside, ceiling, floor)
            )
        )
        if common
        else None
    )
    return Share(doctor=doctor, cases=len(common), shares=shares)


def _way(inside: float, ceiling: float, floor: float) -> float | None:
    """Share of the way from floor to ceiling; None if there is no way up, or none to speak of."""
    way = ceiling - floor
    # Means of equal grades in another order differ in the last bits: that is no way up either.
    if way <= 1e-9:
        return None
    share = (inside - floor) / way
    return share if way >= SHORT_WAY - 1e-9 or -1e-9 <= share <= 1 + 1e-9 else None
