"""A phrase in a text, said or denied; for doctors without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from records.lexicon import words
from records.medical_record import Language
from records.negation import negated_spans


def inside(start: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether an offset lies in one of the spans."""
    return any(a <= start < b for a, b in spans)


def places(phrase: str, text: str, language: Language) -> tuple[int, ...]:
    """Offsets at which a phrase begins: by characters in Chinese, by the words' stems in English.

    Case does not count.
    """
    if language == "zh":
        return tuple(m.start() for m in re.finditer(re.escape(phrase.lower()), text.lower()))
    sought = [stem for stem, _, _ in words(phrase)]
    given = words(text)
    return tuple(
        given[i][1]
        for i in range(len(given) - len(sought) + 1)
        if sought and [stem for stem, _, _ in given[i : i + len(sought)]] == sought
    )


def affirmed(phrase: str, text: str, language: Language) -> bool:
    """Whether a text says a phrase outside a negation."""
    spans = negated_spans(text, language)
    return any(not inside(at, spans) for at in places(phrase, text, language))


def denied(phrase: str, text: str, language: Language) -> bool:
    """Whether a text says a phrase within a negation."""
    spans = negated_spans(text, language)
    return any(inside(at, spans) for at in places(phrase, text, language))
