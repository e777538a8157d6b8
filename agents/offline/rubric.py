"""The rubric Chief Physician: marks a report by fixed rules, without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.npc import Opinion
from agents.offline.rubric_words import sentence_of, shortened, unscored_reason, word
from records.content_overlap import content_recall, content_units
from records.diseases.disease_overlap import (
    Linker,
    normal_name,
    overlap,
    predicted_links,
    reference_links,
    same_code,
)
from records.diseases.icd10 import default_terminology
from records.examinations.requests import stated_examinations
from records.facts.lexicon import load_lexicon
from records.facts.matching import stated_findings
from records.mark import DIMENSIONS, DiseaseLink, Grade, Letter
from records.medical_record import Diagnosis, Examination, Finding, Language, MedicalRecord
from records.views import MarkingView
from records.visit import Report

_CUTS: dict[str, tuple[float, float, float]] = {
    "symptoms": (0.75, 0.50, 0.20),
    "examinations": (0.75, 0.45, 0.15),
    "diagnosis": (0.80, 0.40, 0.10),
    "rationale": (0.65, 0.35, 0.15),
    "treatment": (0.28, 0.12, 0.06),
}
_LETTERS: tuple[Letter, ...] = ("A", "B", "C", "D")

_LESSER_SHARE = 0.1
_CIRCUMSTANCE = 0.25
_CREDIT = {"code": 1.0, "name": 1.0, "category": 0.65, "near": 0.45}
_ROLE_WEIGHT = {"primary": 0.5, "comorbidity": 0.4, "complication": 0.4, "history": 0.2}
_OUT_OF_REACH = 0.3
_ALLOWED_AT_LEAST = 3
_FEWEST_FACTS = 3
_QUALIFIERS = content_units(
    "acute chronic disease disorder left right severe syndrome", "en"
) | content_units("急性 慢性 综合征 双侧 左侧 右侧", "zh")


class RubricChiefPhysician:
    """A judge that needs no model, and gives equal reports equal marks.

    Each dimension has a score of 0 to 1. The least scores for A, B and C are in brackets; what is
    below is D.

    - *symptoms* (0.75, 0.50, 0.20): share of the positive findings of the chief complaint (which
      weigh double) and the present illness that the report's part states; a clause that names no
      symptom or illness ("was sent here by a clinic") weighs a quarter. A complaint that the
      present illness tells once more counts once. The recorded negatives of both sections make up
      10% of the score.
    - *examinations* (0.75, 0.45, 0.15): share of the auxiliary results stated, abnormal ones
      weighing double; physical signs make up 10% of the score, abnormal ones again double.
    - *diagnosis* (0.80, 0.40, 0.10): weighted share of the reference diagnoses hit. A hit by the
      whole code or the name counts 1, by the ICD-10 category 0.65; a name that shares most of its
      content counts 0.45. The first primary diagnosis weighs 1, other primary ones 0.5,
      comorbidities and complications 0.4, history 0.2; a diagnosis that was known before the visit
      or that nothing on record leads to weighs three tenths of that. A list of more than twice as
      many diseases as the reference has (three are always allowed) loses in proportion.
    - *rationale* (0.65, 0.35, 0.15): share of the reference's content that the report's part has
      and, where the reference uses at least three facts of the record, the share of those stated,
      half and half.
    - *treatment* (0.28, 0.12, 0.06): share of the reference's content that the report's part has.
      The reference is the course of a hospital stay, which no plan foretells in full: hence the low
      bar. For scale: on 502 published pairs of a one-step report and its reference the median is
      0.12, on reports paired with other patients' references 0.04.

    Rationale and treatment follow the diagnosis (AI Hospital, section 3.3): graded C, it keeps them
    at B or below; graded D, it leaves C where they had been A or B, else D. A part that the report
    lacks is D; a dimension that the record has no reference for is unscored.
    """

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
        scores = {
            "symptoms": _score_symptoms(report.symptoms, record),
            "examinations": _score_examinations(report.examinations, record),
            "diagnosis": _score_diagnosis(report.diagnosis, record, linker),
            "rationale": _score_rationale(report.rationale, record),
            "treatment": _score_treatment(report.treatment, record),
        }
        grades = {d: _grade(d, scores[d], getattr(report, d), record.language) for d in DIMENSIONS}
        for follower in ("rationale", "treatment"):
            grades[follower] = _follow(grades[follower], grades["diagnosis"], record.language)
        return Opinion(grades=grades)


@dataclass(frozen=True)
class _Score:
    """A dimension's score, 0 to 1, and what was found."""

    value: float
    analysis: str


