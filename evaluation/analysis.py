"""What a run tells beyond its marks: process, behaviour, errors, regression and harm, by doctor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from pydantic import Field

from evaluation.behaviour import Behaviour, behaviour_of
from evaluation.diagnostic_errors import DiagnosticError, error_of
from evaluation.harm import HarmFlag, harm_flags
from evaluation.process import Process, process_of
from evaluation.regression import Regression, regress
from evaluation.statistics import grade_score
from records.mark import Mark
from records.medical_record import MedicalRecord, Paper
from records.visit import Setting, Visit


class ProcessMeans(Paper):
    """Means over the interactions of one doctor; shares from 0 to 1, None where there is none."""

    visits: int
    turns: float
    questions: float
    redundant: float
    """Replies that brought only what was known, a visit."""
    unrecorded: float
    """Examinations asked for that are not on record, a visit."""
    present_illness: float | None
    other_history: float | None
    signs: float | None
    results: float | None
    closed_early: float | None
    """Share of the visits with marks that closed prematurely."""


class BehaviourMeans(Paper):
    """Table 2 of AI Hospital for one doctor; shares from 0 to 1 of what is settled."""

    pairs: int
    relevance: float | None
    honesty: float | None
    requests: int
    accuracy: float | None
    consistency: float | None
    """Of reports, 1 to 3 mapped to 0 to 1."""
    open: int
    """Verdicts that neither facts nor a judge settled."""


class Conduct(Paper):
    """One doctor in one setting."""

    doctor: str
    setting: Setting
    visits: int
    process: ProcessMeans | None = None
    """Of interactions alone, as is behaviour."""
    behaviour: BehaviourMeans | None = None
    errors: dict[str, int] = Field(default_factory=dict)
    """Diagnoses graded D, by type."""
    graded: int = 0
    """Visits with a graded diagnosis."""
    regression: Regression | None = None
    harm: dict[str, int] = Field(default_factory=dict)
    """Visits with at least one flag, by kind."""
    harmed: int = 0
    """Visits with any flag of a plan (red flags left out)."""


class VisitAnalysis(Paper):
    """One visit."""

    visit_key: str
    record_id: str
    doctor: str
    setting: Setting
    process: Process
    behaviour: Behaviour | None
    error: DiagnosticError | None
    harm: tuple[HarmFlag, ...]


class Analysis(Paper):
    """A run."""

    judge: str | None
    conducts: tuple[Conduct, ...]
    visits: tuple[VisitAnalysis, ...]


def analyse(
    visits: Iterable[Visit],
    records: Mapping[str, MedicalRecord],
    marks: Mapping[str, Mark],
    *,
    judge: str | None,
    max_turns: int,
    seed: int = 0,
    settled: Callable[[Visit, MedicalRecord], Behaviour] = behaviour_of,
) -> Analysis:
    """Analyse the visits of a run.

    Args:
        visits: in any order; visits of other records are left out.
        records: by id.
        marks: one judge's, by visit key.
        judge: whose.
        max_turns: of the run.
        seed: of the regression's bootstrap.
        settled: the behaviour in a visit; by facts alone by default.
    """
    order = sorted(
        (v for v in visits if v.record_id in records),
        key=lambda v: (v.doctor, v.setting, v.record_id, v.trial, v.key),
    )
    found = [_visit(v, records[v.record_id], marks.get(v.key), max_turns, settled) for v in order]
    groups: dict[tuple[str, Setting], list[VisitAnalysis]] = {}
    for one in found:
        groups.setdefault((one.doctor, one.setting), []).append(one)
    return Analysis(
        judge=judge,
        conducts=tuple(
            _conduct(doctor, setting, own, marks, seed) for (doctor, setting), own in groups.items()
        ),
        visits=tuple(found),
    )


def _visit(
    visit: Visit,
    record: MedicalRecord,
    mark: Mark | None,
    max_turns: int,
    settled: Callable[[Visit, MedicalRecord], Behaviour],
) -> VisitAnalysis:
    process = process_of(visit, record, mark, max_turns)
    if visit.setting == "one_step":
        everything = {e.id: 0 for e in record.auxiliary_examinations}
        process = process.model_copy(update={"examinations": everything, "missed_abnormal": ()})
    return VisitAnalysis(
        visit_key=visit.key,
        record_id=visit.record_id,
        doctor=visit.doctor,
        setting=visit.setting,
        process=process,
        behaviour=settled(visit, record) if visit.setting == "interaction" else None,
        error=error_of(mark, record, process) if mark is not None else None,
        harm=harm_flags(visit, record),
    )


def _conduct(
    doctor: str,
    setting: Setting,
    own: Sequence[VisitAnalysis],
    marks: Mapping[str, Mark],
    seed: int,
) -> Conduct:
    scores = {
        one.visit_key: grade_score(letter)
        for one in own
        if (mark := marks.get(one.visit_key)) is not None
        and (grade := mark.grades.get("diagnosis")) is not None
        and (letter := grade.grade) is not None
    }
    kinds = Counter(kind for one in own for kind in {flag.kind for flag in one.harm})
    plans = [[f for f in one.harm if not f.kind.startswith("red_flag")] for one in own]
    interaction = setting == "interaction"
    observed = [
        (scores[one.visit_key], symptoms, results)
        for one in own
        if one.visit_key in scores
        and (symptoms := one.process.present_illness) is not None
        and (results := one.process.results) is not None
    ]
    behaved = [one.behaviour for one in own if one.behaviour is not None]
    return Conduct(
        doctor=doctor,
        setting=setting,
        visits=len(own),
        process=_process_means(own, marks) if interaction else None,
        behaviour=_behaviour_means(behaved) if interaction else None,
        errors=dict(sorted(Counter(o.error.type for o in own if o.error).items())),
        graded=len(scores),
        regression=regress(observed, seed=seed) if interaction else None,
        harm=dict(sorted(kinds.items())),
        harmed=sum(map(bool, plans)),
    )


def _process_means(own: Sequence[VisitAnalysis], marks: Mapping[str, Mark]) -> ProcessMeans:
    ways = [one.process for one in own]
    marked = [one.process.closed_early for one in own if one.visit_key in marks]
    return ProcessMeans(
        visits=len(own),
        turns=fmean(p.turns for p in ways),
        questions=fmean(p.questions for p in ways),
        redundant=fmean(p.redundant for p in ways),
        unrecorded=fmean(p.unrecorded for p in ways),
        present_illness=_mean(p.present_illness for p in ways),
        other_history=_mean(p.other_history for p in ways),
        signs=_mean(p.signs for p in ways),
        results=_mean(p.results for p in ways),
        closed_early=_mean(float(closed) for closed in marked),
    )


def _behaviour_means(own: Sequence[Behaviour]) -> BehaviourMeans:
    pairs = [pair for one in own for pair in one.pairs]
    requests = [request for one in own for request in one.requests]
    verdicts = [(p.relevant, p.honest) for p in pairs]
    return BehaviourMeans(
        pairs=len(pairs),
        relevance=_mean(float(r) for r, _ in verdicts if r is not None),
        honesty=_mean(float(h) for _, h in verdicts if h is not None),
        requests=len(requests),
        accuracy=_mean(float(r.accurate) for r in requests if r.accurate is not None),
        consistency=_mean((o.consistency - 1) / 2 for o in own if o.consistency is not None),
        open=sum(r is None for r, _ in verdicts)
        + sum(h is None for _, h in verdicts)
        + sum(r.accurate is None for r in requests),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None
