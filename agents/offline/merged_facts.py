"""Several reports' facts as one text: each thing once, answers in the place of what they settle."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from rapidfuzz import fuzz

from agents.offline.claims import (
    Claim,
    ResultClaim,
    contradicted_results,
    contradicted_symptoms,
    result_claims,
    symptom_claims,
)
from records.conference import Contradiction, Facts
from records.medical_record import Language
from records.visit import Report

_SENTENCE = {
    "zh": re.compile(r"[^。；;！!？?\n]+"),
    "en": re.compile(r"(?:[^.;!?\n]|(?<=\d)\.(?=\d))+"),
}
_END = {"zh": "。", "en": ". "}
_NO = {"zh": "没有{}", "en": "No {}"}
_BULLET = re.compile(r"^\s*[-*•]\s+")
_SAME = 92
"""Similarity, 0 to 100, from which two sentences are one."""


def merge_facts(
    reports: Sequence[Report], answers: Sequence[Contradiction], language: Language
) -> Facts:
    """The symptoms and examinations of all reports.

    A sentence or result that was contradicted and asked about gives way to the answer; what else
    such a sentence told is kept in few words.
    """
    settled = settled_things(reports, language) if answers else (set(), set())
    told = "\n".join(a.answer for a in answers if a.asked_of == "patient")
    given = "\n".join(a.answer for a in answers if a.asked_of == "examiner")
    symptoms = [told] + [_without(r.symptoms, settled[0], language) for r in reports]
    results = [given] + [_without_results(r.examinations, settled[1], language) for r in reports]
    return Facts(
        symptoms=merged_sentences(symptoms, language),
        examinations=merged_lines(results, language),
    )


def settled_things(
    reports: Sequence[Report], language: Language
) -> tuple[set[str], set[frozenset[str]]]:
    """Concepts of symptoms, and keys of results, that the reports contradict each other on."""
    symptoms = contradicted_symptoms([symptom_claims(r.symptoms, language) for r in reports])
    results = contradicted_results([result_claims(r.examinations, language) for r in reports])
    return {claim.concept for claim, _ in symptoms}, {claim.key for claim, _ in results}


def merged_sentences(texts: Iterable[str], language: Language) -> str:
    """The sentences of all texts in order, each once; denials that add nothing are left out."""
    kept: list[str] = []
    denied: set[str] = set()
    for text in texts:
        for found in _SENTENCE[language].finditer(text):
            sentence = found.group().strip()
            claims = symptom_claims(sentence, language)
            denials = {claim.concept for claim in claims if not claim.present and not claim.kin}
            only_denies = bool(claims) and len(denials) == len({c.concept for c in claims})
            if not sentence or _is_among(sentence, kept) or (only_denies and denials <= denied):
                continue
            kept.append(sentence)
            denied |= denials
    end = _END[language]
    return f"{end.join(kept)}{end}".strip() if kept else ""


def merged_lines(texts: Iterable[str], language: Language) -> str:
    """The lines of all texts in order, each once."""
    kept: list[str] = []
    for text in texts:
        for line in text.splitlines():
            bare = _BULLET.sub("", line).strip()
            if bare and bare not in kept:
                kept.append(bare)
    return "\n".join(kept)


def _is_among(sentence: str, kept: Sequence[str]) -> bool:
    # Numbers and negations differ by a character and are not the same.
    return sentence in kept or any(
        fuzz.ratio(sentence, other) >= _SAME and _telling(sentence) == _telling(other)
        for other in kept
    )


def _telling(sentence: str) -> list[str]:
    return re.findall(r"\d+|[左右不没无未]|\b(?:no|not|left|right|denies)\b", sentence.lower())


def _without(text: str, settled: Collection[str], language: Language) -> str:
    """The text without the sentences on what was settled; what else they told, in few words."""
    if not settled:
        return text
    claims = symptom_claims(text, language)
    gone = {c.sentence for c in claims if _is_settled(c, settled)}
    kept = []
    for found in _SENTENCE[language].finditer(text):
        sentence = found.group().strip()
        if sentence not in gone:
            kept.append(sentence)
            continue
        for claim in claims:
            if claim.sentence == sentence and not _is_settled(claim, settled):
                kept.append(claim.words if claim.present else _NO[language].format(claim.words))
    return "\n".join(kept)


def _is_settled(claim: Claim, settled: Collection[str]) -> bool:
    # A denied kind of what was settled ("no dry cough") was not asked about.
    return claim.concept in settled or (claim.present and not claim.wider.isdisjoint(settled))


def _without_results(text: str, settled: Collection[frozenset[str]], language: Language) -> str:
    """The text without the pieces that tell results that were settled."""
    if not settled:
        return text
    gone: list[ResultClaim] = [c for c in result_claims(text, language) if c.key in settled]
    lines = []
    for line in text.splitlines():
        for claim in gone:
            for piece in claim.lines:
                line = line.replace(piece, "")
        if re.search(r"\w", line):
            lines.append(line.strip(" ,，;；"))
    return "\n".join(lines)
