"""The moderating Chief Physician without a model: compares what reports claim, by fixed rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from agents.moderation import MOST_POINTS, MOST_QUESTIONS, Question, Ruling, Verdict
from agents.offline.claims import (
    contradicted_results,
    contradicted_symptoms,
    result_claims,
    symptom_claims,
)
from agents.offline.joint_report import Vote, count_votes, joint_report
from agents.offline.merged_facts import merge_facts
from records.conference import Contradiction, Facts
from records.diseases.disease_overlap import Linker
from records.diseases.icd10 import default_terminology
from records.medical_record import Language
from records.visit import Report

_ASK_PATIENT = {"zh": "请问您有没有{name}？", "en": "Do you have {name}, or have you had it?"}
_ASK_KIN = {"zh": "您家里人有没有{name}？", "en": "Does anyone in your family have {name}?"}
_ASK_EXAMINER = {"zh": "请报告{name}的结果。", "en": "Please report the result of: {name}."}
_DISPUTE = {
    "zh": "{name}（{code}）：{yes}支持，{no}未提出",
    "en": "{name} ({code}): held by {yes}, not by {no}",
}
_DOCTOR = {"zh": "第{}位医生", "en": "doctor {}"}
_UNLINKED = {"zh": "未对应ICD-10", "en": "not linked"}
_SEPARATOR = {"zh": "、", "en": ", "}


class RubricModerator:
    """A `Moderator` that gives the same answer to the same reports.

    - *Contradictions*: a symptom, illness or medicine that one report affirms and another denies;
      an examination whose number, direction or finding differs. Patients are asked about the
      former, the examiner about the latter. Questions on the present come first.
    - *Merged facts*: every sentence and result once; the answers take the place of what they
      settle.
    - *Disputes*: diseases that not all reports diagnose, by ICD-10 category; the weightiest are
      those that stand first in a list, then those with more votes. Agreement is when all diagnose
      the same categories.
    - *Final report*: what more than half diagnose, else what has the most votes.

    Args:
        language: of the conference.
        terminology: links disease names; the default one if None.
    """

    def __init__(self, language: Language, terminology: Linker | None = None) -> None:
        self._language: Language = language
        self._linker: Linker = terminology or default_terminology()

    async def find_contradictions(self, reports: Sequence[Report]) -> Ruling[tuple[Question, ...]]:
        """See `Moderator`."""
        language = self._language
        questions = []
        symptoms = [symptom_claims(report.symptoms, language) for report in reports]
        for claim, sides in contradicted_symptoms(symptoms):
            words = (_ASK_KIN if claim.kin else _ASK_PATIENT)[language]
            claims = {i: side.sentence for i, side in sides.items()}
            questions.append(self._question("patient", words, claim.name, claims))
        results = [result_claims(report.examinations, language) for report in reports]
        for result, told in contradicted_results(results):
            lines = {i: "; ".join(side.lines) for i, side in told.items()}
            questions.append(
                self._question("examiner", _ASK_EXAMINER[language], result.name, lines)
            )
        return Ruling(tuple(questions[:MOST_QUESTIONS]))

    async def merge_facts(
        self, reports: Sequence[Report], answers: Sequence[Contradiction]
    ) -> Ruling[Facts]:
        """See `Moderator`."""
        return Ruling(merge_facts(reports, answers, self._language))

    async def find_disputes(self, reports: Sequence[Report]) -> Ruling[Verdict]:
        """See `Moderator`."""
        votes = count_votes(reports, self._language, self._linker)
        disputed = [vote for vote in votes if len(vote.voters) < len(reports)]
        disputed.sort(key=lambda vote: (min(vote.places) > 0, vote.rank))
        points = tuple(self._point(vote, len(reports)) for vote in disputed[:MOST_POINTS])
        return Ruling(Verdict(agreement=not points, points=points))

    async def conclude(self, reports: Sequence[Report], facts: Facts | None) -> Ruling[str]:
        """See `Moderator`."""
        return Ruling(joint_report(reports, self._language, self._linker, facts))

    def _question(
        self,
        to: Literal["patient", "examiner"],
        words: str,
        name: str,
        claims: Mapping[int, str],
    ) -> Question:
        return Question(to, words.format(name=name), dict(sorted(claims.items())))

    def _point(self, vote: Vote, doctors: int) -> str:
        language = self._language
        separator = _SEPARATOR[language]

        def listed(who: Sequence[int]) -> str:
            return separator.join(_DOCTOR[language].format(i + 1) for i in who)

        return _DISPUTE[language].format(
            name=vote.disease.name,
            code=vote.disease.icd10 or _UNLINKED[language],
            yes=listed(vote.voters),
            no=listed([i for i in range(doctors) if i not in vote.voters]),
        )