def _grade(dimension: str, score: _Score | None, part: str, language: Language) -> Grade:
    if score is None:
        return Grade(grade=None, reason=unscored_reason(language, dimension))
    if not part.strip():
        return Grade(grade="D", analysis=word(language, "missing"))
    # Sums of weights that reach a cut exactly must not miss it by a rounding error.
    value = round(score.value, 6)
    cuts = _CUTS[dimension]
    letter = _LETTERS[sum(value < cut for cut in cuts)]
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
        after = "C" if grade.grade in ("A", "B") else "D"
    if after == grade.grade:
        return grade
    pulled = word(language, "pulled", diagnosis=diagnosis.grade, before=grade.grade, after=after)
    return Grade(grade=after, analysis=grade.analysis + pulled)


def _score_symptoms(text: str, record: MedicalRecord) -> _Score | None:
    language = record.language
    told = [
        f for f in record.findings if f.section in ("chief_complaint", "history_of_present_illness")
    ]
    again = _told_again(told, language)
    once = [f for f in told if f.id not in again]
    positive = {
        f.id: (_finding_name(f, language), _finding_weight(f, language)) for f in once if f.present
    }
    negative = {f.id: (_finding_name(f, language), 1.0) for f in once if not f.present}
    if not positive:
        return None
    stated = [again.get(i, i) for i in stated_findings(text, told, language)]
    return _covered(("findings", positive), ("negatives", negative), stated, language)


def _told_again(findings: Sequence[Finding], language: Language) -> dict[str, str]:
    """By a fact of the present illness that is a complaint once more: that complaint's id."""
    lexicon = load_lexicon()

    def meaning(finding: Finding) -> tuple[bool, frozenset[str]]:
        concepts = frozenset(
            concept.id
            for mention in lexicon.mentions(finding.symptom, language)
            for concept in mention.concepts
        )
        return finding.present, concepts or frozenset((normal_name(finding.symptom),))

    complaints: dict[tuple[bool, frozenset[str]], str] = {}
    for finding in findings:
        if finding.section == "chief_complaint":
            complaints.setdefault(meaning(finding), finding.id)
    again: dict[str, str] = {}
    for finding in findings:
        if finding.section == "history_of_present_illness":
            # Only the first: a later one tells of another time, another course.
            complaint = complaints.pop(meaning(finding), None)
            if complaint is not None:
                again[finding.id] = complaint
    return again


def _finding_weight(finding: Finding, language: Language) -> float:
    mentions = load_lexicon().mentions(finding.text, language)
    named = any(c.kind in ("symptom", "condition") for m in mentions for c in m.concepts)
    weight = 1.0 if named else _CIRCUMSTANCE
    return 2 * weight if finding.section == "chief_complaint" else weight


def _score_examinations(text: str, record: MedicalRecord) -> _Score | None:
    if not record.auxiliary_examinations:
        return None
    results = _weighed_examinations(record.auxiliary_examinations)
    signs = _weighed_examinations(record.physical_examination)
    every = record.auxiliary_examinations + record.physical_examination
    stated = stated_examinations(text, every, record.language)
    return _covered(("results", results), ("signs", signs), stated, record.language)


def _finding_name(finding: Finding, language: Language) -> str:
    space = " " if language == "en" else ""
    absent = "" if finding.present else word(language, "no") + space
    return f"{finding.id} {absent}{shortened(finding.symptom)}"


def _weighed_examinations(
    examinations: Sequence[Examination],
) -> dict[str, tuple[str, float]]:
    return {e.id: (f"{e.id} {shortened(e.name)}", 2.0 if e.abnormal else 1.0) for e in examinations}


_Weighed = Mapping[str, tuple[str, float]]
"""By id: how the analysis names it, and its weight."""


def _covered(
    main: tuple[str, _Weighed], lesser: tuple[str, _Weighed], stated: Sequence[str], lang: Language
) -> _Score:
    """The weighted share of what was stated; the lesser group has a small fixed share if it is."""
    what, items = main
    there = set(stated)
    analysis = word(
        lang, "covered", what=word(lang, what), n=len(there & set(items)), of=len(items)
    )
    analysis += sentence_of(lang, "named", [name for i, (name, _) in items.items() if i in there])
    analysis += sentence_of(
        lang, "missed", [name for i, (name, _) in items.items() if i not in there]
    )
    value = _weighted_share(items, there)
    what, items = lesser
    if items:
        value = (1 - _LESSER_SHARE) * value + _LESSER_SHARE * _weighted_share(items, there)
        analysis += word(
            lang, "covered", what=word(lang, what), n=len(there & set(items)), of=len(items)
        )
    return _Score(value, analysis)


def _weighted_share(items: _Weighed, there: set[str]) -> float:
    return sum(w for i, (_, w) in items.items() if i in there) / sum(w for _, w in items.values())


