"""A name of a code, and names found by their equal keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

How = Literal["exact", "synonym", "fuzzy", "none"]


@dataclass(frozen=True)
class Term:
    """One name of one code."""

    code: str
    name: str
    synonym: bool = False
    """True if the name is not the code's title."""


Found = tuple[Term, How, float]
"""A name met, how, and its score from 0 to 100."""

FUZZY_THRESHOLD = 50.0
"""Score from which a ranked candidate counts as linked."""


class Equals:
    """Names by key, the first in table order, titles before synonyms."""

    def __init__(self) -> None:
        self._titles: dict[str, Term] = {}
        self._synonyms: dict[str, Term] = {}

    def add(self, key: str, term: Term, synonym: bool) -> None:
        """Keep a name under a key; an empty key keeps nothing."""
        if key:
            (self._synonyms if synonym else self._titles).setdefault(key, term)

    def get(self, key: str) -> Found | None:
        """The first name with a key, a title before any synonym."""
        if key in self._titles:
            return self._titles[key], "exact", 100.0
        if key in self._synonyms:
            return self._synonyms[key], "synonym", 100.0
        return None


def weighted_overlap(common: float, wanted: float, mass: float) -> float:
    """Dice's overlap, in which what the name asks for counts more than what the title adds."""
    return common / (0.65 * wanted + 0.35 * mass) if wanted + mass else 0.0
