"""What the offline differential makes of a visit so far: hints, and when it was within reach."""

from __future__ import annotations

from collections.abc import Sequence

from agents.offline.case_notes import CaseNotes
from agents.offline.differential import Ranked, Weighed, rank, weigh
from records.diseases.icd10 import same_category
from records.knowledge import load_knowledge
from records.medical_record import Language, MedicalRecord
from records.visit import EXAMINER, PATIENT, Message

_THOUGHT_OF = 5
"""Diseases that a hint looks at."""
_NAMED = 3
"""How many things a hint names."""


class Insight:
    """Reads along. It knows the disease knowledge and what was said, nothing of any record."""

    def __init__(self, language: Language) -> None:
        self._language: Language = language
        self._weighed: tuple[Weighed, ...] = weigh(load_knowledge())

    def hint(self, messages: Sequence[Message]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What would tell the likeliest diseases apart: symptoms to ask for, examinations."""
        notes, ranked = self._read(messages)
        likely = [one for one in ranked[:_THOUGHT_OF] if one.score > 0]
        ask = [
            symptom.name(self._language)
            for one in likely
            for symptom in one.disease.symptoms
            if notes.said(symptom) is None
        ]
        examine = [
            known.name(self._language)
            for one in likely
            for known in one.disease.examinations
            if notes.shows(known) is None
        ]
        return _first(ask), _first(examine)

    def within_reach(self, record: MedicalRecord, messages: Sequence[Message]) -> int | None:
        """The first turn from which on the best disease was always the record's first diagnosis.

        None if it was not so in the end.
        """
        code = record.diagnoses[0].icd10
        since: int | None = None
        for turn in sorted({m.turn for m in messages}):
            _, ranked = self._read([m for m in messages if m.turn <= turn])
            best = ranked[0]
            right = best.score > 0 and same_category(best.disease.icd10, code)
            since = (turn if since is None else since) if right else None
        return since

    def _read(self, messages: Sequence[Message]) -> tuple[CaseNotes, tuple[Ranked, ...]]:
        notes = CaseNotes(self._language)
        for message in messages:
            if message.role == PATIENT:
                notes.hear(message.text)
            elif message.role == EXAMINER:
                notes.receive(message.text)
        return notes, rank(notes, self._weighed)


def _first(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:_NAMED]
