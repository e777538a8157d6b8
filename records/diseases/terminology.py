"""A terminology: codes with names in any language, and the linking of a name to its code."""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from rapidfuzz import fuzz, process

from records.diseases import term_keys
from records.diseases.disease_names import extract_diseases
from records.diseases.icd_table import read_icd_table
from records.medical_record import Language

How = Literal["exact", "synonym", "fuzzy", "none"]

FUZZY_THRESHOLD = 50.0
"""Score from which a ranked candidate counts as linked."""
_CANDIDATES = 120
_BARE_CODE = re.compile(r"([A-Z]\d\d)(?:\.?(\d{1,2}))?")
_LATIN = r"[A-Za-z][A-Za-z0-9 ',-]*"
_HAN = r"[0-9]?[\u3400-\u9fff]+"
_BILINGUAL = re.compile(
    rf"({_LATIN}?)[ (（/:,-]*({_HAN})[)）]?|({_HAN})[ (（/:,-]*({_LATIN}?)[)）]?"
)
_CODE = re.compile(r"^([A-Z]\d[0-9A-Z])(?:\.?([0-9A-Za-z]{1,4}))?")


@dataclass(frozen=True)
class Term:
    """One name of one code."""

    code: str
    name: str
    synonym: bool = False
    """True if the name is not the code's title."""


@dataclass(frozen=True)
class Link:
    """A name as linked. An unlinked name has no code, and its `how` is "none"."""

    name: str
    icd10: str | None
    term: str | None
    """The terminology's name that was met."""
    how: How
    score: float
    """0 to 100; 100 for equal names."""


