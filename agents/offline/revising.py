"""How a Doctor without a model revises: on merged facts, and on colleagues' diagnoses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
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
from records.facts.lexicon import load_lexicon
from records.knowledge import Disease
from records.mark import DiseaseLink
from records.medical_record import Language
from records.visit import Report

_SHARED = 0.5
"""What a disease gains that all colleagues diagnose, as a share of what speaks for it already."""
_CONVINCING = 0.5
"""Of what speaks for the best disease, what is enough to take one up or not to give it up."""
_LOOKED_INTO = 0.25
"""The same where a disputed point names it and more than half of the colleagues diagnose it."""
_MOST = 3
_SENTENCE = re.compile(r"[^。.；;!！?？\n]+(?:\.\d+[^。.；;!！?？\n]*)*")
_PAST = {
    "zh": re.compile(r"以前|既往|过去|曾|病史|之前得过|得过"),
    "en": re.compile(r"\b(?:history of|in the past|past history|diagnosed|years ago|used to)\b"),
}


def notes_on(facts: Facts, language: Language, own: CaseNotes) -> CaseNotes:
    """Notes of the merged facts; a sentence that was heard before keeps what it answered.

    Of others' sentences nobody says what was asked: one that tells of the past or has an illness in
    it may answer for either.
    """
    heard: dict[str, Topic] = {s.text: s.topic for s in own.statements}
    notes = CaseNotes(language)
    for found in _SENTENCE.finditer(facts.symptoms):
        sentence = found.group().strip()
        notes.hear(sentence, heard.get(sentence, "present"))
        if sentence not in heard and _may_be_past(sentence, language):
            notes.hear(sentence, "past")
    notes.receive(facts.examinations)
    return notes


def _may_be_past(sentence: str, language: Language) -> bool:
    if _PAST[language].search(sentence.lower()):
        return True
    mentions = load_lexicon().mentions(sentence, language)
    return any(concept.kind == "condition" for m in mentions for concept in m.concepts)


def reconsidered(
    ranked: Sequence[Ranked],
    own: Collection[str],
    others: Sequence[Report],
    disputes: Sequence[str],
    language: Language,
    linker: Linker,
) -> tuple[Ranked, ...]:
    """The diagnoses after hearing the colleagues, best first: those named by someone, no new ones.

    What speaks for a disease counts more with each colleague who diagnoses it. A colleague's is
    taken up if at least half as much speaks for it as for the best; a quarter is enough where a
    disputed point names it and more than half of the colleagues diagnose it. One's own is given up
    if less than half does, a disputed point names it, and nobody else diagnoses it.

    Args:
        ranked: by what speaks for them on one's own facts, best first.
        own: ids of the diseases diagnosed so far.
        others: the colleagues' reports, at least one.
        disputes: the disputed points.
        language: of the reports.
        linker: links disease names.
    """
    sharing = _sharing(ranked, others, language, linker)
    disputed = normal_name(" ".join(disputes))
    weighed = sorted(
        (
            replace(one, score=one.score * (1.0 + _SHARED * sharing[one.disease.id] / len(others)))
            for one in ranked
            if one.score > 0 and (one.disease.id in own or sharing[one.disease.id])
        ),
        key=lambda one: -one.score,
    )

    def stands(one: Ranked) -> bool:
        shared, named = sharing[one.disease.id], _is_named(one.disease, disputed, language)
        if one.disease.id in own and (shared or not named):
            return True
        looked_into = named and 2 * shared > len(others)
        enough = _LOOKED_INTO if looked_into else _CONVINCING
        return one.score >= enough * weighed[0].score

    return tuple([one for one in weighed if stands(one)][:_MOST])


def _sharing(
    ranked: Sequence[Ranked], others: Sequence[Report], language: Language, linker: Linker
) -> Counter[str]:
    """By a disease's id, how many colleagues diagnose it: each name is one disease, the nearest."""
    times: Counter[str] = Counter()
    for other in others:
        links = predicted_links(other.diagnosis, language, linker)
        named: set[str] = set()
        for link in links:
            alike = [r.disease for r in ranked if _names(r.disease, (link,), language)]
            exact = [d for d in alike if d.icd10 == link.icd10]
            named.update(d.id for d in (exact or alike)[:1])
        times.update(named)
    return times


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
