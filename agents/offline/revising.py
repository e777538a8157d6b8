"""How a Doctor without a model revises: on merged facts, and on colleagues' diagnoses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.offline.case_notes import CaseNotes, Topic
from agents.offline.differential import Ranked
from records.conference import Facts
from records.diseases.disease_overlap import (
    Linker,
    normal_name,
    overlap,
    predicted_links,
)
from records.knowledge import Disease
from records.mark import DiseaseLink
from records.medical_record import Language
from records.visit import Report

_SHARED = 0.5
"""What a disease gains that all colleagues diagnose, as a share of what speaks for it already."""
_UNSHARED = 0.5
"""What is left of a disputed disease that no colleague diagnoses."""
_SENTENCE = re.compile(r"[^。.；;!！?？\n]+(?:\.\d+[^。.；;!！?？\n]*)*")
_PAST = {
    "zh": re.compile(r"以前|既往|过去|曾|病史|之前得过|得过"),
    "en": re.compile(r"\b(?:history of|in the past|past history|diagnosed|years ago|used to)\b"),
}


def notes_on(facts: Facts, language: Language, own: CaseNotes) -> CaseNotes:
    """Notes of the merged facts; a sentence that was heard before keeps what it answered."""
    heard: dict[str, Topic] = {s.text: s.topic for s in own.statements}
    notes = CaseNotes(language)
    for found in _SENTENCE.finditer(facts.symptoms):
        sentence = found.group().strip()
        past = _PAST[language].search(sentence.lower()) is not None
        notes.hear(sentence, heard.get(sentence, "past" if past else "present"))
    notes.receive(facts.examinations)
    return notes


def swayed(
    ranked: Sequence[Ranked],
    others: Sequence[Report],
    disputes: Sequence[str],
    language: Language,
    linker: Linker,
) -> tuple[Ranked, ...]:
    """The ranking after hearing the colleagues: best first.

    A disease that something speaks for gains with each colleague who diagnoses it. One that is
    named in a disputed point and that nobody else diagnoses loses.
    """
    held = [predicted_links(other.diagnosis, language, linker) for other in others]
    disputed = normal_name(" ".join(disputes))
    weighed = []
    for one in ranked:
        sharing = sum(_names(one.disease, links, language) for links in held)
        factor = 1.0 + _SHARED * sharing / len(others)
        if not sharing and _is_named(one.disease, disputed, language):
            factor = _UNSHARED
        weighed.append(replace(one, score=one.score * factor) if one.score > 0 else one)
    return tuple(sorted(weighed, key=lambda r: -r.score))


def taken_over(
    others: Sequence[Report],
    known: Sequence[Disease],
    language: Language,
    linker: Linker,
) -> list[str]:
    """Names of diseases that this Doctor knows nothing of and more than half of the others hold."""
    found: list[tuple[DiseaseLink, int]] = []
    for other in others:
        for link in predicted_links(other.diagnosis, language, linker):
            if any(_names(disease, (link,), language) for disease in known):
                continue
            at = next((i for i, (f, _) in enumerate(found) if overlap([link], [f])), None)
            if at is None:
                found.append((link, 1))
            else:
                found[at] = (found[at][0], found[at][1] + 1)
    return [link.name for link, times in found if 2 * times > len(others)]


def _names(disease: Disease, links: Sequence[DiseaseLink], language: Language) -> bool:
    own = DiseaseLink(name=disease.name(language), icd10=disease.icd10)
    return bool(overlap([own], links))


def _is_named(disease: Disease, plain: str, language: Language) -> bool:
    return any(normal_name(name) in plain for name in disease.names[language]) if plain else False
