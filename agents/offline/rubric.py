"""The rubric Chief Physician: marks a report by fixed rules, without a model."""

from __future__ import annotations

import re

from agents.npc import Opinion
from agents.offline.rubric_diagnosis import score_diagnosis
from agents.offline.rubric_reasons import score_rationale, score_treatment
from agents.offline.rubric_score import Score, score_examinations, score_symptoms
from agents.offline.rubric_words import unscored_reason, word
from records.diseases.disease_overlap import Linker
from records.diseases.icd10 import default_terminology
from records.mark import DIMENSIONS, Grade, Letter
from records.medical_record import Language
from records.views import MarkingView
from records.visit import Report

_CUTS: dict[str, tuple[float, float, float]] = {
    "symptoms": (0.75, 0.50, 0.20),
    "examinations": (0.75, 0.45, 0.15),
    "diagnosis": (0.75, 0.38, 0.14),
    "rationale": (0.74, 0.38, 0.20),
    "treatment": (0.40, 0.17, 0.11),
}
_MARKUP = re.compile(r"(?m)^[ \t]*(?:[-*•][ \t]+|#{1,6}[ \t]*|>[ \t]+)|\*\*|__|`")
_LETTERS: tuple[Letter, ...] = ("A", "B", "C", "D")


class RubricChiefPhysician:
    """A judge that needs no model, and gives equal reports equal marks.

    Each dimension has a score of 0 to 1. The least scores for A, B and C are in brackets; what is
    below is D.

    - *symptoms* (0.75, 0.50, 0.20): share of the positive findings of the chief complaint (which
      weigh double) and the present illness that the report's part states; a clause that names no
      symptom or illness ("was sent here by a clinic") weighs a quarter. A complaint that the
      present illness tells once more counts once. The recorded negatives of both sections make up
      10% of the score. A symptom that the record denies and the report affirms leaves B at best.
    - *examinations* (0.75, 0.45, 0.15): share of the auxiliary results stated, abnormal ones
      weighing double; physical signs make up 10% of the score, abnormal ones again double.
    - *diagnosis* (0.75, 0.38, 0.14): how much of what the names of the reference diagnoses say the
      report's diagnosis says too, words weighed by how few disease names have them ("acute" little,
      "appendicitis" much). Another name of the same disease counts 0.85 at least, the same ICD-10
      code by a ranked link 0.65, the same category 0.4; a name of which less than a quarter is
      said is not met. The first primary diagnosis, without which there is C at best, weighs 1,
      others 0.6, history 0.4; one that was known before the visit or that nothing on record leads
      to weighs three tenths of that. A fifth of the score is the share of what the report's
      diagnoses say that the reference says too. A list of more than twice as many diseases as the
      reference has (three are always allowed) loses in proportion.
    - *rationale* (0.74, 0.38, 0.20): half of it the share of the reference's content that the
      report's part has; a quarter the share of the record's facts that the reference uses (where it
      uses fewer than three, of the concepts it names); a quarter the score of the diagnosis.
    - *treatment* (0.40, 0.17, 0.11): eight tenths the share of the reference's content that the
      report's part has, a tenth the share of its kinds of treatment, a tenth the score of the
      diagnosis. The reference is the course of a hospital stay, which no plan foretells in full:
      hence the low bar. An order against an allergy on record is D.

    The bars of the last three were placed once, on GPT-4's 506 published judgements of one-step
    reports (AI Hospital): B's where the rubric gives about as many B or better as GPT-4 does, A's
    somewhat below that, where the two agreed best, and C's for the treatment likewise. GPT-4 gave
    next to no D to diagnosis and rationale: these bars of C come from reports paired with another
    patient's reference, of which 95 in 100 fall below. The weights, round numbers, were chosen by
    the same judgements. `tests/agents/measure_rubric.py` tells how far it holds on cases that the
    bars were not placed on.

    Rationale and treatment follow the diagnosis (AI Hospital, section 3.3): graded C, it keeps them
    at B or below; graded D, it leaves C where they had been A, else D. A part that the report
    lacks is D; a dimension that the record has no reference for is unscored.
    """

    version = 3
    """Of the rules: marks of different versions are not one judge's. 1 had other bars, and
    diagnoses by code alone; 2 took a letter of a result for the result."""

    def __init__(self, terminology: Linker | None = None) -> None:
        """Take a terminology; `default_terminology()` if None."""
        self._terminology = terminology

    @property
    def name(self) -> str:
        """What the marks are filed under."""
        return "rubric"

    async def judge(self, view: MarkingView, report: Report) -> Opinion:
        """Grade a report; nothing that a report says raises."""
        record = view.record
        linker = self._terminology if self._terminology is not None else default_terminology()
        report = report.model_copy(
            update={part: _plain(getattr(report, part)) for part in DIMENSIONS}
        )
        diagnosis = score_diagnosis(report.diagnosis, record, linker)
        scores = {
            "symptoms": score_symptoms(report.symptoms, record),
            "examinations": score_examinations(report.examinations, record),
            "diagnosis": diagnosis,
            "rationale": score_rationale(report.rationale, record, diagnosis.value),
            "treatment": score_treatment(report.treatment, record, diagnosis.value),
        }
        grades = {d: _grade(d, scores[d], getattr(report, d), record.language) for d in DIMENSIONS}
        for follower in ("rationale", "treatment"):
            grades[follower] = _follow(grades[follower], grades["diagnosis"], record.language)
        return Opinion(grades=grades)


def _plain(text: str) -> str:
    """A part without the marks of its layout, which hide where a sentence begins."""
    return _MARKUP.sub("", text)


def _grade(dimension: str, score: Score | None, part: str, language: Language) -> Grade:
    if score is None:
        return Grade(grade=None, reason=unscored_reason(language, dimension))
    if not part.strip():
        return Grade(grade="D", analysis=word(language, "missing"))
    # Sums of weights that reach a cut exactly must not miss it by a rounding error.
    value = round(score.value, 6)
    cuts = _CUTS[dimension]
    letter = _LETTERS[sum(value < cut for cut in cuts)]
    if score.ceiling is not None:
        letter = max(letter, score.ceiling)
    return Grade(
        grade=letter,
        analysis=score.analysis
        + word(
            language,
            "score",
            score=f"{score.value:.2f}",
            **{letter: f"{cut:.2f}" for letter, cut in zip("abc", cuts, strict=True)},
        ),
    )


def _follow(grade: Grade, diagnosis: Grade, language: Language) -> Grade:
    """Pull a grade down as far as the diagnosis's grade says."""
    if grade.grade is None or diagnosis.grade not in ("C", "D"):
        return grade
    after: Letter
    if diagnosis.grade == "C":
        after = "B" if grade.grade == "A" else grade.grade
    else:
        after = "C" if grade.grade == "A" else "D"
    if after == grade.grade:
        return grade
    pulled = word(language, "pulled", diagnosis=diagnosis.grade, before=grade.grade, after=after)
    return Grade(grade=after, analysis=grade.analysis + pulled)