class Terminology:
    """Codes and names in table order, which breaks every tie; linking is deterministic.

    A name is linked by the first of: an equal title, an equal synonym (both after normalisation of
    case, width, punctuation, brackets, spelling, plural and, in English, word order), and the best
    ranked candidate from an index of words (English) or of character pairs (Chinese).
    """

    def __init__(self, terms: Iterable[Term], names: Iterable[str] | None = None) -> None:
        self._terms = tuple(terms)
        self.names = tuple(
            dict.fromkeys(t.name for t in self._terms) if names is None else dict.fromkeys(names)
        )
        """The distinct names in table order, for protocol `published`; a table's own alone."""
        self._titles: dict[str, str] = {}
        digest = hashlib.sha256()
        for term in self._terms:
            digest.update(f"{term.code}\t{term.name}\n".encode("utf-8", "surrogatepass"))
            if not term.synonym:
                self._titles.setdefault(term.code, term.name)
        if names is not None:
            digest.update("\n".join(self.names).encode("utf-8", "surrogatepass"))
        self.hash = digest.hexdigest()[:16]
        """First 16 hexadecimal characters of the SHA-256 of all codes and names in table order."""
        linked = [t for t in self._terms if t.code[0] not in "VWXY"]
        # A diagnosis is never an external cause, and their titles are full of common words.
        self._english = _EnglishIndex([t for t in linked if not term_keys.has_han(t.name)])
        self._chinese = _ChineseIndex([t for t in linked if term_keys.has_han(t.name)])
        self._cached = lru_cache(maxsize=50_000)(self._link)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]]) -> Terminology:
        """Build from (code, name) rows of a table; a code's later names are its synonyms."""
        seen: set[str] = set()
        terms = []
        for code, name in pairs:
            if _CODE.match(code.strip()) and name.strip():
                terms.append(Term(code.strip(), name.strip(), synonym=code.strip() in seen))
                seen.add(code.strip())
        return cls(terms)

    @classmethod
    def of_table(cls, path: Path) -> Terminology:
        """Build from a table file of codes and names (`records.diseases.icd_table`).

        Raises:
            InputError: the file cannot be read, or has no columns of codes and names.
        """
        rows = read_icd_table(path)
        seen: set[str] = set()
        terms = []
        for row in rows:
            if row.code:
                terms.append(Term(row.code, row.name, synonym=row.own in seen))
                seen.add(row.own)
        return cls(terms, names=[row.name for row in rows])

    def link(self, name: str, language: Language) -> Link:
        """Link one disease name; a name without a counterpart gets `icd10` None.

        The script decides which names it is compared with: a Chinese text may say "COPD".
        """
        return self._cached(name[:300], language)

    def link_text(self, text: str, language: Language) -> tuple[Link, ...]:
        """Link every disease that a diagnosis text claims, in the text's order."""
        names = extract_diseases(text, language, lambda name: self.knows(name, language))
        return tuple(self.link(name, language) for name in names)

    def knows(self, name: str, language: Language) -> bool:
        """True if a title or synonym is this name, in its order of words; how it joins may differ.

        "Ulcer complicated by bleeding" is known where "ulcer with haemorrhage" is a name.
        """
        index = self._chinese if term_keys.has_han(name) else self._english
        return index.knows(name[:300])

    def exists(self, code: str) -> bool:
        """True if the terminology has this very code."""
        return code in self._titles

    def title(self, code: str) -> str | None:
        """The code's name; None if there is no such code."""
        return self._titles.get(code)

    def __len__(self) -> int:
        return len(self._terms)

    def _link(self, name: str, language: Language) -> Link:
        index = self._chinese if term_keys.has_han(name) else self._english
        found = self._code(name) or index.equal(name) or self._bilingual(name) or index.best(name)
        if found is None:
            # A stage or a type written after the name: 肝癌T1bN0M0, 胰腺炎高脂血症型.
            plain = extract_diseases(name, language)
            if len(plain) == 1 and plain[0] != name:
                found = index.equal(plain[0]) or index.best(plain[0])
        if found is None:
            return Link(name, None, None, "none", 0.0)
        term, how, score = found
        return Link(name, term.code, term.name, how, round(score, 1))

    def _code(self, name: str) -> _Found | None:
        """A code that stands for its disease, with or without its point."""
        written = _BARE_CODE.fullmatch(name.strip().upper())
        code = ".".join(filter(None, written.groups())) if written else ""
        return (Term(code, self._titles[code]), "exact", 100.0) if code in self._titles else None

    def _bilingual(self, name: str) -> _Found | None:
        """One disease named in both languages side by side: Pneumonia 肺炎."""
        sides = _BILINGUAL.fullmatch(name.strip())
        if not sides:
            return None
        found: list[_Found] = []
        for part in filter(None, sides.groups()):
            index = self._chinese if term_keys.has_han(part) else self._english
            one = index.equal(part)
            found += [one] if one else []
        codes = {term.code[:3] for term, _, _ in found}
        return found[0] if len(codes) == 1 else None


_Found = tuple[Term, How, float]


class _Equals:
    """Names by key, the first in table order, titles before synonyms."""

    def __init__(self) -> None:
        self._titles: dict[str, Term] = {}
        self._synonyms: dict[str, Term] = {}

    def add(self, key: str, term: Term, synonym: bool) -> None:
        if key:
            (self._synonyms if synonym else self._titles).setdefault(key, term)

    def get(self, key: str) -> _Found | None:
        if key in self._titles:
            return self._titles[key], "exact", 100.0
        if key in self._synonyms:
            return self._synonyms[key], "synonym", 100.0
        return None


