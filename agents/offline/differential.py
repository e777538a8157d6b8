"""A ranking of diseases by what was heard and found, for doctors without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from agents.offline.case_notes import CaseNotes
from agents.offline.heard_result import Direction, HeardResult
from records.knowledge import Disease, KnownExamination, KnownSymptom
from records.medical_record import Language
from records.visit import Candidate

_FREQUENCY = {"common": 1.0, "frequent": 0.6, "occasional": 0.3}
_DENIED = 0.5
"""Share of a symptom's weight that its denial costs."""
_RESULT = 2.0
"""A result that is as expected, against a common symptom of the same rarity."""
_NORMAL_SHARE = 0.3
"""Of that weight, what an expected normal result has: it fits too many diseases to prove one."""
_MISSED = 0.5
"""An examination that did not show what was expected, as a share of its weight."""
_NOTHING_FOUND = ("normal", "negative", "no", "clear")
"""How an expectation of nothing begins."""
_NEAR = 0.3
"""Of the best score: what still has to be told from it."""
_UNREMARKABLE: frozenset[Direction] = frozenset({"normal", "negative"})


@dataclass(frozen=True)
class Ranked:
    """A disease with what speaks for it."""

    disease: Disease
    score: float
    symptoms: tuple[KnownSymptom, ...]
    """Said by the patient."""
    results: tuple[tuple[KnownExamination, HeardResult], ...]
    """Results as expected."""

    def candidate(self, language: Language) -> Candidate:
        """The line of a trace."""
        return Candidate(
            name=self.disease.name(language), icd10=self.disease.icd10, score=round(self.score, 4)
        )


@dataclass(frozen=True)
class Weighed:
    """A disease with what its symptoms and results weigh among the diseases known."""

    disease: Disease
    symptoms: tuple[tuple[KnownSymptom, float], ...]
    examinations: tuple[tuple[KnownExamination, float], ...]
    scale: float
    """The root of the sum of all these weights."""


def weigh(knowledge: Sequence[Disease]) -> tuple[Weighed, ...]:
    """The weights of all that is known, in the order of the knowledge.

    A symptom weighs by how often the disease has it and by how few others do; a result as expected
    weighs double.
    """
    symptom_weight = _rarity([s.en for d in knowledge for s in d.symptoms], len(knowledge))
    result_weight = _result_weights(knowledge)
    weighed = []
    for disease in knowledge:
        symptoms = tuple(
            (s, _FREQUENCY[s.frequency] * symptom_weight[s.en]) for s in disease.symptoms
        )
        examinations = tuple((e, result_weight[e]) for e in disease.examinations)
        reachable = 0.0
        for _, weight in (*symptoms, *examinations):
            reachable += weight
        weighed.append(Weighed(disease, symptoms, examinations, sqrt(reachable)))
    return tuple(weighed)


def rank(notes: CaseNotes, knowledge: Sequence[Weighed]) -> tuple[Ranked, ...]:
    """All diseases, best first; equal scores keep the order of the knowledge.

    The sum is divided by the root of what the disease could reach, so that a disease with a long
    list is not preferred for its length.
    """
    ranked = []
    for weighed in knowledge:
        score = 0.0
        symptoms: list[KnownSymptom] = []
        results: list[tuple[KnownExamination, HeardResult]] = []
        for symptom, weight in weighed.symptoms:
            said = notes.said(symptom)
            if said:
                score += weight
                symptoms.append(symptom)
            elif said is False:
                score -= _DENIED * weight
        for known, weight in weighed.examinations:
            found = notes.shows(known)
            if found:
                score += weight
                results.append((known, found))
            elif found is False:
                score -= _MISSED * weight
        ranked.append(
            Ranked(
                weighed.disease,
                score / weighed.scale if weighed.scale else 0.0,
                tuple(symptoms),
                tuple(results),
            )
        )
    return tuple(sorted(ranked, key=lambda r: -r.score))


def conclude(ranked: Sequence[Ranked], most: int = 3) -> tuple[Ranked, ...]:
    """The best disease, and those after it that explain a finding which no chosen one explains.

    A normal result is no finding that wants explaining. Empty if nothing speaks for any disease.
    """
    chosen: list[Ranked] = []
    for one in ranked:
        if one.score <= 0 or len(chosen) == most:
            break
        explained = {r for c in chosen for _, r in c.results}
        new = {r for _, r in one.results if r.directions.isdisjoint(_UNREMARKABLE)} - explained
        if not chosen or (new and one.score >= chosen[0].score / 2):
            chosen.append(one)
    return tuple(chosen)


def runners_up(
    ranked: Sequence[Ranked], chosen: Sequence[Ranked], most: int = 2
) -> tuple[Disease, ...]:
    """The best diseases that were not chosen though a good deal speaks for them."""
    if not chosen:
        return ()
    near = [r for r in ranked if r.score >= _NEAR * chosen[0].score and r not in chosen]
    return tuple(r.disease for r in near[:most])


def _result_weights(knowledge: Sequence[Disease]) -> dict[KnownExamination, float]:
    known = [e for d in knowledge for e in d.examinations]
    rarity = _rarity([f"{e.en}={e.expected_en}" for e in known], len(knowledge))
    nothing = {e: all(w[0] in _NOTHING_FOUND for w in e.expected("en")) for e in known}
    return {
        e: _RESULT * rarity[f"{e.en}={e.expected_en}"] * (_NORMAL_SHARE if nothing[e] else 1.0)
        for e in known
    }


def _rarity(names: Sequence[str], total: int) -> dict[str, float]:
    """0 for what every disease has, 1 for what one alone has."""
    counts = Counter(names)
    return {n: log((total + 1) / k) / log(total + 1) for n, k in counts.items()}