def _score_diagnosis(text: str, record: MedicalRecord, linker: Linker) -> _Score:
    language = record.language
    predicted = predicted_links(text, language, linker)
    reference = reference_links(record, linker)
    found = _hits(predicted, reference, language)
    weights = _diagnosis_weights(record.diagnoses)
    value = sum(weights[j] * _CREDIT[how] for j, (_, how) in found.items()) / sum(weights)
    named, missed = [], []
    for j, diagnosis in enumerate(record.diagnoses):
        label = f"{diagnosis.id} {shortened(diagnosis.name)}"
        if j in found:
            i, how = found[j]
            named.append(f"{label} = {shortened(predicted[i].name)} ({word(language, how)})")
        else:
            missed.append(label)
    extra = [
        shortened(guess.name)
        for i, guess in enumerate(predicted)
        if i not in {i for i, _ in found.values()}
    ]
    analysis = word(
        language,
        "covered",
        what=word(language, "diagnoses"),
        n=len(named),
        of=len(record.diagnoses),
    )
    analysis += sentence_of(language, "named", named)
    analysis += sentence_of(language, "missed", missed)
    analysis += sentence_of(language, "extra", extra)
    allowed = max(_ALLOWED_AT_LEAST, 2 * len(reference))
    if len(predicted) > allowed:
        value *= allowed / len(predicted)
        analysis += word(language, "too_many", n=len(predicted), allowed=allowed)
    return _Score(value, analysis)


def _hits(
    predicted: Sequence[DiseaseLink], reference: Sequence[DiseaseLink], language: Language
) -> dict[int, tuple[int, str]]:
    """By reference: the prediction that hits it, and how; near names only where nothing hits."""
    found: dict[int, tuple[int, str]] = {}
    for i, j in overlap(predicted, reference):
        if same_code(predicted[i], reference[j]):
            found[j] = (i, "code")
        elif None in (predicted[i].icd10, reference[j].icd10):
            found[j] = (i, "name")
        else:
            found[j] = (i, "category")
    used = {i for i, _ in found.values()}
    for j, truth in enumerate(reference):
        if j in found:
            continue
        for i, guess in enumerate(predicted):
            if i not in used and _near(guess.name, truth.name, language):
                # One name may have two codes where the record's own depends on its other diagnoses.
                same = normal_name(guess.name) == normal_name(truth.name)
                found[j] = (i, "name" if same else "near")
                used.add(i)
                break
    return found


def _near(one: str, other: str, language: Language) -> bool:
    """True if the names share more than half of the shorter one's content."""
    a = content_units(one, language) - _QUALIFIERS
    b = content_units(other, language) - _QUALIFIERS
    return bool(a and b) and 2 * len(a & b) > min(len(a), len(b))


def _diagnosis_weights(diagnoses: Sequence[Diagnosis]) -> list[float]:
    primary = next((j for j, d in enumerate(diagnoses) if d.role == "primary"), 0)
    return [
        (1.0 if j == primary else _ROLE_WEIGHT[d.role])
        * (_OUT_OF_REACH if d.reach in ("known_history", "unreachable") else 1.0)
        for j, d in enumerate(diagnoses)
    ]


def _score_rationale(text: str, record: MedicalRecord) -> _Score | None:
    score = _score_content(text, record.rationale, record.language)
    if score is None or record.rationale is None:
        return None
    language = record.language
    examinations = record.auxiliary_examinations + record.physical_examination
    # The persona tells the complaint a second time, in the patient's words.
    findings = [f for f in record.findings if f.section != "persona"]
    again = _told_again(findings, language)
    facts: dict[str, tuple[str, float]] = {}
    for finding in findings:
        if finding.id not in again:
            facts[finding.id] = (_finding_name(finding, language), 1.0)
    for examination in examinations:
        facts[examination.id] = (f"{examination.id} {shortened(examination.name)}", 1.0)

    def uses(words: str) -> set[str]:
        return {
            *(again.get(i, i) for i in stated_findings(words, findings, language)),
            *stated_examinations(words, examinations, language),
        }

    used = uses(record.rationale)
    facts = {i: fact for i, fact in facts.items() if i in used}
    if len(facts) < _FEWEST_FACTS:
        return score
    covered = _covered(("facts", facts), ("facts", {}), sorted(uses(text)), language)
    return _Score((covered.value + score.value) / 2, covered.analysis + score.analysis)


def _score_treatment(text: str, record: MedicalRecord) -> _Score | None:
    return _score_content(text, record.treatment, record.language)


def _score_content(text: str, reference: str | None, language: Language) -> _Score | None:
    recall = content_recall(reference or "", text, language)
    if recall is None:
        return None
    return _Score(recall, word(language, "content", percent=round(100 * recall)))