class _EnglishIndex:
    def __init__(self, terms: list[Term]) -> None:
        self._terms = terms
        self._by_key = _Equals()
        self._by_bag = _Equals()
        self._joined = _Equals()
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

    def equal(self, name: str) -> _Found | None:
        return (
            self._by_key.get(term_keys.english_key(name))
            or self._by_bag.get(" ".join(term_keys.english_bag(name)))
            or self._joined.get(term_keys.english_joined(name))
        )

    def knows(self, name: str) -> bool:
        return bool(
            self._by_key.get(term_keys.english_key(name))
            or self._joined.get(term_keys.english_joined(name))
        )

    def best(self, name: str) -> _Found | None:
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
            return None
        key = term_keys.english_key(name)
        shares = {i: _dice(overlap[i], wanted, self._mass[i]) for i in overlap}
        ranked = heapq.nsmallest(_CANDIDATES, shares, key=lambda i: (-shares[i], i))
        best: tuple[float, int] | None = None
        for i in sorted(ranked):
            title = self._keys[i]
            alike = fuzz.token_sort_ratio(key, title) / 100
            score = 100 * (0.8 * shares[i] + 0.2 * alike)
            if not self._spoken_for(i, tokens):
                score -= self._handicap[i]
            if title.startswith(key):
                score += 6  # ICD titles name the disease first, then its circumstances.
            if best is None or score > best[0]:
                best = (score, i)
        if best is None or best[0] < FUZZY_THRESHOLD:
            return None
        return self._terms[best[1]], "fuzzy", min(best[0], 99.0)

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


def _dice(common: float, wanted: float, mass: float) -> float:
    """Weighted overlap in which what the name asks for counts more than what the title adds."""
    return common / (0.65 * wanted + 0.35 * mass) if wanted + mass else 0.0


class _ChineseIndex:
    def __init__(self, terms: list[Term]) -> None:
        self._terms = terms
        self._by_key = _Equals()
        self._unsided = _Equals()
        self._joined = _Equals()
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

    def equal(self, name: str) -> _Found | None:
        key = term_keys.chinese_key(name)
        found = self._named(key)
        if found is None:
            found = self._by_key.get(term_keys.chinese_undegreed(key))
            if found:
                return found[0], "fuzzy", 90.0
        return found

    def knows(self, name: str) -> bool:
        return self._named(term_keys.chinese_key(name)) is not None

    def _named(self, key: str) -> _Found | None:
        return (
            self._by_key.get(key)
            or self._unsided.get(term_keys.chinese_unsided(key))
            or self._joined.get(term_keys.chinese_joined(key))
        )

    def best(self, name: str) -> _Found | None:
        key = term_keys.chinese_unsided(term_keys.chinese_key(name))
        overlap: dict[int, float] = {}
        wanted = 0.0
        for pair in _pairs(key):
            weight = self._weight.get(pair, self._unknown)
            wanted += weight
            for i in self._postings.get(pair, ()):
                overlap[i] = overlap.get(i, 0.0) + weight
        if not overlap:
            return None
        shares = {i: _dice(overlap[i], wanted, self._mass[i]) for i in overlap}
        best: tuple[float, int] | None = None
        for i in sorted(heapq.nsmallest(_CANDIDATES, shares, key=lambda i: (-shares[i], i))):
            share = shares[i]
            alike = fuzz.ratio(key, self._keys[i]) / 100
            # A Chinese name ends in what it is: 左股骨颈骨折 is a 骨折, first of all.
            head = 1.0 if key.endswith(self._keys[i]) else 0.0
            score = 99 * min(1.0, 0.45 * share + 0.35 * alike + 0.35 * head)
            score *= _agreement(key, self._keys[i])
            if best is None or score > best[0]:
                best = (score, i)
        if best is None or best[0] < FUZZY_THRESHOLD:
            return None
        return self._terms[best[1]], "fuzzy", best[0]


def _agreement(name: str, term: str) -> float:
    """Below 1 where a term says something else: another site (脾 for 脑) or another head."""
    if term[-2:] not in name and term[-1] != name[-1]:
        return 0.7
    other = set(term) - set(name)
    return 0.8 if other and set(name) - set(term) else 1.0


def _pairs(key: str) -> list[str]:
    """The distinct neighbouring characters, in order."""
    return list(dict.fromkeys(key[i : i + 2] for i in range(len(key) - 1))) or [key]
