"""The leaderboard: for each doctor and setting, the five marks and the disease scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from evaluation.case_scores import (
    CaseCounts,
    Counting,
    Held,
    by_case,
    disease_counts,
    grade_parts,
    grade_scores,
    left_out,
    silent,
    succeeded,
)
from evaluation.chosen_marks import choose_marks
from evaluation.preset import Matching
from evaluation.remarks import Endings, People, Repairs, Spending, Versions, remarks
from evaluation.statistics import ITERATIONS, Part, bootstrap_score, pass_power, score
from records.ledger import RunConfig
from records.mark import DIMENSIONS, Convention, Mark
from records.medical_record import MedicalRecord, Paper
from records.visit import Setting, Visit

SETTING_ORDER: tuple[Setting, ...] = ("interaction", "one_step", "zero_turn", "conference")

SHORT_WAY = 5.0
"""Points from floor to ceiling below which a share beyond either end tells nothing."""

Cases = Mapping[str, Sequence[Held]]
"""By record id, in its order: the marked trials."""

_WAY: tuple[Setting, ...] = ("interaction", "one_step", "zero_turn")


class MarkMean(Paper):
    """One dimension's mean over cases, 0 to 100."""

    mean: float | None
    """None where no visit has a grade."""
    half_width: float | None
    """Upper bound of the 95% bootstrap interval less the mean."""
    coverage: float
    """Share of the row's visits that have a grade, 0 to 1."""


class OverlapMean(Paper):
    """Micro averages over cases, in percent."""

    recall: float
    precision: float
    f1: float
    f1_half_width: float
    """Upper bound of the 95% bootstrap interval over cases less the F1."""


class DiseaseMeans(Paper):
    """Micro averaged disease scores of the row's marked visits: the headline, and others beside."""

    cases: int = 0
    """Cases that count here."""
    predicted_mean: float | None
    """Diseases predicted a case, the paper's `#`; None where no visit is marked."""
    recall: float | None
    """Percent, as are precision and F1."""
    precision: float | None
    f1: float | None
    f1_half_width: float | None = None
    """Upper bound of the 95% bootstrap interval over cases less the F1."""
    linked: float | None
    """Share of reference diagnoses linked to ICD-10, 0 to 1."""
    equal_codes: OverlapMean | None = None
    """Only whole codes that are equal are hits; None under published matching."""
    every_reference: OverlapMean | None = None
    """With the references that the headline leaves out."""
    left_out: int = 0
    """References that the headline leaves out: the patient tells of them, or nothing on record
    leads to them."""


class PassRate(Paper):
    """Chance that all of k trials of a case succeed: diagnosis graded A or B."""

    k: int
    rate: float
    """0 to 1: the mean over cases of the unbiased estimate."""
    cases: int
    """Cases with at least k marked trials."""


class Row(Paper):
    """One doctor in one setting."""

    doctor: str
    setting: Setting
    visits: int
    """Visits held, marked or not."""
    marks: dict[str, MarkMean]
    """By dimension of `records.mark.DIMENSIONS`."""
    diseases: DiseaseMeans
    pass_rates: tuple[PassRate, ...] = ()
    """For k from 1 to the most trials that every case has; none where that is one."""


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


class Leaderboard(Paper):
    """Rows by setting, then by the mean of diagnosis (unscored counts as D here), best first."""

    rows: tuple[Row, ...]
    judge: str | None
    """Whose marks these are: the judge asked for, even if nothing is marked; None without marks."""
    judges: tuple[str, ...]
    """All judges that marked any of the visits, in the order of their first mark."""
    cases: int
    """Cases with at least one visit."""
    convention: Convention = "strict"
    matching: Matching = "code"
    literal_headings: bool = False
    """True: only reports with the literal headings count in the disease scores."""
    terminology: str = ""
    """Hash of the terminology that names were linked with; "" where it is not known."""
    extraction: str = ""
    """What named the diseases, as in `Mark.extraction`."""
    judge_words: tuple[str, ...] = ()
    """Hashes of the words that the judge's model was asked with."""
    seed: int = 0
    iterations: int = ITERATIONS
    """Of the bootstrap."""
    fingerprint: str = ""
    """Of all that the figures depend on; "" where the run's configuration is not at hand."""
    share: tuple[Share, ...] = ()
    """One for each doctor with an interaction row, in the order of the rows."""
    endings: tuple[Endings, ...] = ()
    unmarked: int = 0
    """Visits without a mark of this judge: not markable, or not marked yet."""
    repairs: tuple[Repairs, ...] = ()
    """Of rows with any."""
    versions: tuple[Versions, ...] = ()
    """Specs under whose one name several models answered."""
    spending: tuple[Spending, ...] = ()
    people: tuple[People, ...] = ()
    """Of rows whose visits used a model; last that of the marks, if a model gave them."""


