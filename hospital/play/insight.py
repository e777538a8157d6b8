"""What the offline differential makes of a visit so far: hints, and when it was within reach."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from agents.offline.case_notes import CaseNotes
from agents.offline.differential import Ranked, Weighed, rank, weigh
from hospital.play.plausible import plausible
from records.diseases.icd10 import same_category
from records.knowledge import load_knowledge
from records.medical_record import Demographics, Language, MedicalRecord
from records.visit import EXAMINER, PATIENT, Message

_THOUGHT_OF = 5
"""Diseases that a hint looks at."""
_SPEAK = 2
"""Findings that make a disease worth an examination."""
_NAMED = 3
"""How many things a hint names."""


class Insight:
    """Reads along. It knows the disease knowledge, who has come in, and what was said.

    Args:
        language: of the visit.
        person: as anyone sees it from the door; nothing else of a record is known here.
    """

    def __init__(self, language: Language, person: Demographics) -> None:
        self._language: Language = language
        known = [d for d in load_knowledge() if plausible(d.icd10, person)]
        self._weighed: tuple[Weighed, ...] = weigh(known)

    def hint(self, messages: Sequence[Message]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What would tell the likeliest diseases apart: symptoms to ask for, examinations."""
        notes, ranked = self._read(messages)
        likely = [one for one in ranked[:_THOUGHT_OF] if one.score > 0]
        # Where several findings speak for some, one finding alone is no reason for others.
        told = [one for one in likely if len(one.symptoms) + len(one.results) >= _SPEAK]
        ask = [
            [s.name(self._language) for s in one.disease.symptoms if notes.said(s) is None]
            for one in told or likely
        ]
        # What has one symptom is asked about first: nobody orders a biopsy for a rash.
        examine = [
            [e.name(self._language) for e in one.disease.examinations if notes.shows(e) is None]
            for one in told
        ]
        return _in_turn(ask), _in_turn(examine)

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


def _in_turn(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The first of each, then the second of each: what tells several diseases apart."""
    turns = (name for turn in zip_longest(*names) for name in turn if name is not None)
    return tuple(dict.fromkeys(turns))[:_NAMED]
