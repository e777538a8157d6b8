"""A phrase in a text, said or denied; for doctors without a model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from records.facts.lexicon import words
from records.facts.negation import negated_spans
from records.medical_record import Language


def inside(start: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether an offset lies in one of the spans."""
    return any(a <= start < b for a, b in spans)


def places(phrase: str, text: str, language: Language) -> tuple[int, ...]:
    """Offsets at which a phrase begins: by characters in Chinese, by the words' stems in English.

    Case does not count.
    """
    if language == "zh":
        return _characters(phrase.lower(), text.lower())
    sought, _ = _stems(phrase)
    given, starts = _stems(text)
    if not sought or sought[0] not in given:
        return ()
    return tuple(
        starts[i]
        for i in range(len(given) - len(sought) + 1)
        if given[i : i + len(sought)] == sought
    )


def _characters(phrase: str, text: str) -> tuple[int, ...]:
    found = []
    at = text.find(phrase)
    while at >= 0:
        found.append(at)
        at = text.find(phrase, at + max(len(phrase), 1))
    return tuple(found)


@lru_cache(maxsize=8192)
def _stems(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The stems of a text's words and where each begins."""
    found = words(text)
    return tuple(stem for stem, _, _ in found), tuple(start for _, start, _ in found)


@lru_cache(maxsize=8192)
def denials(text: str, language: Language) -> tuple[tuple[int, int], ...]:
    """The stretches of a text that are denied; a doctor asks of one text for many phrases."""
    return negated_spans(text, language)


def affirmed(phrase: str, text: str, language: Language) -> bool:
    """Whether a text says a phrase outside a negation."""
    found = places(phrase, text, language)
    return any(not inside(at, denials(text, language)) for at in found)


def denied(phrase: str, text: str, language: Language) -> bool:
    """Whether a text says a phrase within a negation."""
    found = places(phrase, text, language)
    return any(inside(at, denials(text, language)) for at in found)