def leaderboard(
    visits: Iterable[Visit],
    marks: Iterable[Mark],
    records: Iterable[MedicalRecord],
    *,
    judge: str | None = None,
    convention: Convention = "strict",
    matching: Matching = "code",
    literal_headings: bool = False,
    seed: int = 0,
    config: RunConfig | None = None,
) -> Leaderboard:
    """Sum up a run.

    A case that was tried several times counts once, with the mean of its trials. Of several lines
    with the same visit key, and of several marks of a visit by one judge, the last one counts.

    Args:
        visits: in any order.
        marks: of any judges, oldest first; marks of other visits are left out.
        records: the cases to count; visits of other records are left out.
        judge: whose marks to show; of who marked the most visits if None.
        convention: how unscored grades and unfair references count, as is matching and
            literal_headings: see `evaluation.case_scores.Counting`.
        matching: which disease scores.
        literal_headings: whether only reports with AI Hospital's headings count among them.
        seed: of the bootstrap.
        config: of the run, for the fingerprint; there is none without it.

    Raises:
        ValueError: there are marks, but none by `judge`, or they were made with several
            terminologies or extractions, or without the matching asked for; its text says what to
            do.
    """
    counting = Counting(convention=convention, matching=matching, literal_headings=literal_headings)
    known = {record.id: record for record in records}
    held = {visit.key: visit for visit in visits if visit.record_id in known}
    chosen = choose_marks((mark for mark in marks if mark.visit_key in held), judge)
    latest = chosen.latest

    groups: dict[tuple[str, Setting], list[Visit]] = {}
    for key in sorted(held):
        visit = held[key]
        groups.setdefault((visit.doctor, visit.setting), []).append(visit)
    order = sorted(groups, key=lambda row: _rank(row, groups[row], latest))
    cases = {row: by_case(groups[row], latest) for row in order}
    beside = remarks({row: groups[row] for row in order}, latest)
    return Leaderboard(
        rows=tuple(
            Row(
                doctor=row[0],
                setting=row[1],
                visits=len(groups[row]),
                marks={
                    d: _mark_mean(d, cases[row], len(groups[row]), counting, seed)
                    for d in DIMENSIONS
                },
                diseases=_disease_means(cases[row], known, counting, seed),
                pass_rates=_pass_rates(cases[row]),
            )
            for row in order
        ),
        judge=chosen.judge,
        judges=chosen.judges,
        cases=len({visit.record_id for visit in held.values()}),
        convention=convention,
        matching=matching,
        literal_headings=literal_headings,
        terminology=chosen.terminology,
        extraction=chosen.extraction,
        judge_words=chosen.words,
        seed=seed,
        fingerprint=counting.fingerprint(config, chosen, seed=seed) if config is not None else "",
        share=tuple(
            _share(doctor, {way: cases.get((doctor, way), {}) for way in _WAY}, known, counting)
            for doctor, setting in order
            if setting == "interaction"
        ),
        endings=beside.endings,
        unmarked=sum(key not in latest for key in held),
        repairs=beside.repairs,
        versions=beside.versions,
        spending=beside.spending,
        people=beside.people,
    )


def _rank(
    row: tuple[str, Setting], visits: Sequence[Visit], marks: Mapping[str, Mark]
) -> tuple[int, float, float, str]:
    """Where a row belongs; a doctor gains nothing by leaving a visit without a gradable answer.

    Other than in the mean shown, an unscored diagnosis counts as D here, and so does a visit that
    could be marked and is not; on a tie, whoever left fewer visits without a gradable answer comes
    first.
    """
    doctor, setting = row
    scores: dict[str, list[float]] = {}
    silence: dict[str, list[float]] = {}
    for visit in visits:
        mark = marks.get(visit.key)
        if mark is not None or visit.ending.markable:
            graded = grade_scores("diagnosis", mark, "published") if mark is not None else []
            scores.setdefault(visit.record_id, []).append(sum(graded))
            silence.setdefault(visit.record_id, []).append(float(silent(visit, mark)))
    answered = any(visit.key in marks for visit in visits)
    return (
        SETTING_ORDER.index(setting),
        -fmean(map(fmean, scores.values())) if answered else 1.0,
        fmean(map(fmean, silence.values())) if answered else 1.0,
        doctor,
    )


