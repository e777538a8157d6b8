"""The Chinese names of a terminology: found by equal characters, else ranked by shared pairs."""

from __future__ import annotations

import heapq
import math
from array import array

from rapidfuzz import fuzz

from records.diseases import term_keys
from records.diseases.term import Equals, Found, Term, weighted_overlap

_CANDIDATES = 120


class ChineseIndex:
    """Chinese names in table order, which breaks ties."""

    def __init__(self, terms: list[Term]) -> None:
        self._terms = terms
        self._by_key = Equals()
        self._unsided = Equals()
        self._joined = Equals()
        self._keys: list[str] = []
        self._postings: dict[str, array[int]] = {}
        for i, term in enumerate(terms):
            key = term_keys.chinese_key(term.name)
            self._keys.append(key)
            self._by_key.add(key, term, term.synonym)
            self._unsided.add(term_keys.chinese_unsided(key), term, term.synonym)
            self._joined.add(term_keys.chinese_joined(key), term, term.synonym)
            for pair in _pairs(key):
                self._postings.setdefault(pair, array("l")).append(i)
        total = len(terms) + 1
        self._weight = {p: math.log(total / len(ids)) + 0.2 for p, ids in self._postings.items()}
        self._mass = [sum(self._weight[p] for p in _pairs(key)) for key in self._keys]
        self._unknown = math.log(total) + 0.2

    def equal(self, name: str) -> Found | None:
        """The name that is the same but for how it is written."""
        key = term_keys.chinese_key(name)
        found = self._named(key)
        if found is None:
            found = self._by_key.get(term_keys.chinese_undegreed(key))
            if found:
                return found[0], "fuzzy", 90.0
        return found

    def knows(self, name: str) -> bool:
        """True if there is such a name with its words in this order."""
        return self._named(term_keys.chinese_key(name)) is not None

    def _named(self, key: str) -> Found | None:
        return (
            self._by_key.get(key)
            or self._unsided.get(term_keys.chinese_unsided(key))
            or self._joined.get(term_keys.chinese_joined(key))
        )

    def ranked(self, name: str) -> list[Found]:
        """The names that share neighbouring characters with it, best first."""
        key = term_keys.chinese_unsided(term_keys.chinese_key(name))
        overlap: dict[int, float] = {}
        wanted = 0.0
        for pair in _pairs(key):
            weight = self._weight.get(pair, self._unknown)
            wanted += weight
            for i in self._postings.get(pair, ()):
                overlap[i] = overlap.get(i, 0.0) + weight
        shares = {i: weighted_overlap(overlap[i], wanted, self._mass[i]) for i in overlap}
        scored = []
        for i in heapq.nsmallest(_CANDIDATES, shares, key=lambda i: (-shares[i], i)):
            share = shares[i]
            alike = fuzz.ratio(key, self._keys[i]) / 100
            # A Chinese name ends in what it is: 左股骨颈骨折 is a 骨折, first of all.
            head = 1.0 if key.endswith(self._keys[i]) else 0.0
            score = 99 * min(1.0, 0.45 * share + 0.35 * alike + 0.35 * head)
            scored.append((-score * _agreement(key, self._keys[i]), i))
        return [(self._terms[i], "fuzzy", -minus) for minus, i in sorted(scored)]


def _agreement(name: str, term: str) -> float:
    """Below 1 where a term says something else: another site (脾 for 脑) or another head."""
    if term[-2:] not in name and term[-1] != name[-1]:
        return 0.7
    other = set(term) - set(name)
    return 0.8 if other and set(name) - set(term) else 1.0


def _pairs(key: str) -> list[str]:
    """The distinct neighbouring characters, in order."""
    return list(dict.fromkeys(key[i : i + 2] for i in range(len(key) - 1))) or [key]
