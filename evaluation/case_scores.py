"""What each case of one doctor in one setting brings to its scores.

Trials of a case are averaged first, so that a case counts once however often it was tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from evaluation.chosen_marks import ChosenMarks
from evaluation.preset import Matching, fingerprint, has_literal_headings
from evaluation.statistics import Part, grade_score
from records.diseases.disease_overlap import same_code
from records.ledger import RunConfig
from records.mark import Convention, DiseaseScores, Letter, Mark
from records.medical_record import MedicalRecord, Paper
from records.visit import Ending, Visit

PASSING: frozenset[Letter] = frozenset({"A", "B"})
"""Grades of the diagnosis with which a trial has succeeded."""
_UNFAIR = frozenset({"known_history", "unreachable"})
"""Reference diagnoses that the headline leaves out: told by the patient, or told by nothing."""

Held = tuple[Visit, Mark]
Key = TypeVar("Key")
"""What names a case: its record's id, or more where several runs are read."""


class Counting(Paper):
    """How marks are counted."""

    convention: Convention = "strict"
    """`strict`: an unscored grade is left out of the mean, and references that the patient tells of
    or nothing on record leads to are left out of the disease scores. `published`: an unscored grade
    counts as D, and every reference counts."""
    matching: Matching = "code"
    """`code`: equal ICD-10 categories, equal codes beside; `published`: shared candidate names."""
    literal_headings: bool = False
    """True: only reports for which `has_literal_headings` holds count in the disease scores."""

    def fingerprint(self, config: RunConfig, chosen: ChosenMarks, **others: object) -> str:
        """Of a table of these marks so counted; `others` is what else it depends on."""
        return fingerprint(
            config,
            judge=chosen.judge,
            convention=self.convention,
            matching=self.matching,
            terminology=chosen.terminology,
            extraction=chosen.extraction,
            literal_headings=self.literal_headings,
            judge_words=chosen.words,
            judge_version=chosen.version,
            **others,
        )


def by_case(visits: Iterable[Visit], marks: Mapping[str, Mark]) -> dict[str, list[Held]]:
    """The marked visits of each case; cases in the order of their ids."""
    cases: dict[str, list[Held]] = {}
    for visit in sorted(visits, key=lambda v: (v.record_id, v.trial, v.key)):
        if visit.key in marks:
            cases.setdefault(visit.record_id, []).append((visit, marks[visit.key]))
    return cases


def grade_scores(dimension: str, mark: Mark, convention: Convention) -> list[float]:
    """The score of one dimension, 0 to 100; empty where it does not count."""
    grade = mark.grades.get(dimension)
    if grade is None:
        return []
    if grade.grade is None:
        return [grade_score("D")] if convention == "published" else []
    return [grade_score(grade.grade)]


def grade_parts(
    dimension: str, cases: Mapping[Key, Sequence[Held]], counting: Counting
) -> dict[Key, Part]:
    """By case: the mean of its trials, where any has a grade."""
    parts = {}
    for case, trials in cases.items():
        scores = [s for _, m in trials for s in grade_scores(dimension, m, counting.convention)]
        if scores:
            parts[case] = Part(fmean(scores))
    return parts


@dataclass(frozen=True)
class CaseCounts:
    """Diseases of one case, the mean of its trials."""

    predicted: float
    reference: float
    hits: float

    def part(self, measure: str) -> Part:
        """What the case brings to `recall`, `precision` or `f1`, in percent."""
        if measure == "recall":
            return Part(100 * self.hits, self.reference)
        if measure == "precision":
            return Part(100 * self.hits, self.predicted)
        return Part(200 * self.hits, self.predicted + self.reference)


def disease_counts(
    cases: Mapping[Key, Sequence[Held]],
    records: Mapping[Key, MedicalRecord],
    counting: Counting,
    *,
    all_references: bool = False,
    whole_codes: bool = False,
    silence_is_wrong: bool = False,
) -> dict[Key, CaseCounts]:
    """Count the diseases of each case.

    Args:
        cases: the marked trials.
        records: by case; where a mark does not know how a reference can be reached, they do.
        counting: which matching, and which reports and references count.
        all_references: count every reference, whatever the convention.
        whole_codes: only pairs of equal whole codes are hits (matching `code` alone).
        silence_is_wrong: an answer without a disease counts as one wrong disease.

    Raises:
        ValueError: the matching is `published` and a mark was made without it.
    """
    fair = counting.convention == "strict" and not all_references
    counts = {}
    for case, trials in cases.items():
        scores = [
            _scores(mark, counting)
            for visit, mark in trials
            if not counting.literal_headings or has_literal_headings(visit.report)
        ]
        counted = [
            (predicted or int(silence_is_wrong and not s.predicted), reference, hits)
            for s in scores
            for predicted, reference, hits in [
                counts_of(s, records.get(case), fair=fair, whole_codes=whole_codes)
            ]
        ]
        if counted:
            counts[case] = CaseCounts(
                *(fmean(column) for column in zip(*counted, strict=True)),
            )
    return counts


def _scores(mark: Mark, counting: Counting) -> DiseaseScores:
    if counting.matching == "code":
        return mark.diseases
    if mark.diseases_published is None:
        raise ValueError(
            f"visit {mark.visit_key} was marked without published matching; mark the run again"
            " with it ('hospital mark --help'), or choose --matching code"
        )
    return mark.diseases_published


def counts_of(
    scores: DiseaseScores,
    record: MedicalRecord | None,
    *,
    fair: bool = True,
    whole_codes: bool = False,
) -> tuple[int, int, int]:
    """How many diseases one answer predicted, had to find, and hit.

    Args:
        scores: of the answer.
        record: its case.
        fair: leave out what `left_out` does, and the predictions that hit it.
        whole_codes: only pairs of equal whole codes are hits.
    """
    out = left_out(scores, record) if fair else frozenset()
    kept = [(i, j) for i, j in scores.hits if j not in out]
    spent = len(scores.hits) - len(kept)
    if whole_codes:
        kept = [(i, j) for i, j in kept if same_code(scores.predicted[i], scores.reference[j])]
    return len(scores.predicted) - spent, len(scores.reference) - len(out), len(kept)


def left_out(scores: DiseaseScores, record: MedicalRecord | None) -> frozenset[int]:
    """Places of the references that the headline leaves out."""
    known = record.diagnoses if record is not None else ()
    # The references are the record's diagnoses in its order, unless its reading has changed since.
    recorded = [d.reach for d in known] if len(known) == len(scores.reference) else []
    return frozenset(
        j
        for j, link in enumerate(scores.reference)
        if (link.reach or (recorded[j] if recorded else None)) in _UNFAIR
    )


def succeeded(mark: Mark) -> bool:
    """True if the diagnosis is graded A or B."""
    grade = mark.grades.get("diagnosis")
    return grade is not None and grade.grade in PASSING


def silent(visit: Visit, mark: Mark | None) -> bool:
    """True if a visit has no gradable answer: refused, failed, empty, unmarked or unscored."""
    if mark is None or visit.ending in (Ending.DOCTOR_DECLINED, Ending.DOCTOR_FAILED):
        return True
    grade = mark.grades.get("diagnosis")
    if grade is None or grade.grade is None:
        return True
    said = visit.report is not None and visit.report.diagnosis.strip()
    return not mark.diseases.predicted and not said