def _mark_mean(
    dimension: str, cases: Cases, visits: int, counting: Counting, seed: int
) -> MarkMean:
    parts = grade_parts(dimension, cases, counting)
    if not parts:
        return MarkMean(mean=None, half_width=None, coverage=0.0)
    graded = sum(
        len(grade_scores(dimension, mark, "strict"))
        for trials in cases.values()
        for _, mark in trials
    )
    interval = bootstrap_score(list(parts.values()), seed=seed)
    return MarkMean(mean=interval.mean, half_width=interval.half_width, coverage=graded / visits)


def _disease_means(
    cases: Cases, records: Mapping[str, MedicalRecord], counting: Counting, seed: int
) -> DiseaseMeans:
    def means(**options: bool) -> OverlapMean:
        counts = list(disease_counts(cases, records, counting, **options).values())
        recall, precision = (score([c.part(m) for c in counts]) for m in ("recall", "precision"))
        f1 = bootstrap_score([c.part("f1") for c in counts], seed=seed)
        return OverlapMean(
            recall=recall, precision=precision, f1=f1.mean, f1_half_width=f1.half_width
        )

    counted = disease_counts(cases, records, counting, all_references=True)
    if not counted:
        return DiseaseMeans(predicted_mean=None, recall=None, precision=None, f1=None, linked=None)
    headline = means()
    # The reference of a case is the same in every trial.
    first = {case: cases[case][0][1].diseases for case in counted}
    reference = [link for scores in first.values() for link in scores.reference]
    return DiseaseMeans(
        cases=len(counted),
        predicted_mean=fmean(c.predicted for c in counted.values()),
        recall=headline.recall,
        precision=headline.precision,
        f1=headline.f1,
        f1_half_width=headline.f1_half_width,
        linked=(
            sum(link.icd10 is not None for link in reference) / len(reference)
            if reference
            else None
        ),
        equal_codes=means(whole_codes=True) if counting.matching == "code" else None,
        every_reference=means(all_references=True),
        left_out=sum(len(left_out(s, records.get(case))) for case, s in first.items())
        if counting.convention == "strict"
        else 0,
    )


def _pass_rates(cases: Cases) -> tuple[PassRate, ...]:
    held = [(sum(succeeded(mark) for _, mark in trials), len(trials)) for trials in cases.values()]
    most = min((trials for _, trials in held), default=0)
    if most < 2:
        return ()
    return tuple(
        PassRate(k=k, rate=fmean(pass_power(won, n, k) for won, n in held), cases=len(held))
        for k in range(1, most + 1)
    )


def _share(
    doctor: str,
    ways: Mapping[Setting, Cases],
    records: Mapping[str, MedicalRecord],
    counting: Counting,
) -> Share:
    inside, ceiling, floor = (ways[setting] for setting in _WAY)
    common = [case for case in inside if case in ceiling and case in floor]
    shares: dict[str, float | None] = {}
    for dimension in DIMENSIONS:
        graded = [grade_parts(dimension, way, counting) for way in (inside, ceiling, floor)]
        shares[dimension] = _way(graded, common)
    counts = [disease_counts(way, records, counting) for way in (inside, ceiling, floor)]
    shares["f1"] = _way([_f1_parts(one) for one in counts], common)
    return Share(doctor=doctor, cases=len(common), shares=shares)


def _f1_parts(counts: Mapping[str, CaseCounts]) -> dict[str, Part]:
    return {case: one.part("f1") for case, one in counts.items()}


def _way(parts: Sequence[Mapping[str, Part]], common: Sequence[str]) -> float | None:
    """Share of the way from floor to ceiling; None if there is no way up, or none to speak of."""
    told = [case for case in common if all(case in one for one in parts)]
    if not told:
        return None
    inside, ceiling, floor = (score([one[case] for case in told]) for one in parts)
    way = ceiling - floor
    # Means of equal grades in another order differ in the last bits: that is no way up either.
    if way <= 1e-9:
        return None
    share = (inside - floor) / way
    return share if way >= SHORT_WAY - 1e-9 or -1e-9 <= share <= 1 + 1e-9 else None
