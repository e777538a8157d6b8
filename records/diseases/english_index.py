"""The English names of a terminology: found by equal words, else ranked by the words they share."""

from __future__ import annotations

import heapq
import math
import re
from array import array

from rapidfuzz import fuzz, process

from records.diseases import term_keys
from records.diseases.term import Equals, Found, Term, weighted_overlap

_CANDIDATES = 120


class EnglishIndex:
    """English names in table order, which breaks ties."""

    def __init__(self, terms: list[Term]) -> None:
        self._terms = terms
        self._by_key = Equals()
        self._by_bag = Equals()
        self._joined = Equals()
        self._bags: list[tuple[str, ...]] = []
        self._keys: list[str] = []
        self._near: dict[str, tuple[str | None, float]] = {}
        self._postings: dict[str, array[int]] = {}
        for i, term in enumerate(terms):
            key = term_keys.english_key(term.name)
            self._keys.append(key)
            self._by_key.add(key, term, term.synonym)
            self._joined.add(term_keys.english_joined(term.name), term, term.synonym)
            bag = term_keys.english_bag(term.name)
            if not _RESIDUAL.search(term.name):
                self._by_bag.add(" ".join(bag), term, term.synonym)
            self._bags.append(bag)
            for token in bag:
                self._postings.setdefault(token, array("l")).append(i)
        for term in terms:
            for other in term_keys.bracketed(term.name):
                self._by_key.add(term_keys.english_key(other), term, True)
                self._by_bag.add(" ".join(term_keys.english_bag(other)), term, True)
        total = len(terms) + 1
        self._weight = {t: math.log(total / len(p)) + 0.2 for t, p in self._postings.items()}
        self._mass = [sum(self._weight[t] for t in bag) for bag in self._bags]
        self._handicap = [_handicap(term) for term in terms]
        self._vocabulary = sorted(self._postings)

    def equal(self, name: str) -> Found | None:
        """The name that is the same but for how it is written."""
        return (
            self._by_key.get(term_keys.english_key(name))
            or self._by_bag.get(" ".join(term_keys.english_bag(name)))
            or self._joined.get(term_keys.english_joined(name))
        )

    def knows(self, name: str) -> bool:
        """True if there is such a name with its words in this order."""
        return bool(
            self._by_key.get(term_keys.english_key(name))
            or self._joined.get(term_keys.english_joined(name))
        )

    def ranked(self, name: str) -> list[Found]:
        """The names that share words with it, best first."""
        tokens = term_keys.english_bag(name)
        overlap: dict[int, float] = {}
        wanted = 0.0
        for token in tokens:
            near, likeness = self._nearest(token)
            if near is None:
                wanted += math.log(len(self._terms) + 1)
                continue
            wanted += self._weight[near]
            for i in self._postings[near]:
                overlap[i] = overlap.get(i, 0.0) + self._weight[near] * likeness
        if not overlap or wanted == 0:
            return []
        key = term_keys.english_key(name)
        shares = {i: weighted_overlap(overlap[i], wanted, self._mass[i]) for i in overlap}
        ranked = heapq.nsmallest(_CANDIDATES, shares, key=lambda i: (-shares[i], i))
        scored = []
        for i in ranked:
            title = self._keys[i]
            alike = fuzz.token_sort_ratio(key, title) / 100
            score = 100 * (0.8 * shares[i] + 0.2 * alike)
            if not self._spoken_for(i, tokens):
                score -= self._handicap[i]
            if title.startswith(key):
                score += 6  # ICD titles name the disease first, then its circumstances.
            scored.append((-score, i))
        return [(self._terms[i], "fuzzy", min(-minus, 99.0)) for minus, i in sorted(scored)]

    def _spoken_for(self, i: int, tokens: tuple[str, ...]) -> bool:
        """True if the name itself speaks of the circumstance that a term is handicapped for."""
        return any(token in _CIRCUMSTANCES for token in tokens if token in self._bags[i])

    def _nearest(self, token: str) -> tuple[str | None, float]:
        if token in self._postings:
            return token, 1.0
        if len(token) < 5:
            return None, 0.0
        if token not in self._near:
            self._near[token] = self._search(token)
        return self._near[token]

    def _search(self, token: str) -> tuple[str | None, float]:
        found = process.extractOne(token, self._vocabulary, scorer=fuzz.ratio, score_cutoff=82)
        if found:
            return found[0], found[1] / 100
        for word in self._vocabulary:
            if len(token) >= 7 and len(word) > len(token) and word.endswith(token):
                return word, 0.85
        shared = max(5, math.ceil(0.6 * len(token)))
        for word in self._vocabulary:
            if len(word) >= shared and word[:shared] == token[:shared]:
                return word, 0.8
        return None, 0.0


_RESIDUAL = re.compile(r"\bother\b(?! and unspecified)|classified elsewhere|resulting in", re.I)
_CIRCUMSTANCES = frozenset(
    re.findall(
        r"\w+",
        "congenital neonatal newborn perinatal fetal fetus maternal pregnancy puerperium puerperal "
        "obstetric childbirth delivery labor poisoning toxic sequelae screening observation "
        "carrier "
        "history examination birth abortion",
    )
)
"""Words of the chapters and blocks that a name does not mean unless it says so."""


def _handicap(term: Term) -> float:
    """What a term of special circumstances loses against one without: points of score."""
    if term.synonym:
        return 0.0
    points = 12.0 if term.code[0] in "OPQZ" else 0.0
    if term.code[0] == "T" and "T36" <= term.code[:3] <= "T65":
        points = 12.0
    return points + (6.0 if _RESIDUAL.search(term.name) else 0.0)
