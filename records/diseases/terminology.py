"""A terminology: codes with names in any language, and the linking of a name to its code."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from records.diseases import term_keys
from records.diseases.chinese_index import ChineseIndex
from records.diseases.disease_names import extract_diseases
from records.diseases.english_index import EnglishIndex
from records.diseases.icd10_terms import default_terms
from records.diseases.icd_table import read_icd_table
from records.diseases.term import FUZZY_THRESHOLD, Found, How, Term
from records.medical_record import Language

_BARE_CODE = re.compile(r"([A-Z]\d\d)(?:\.?(\d{1,2}))?")
_LATIN = r"[A-Za-z][A-Za-z0-9 ',-]*"
_HAN = r"[0-9]?[\u3400-\u9fff]+"
_BILINGUAL = re.compile(
    rf"({_LATIN}?)[ (（/:,-]*({_HAN})[)）]?|({_HAN})[ (（/:,-]*({_LATIN}?)[)）]?"
)
_CODE = re.compile(r"^([A-Z]\d[0-9A-Z])(?:\.?([0-9A-Za-z]{1,4}))?")


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
        self._by_category: dict[str, list[str]] = {}
        digest = hashlib.sha256()
        for term in self._terms:
            digest.update(f"{term.code}\t{term.name}\n".encode("utf-8", "surrogatepass"))
            if not term.synonym:
                self._titles.setdefault(term.code, term.name)
        if names is not None:
            digest.update("\n".join(self.names).encode("utf-8", "surrogatepass"))
        self.hash = digest.hexdigest()[:16]
        """First 16 hexadecimal characters of the SHA-256 of all codes and names in table order."""
        self._cached = lru_cache(maxsize=50_000)(self._link)

    @cached_property
    def _english(self) -> EnglishIndex:
        return EnglishIndex([t for t in self._linked() if not term_keys.has_han(t.name)])

    @cached_property
    def _chinese(self) -> ChineseIndex:
        return ChineseIndex([t for t in self._linked() if term_keys.has_han(t.name)])

    def _linked(self) -> Iterator[Term]:
        # A diagnosis is never an external cause, and their titles are full of common words.
        return (term for term in self._terms if term.code[0] not in "VWXY")

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

        The table's names come first and so win every tie; the bundled ones follow, for the other
        language and for everyday names. `names` are the table's alone.

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
        return cls([*terms, *default_terms()], names=[row.name for row in rows])

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
        return self._index(name).knows(name[:300])

    def names_of(self, category: str) -> tuple[str, ...]:
        """All names of a 3-character category and its subcategories, in table order."""
        if not self._by_category:
            for term in self._terms:
                self._by_category.setdefault(term.code[:3], []).append(term.name)
        return tuple(self._by_category.get(category, ()))

    def exists(self, code: str) -> bool:
        """True if the terminology has this very code."""
        return code in self._titles

    def title(self, code: str) -> str | None:
        """The code's name; None if there is no such code."""
        return self._titles.get(code)

    def __len__(self) -> int:
        return len(self._terms)

    def candidates(self, name: str, language: Language, limit: int = 10) -> tuple[Link, ...]:
        """The likeliest codes of a name, best first, one of each 3-character category.

        What `link` chooses stands first. Later ones may score below what counts as linked.
        """
        name = name[:300]
        chosen = self._cached(name, language)
        links = [chosen] if chosen.icd10 else []
        seen = {str(chosen.icd10)[:3]} if links else set()
        for term, how, score in self._ranked(name, language):
            if len(links) >= limit:
                break
            if term.code[:3] not in seen:
                seen.add(term.code[:3])
                links.append(Link(name, term.code, term.name, how, round(max(score, 0.0), 1)))
        return tuple(links[:limit])

    def _index(self, name: str) -> ChineseIndex | EnglishIndex:
        return self._chinese if term_keys.has_han(name) else self._english

    def _ranked(self, name: str, language: Language) -> list[Found]:
        return self._index(name).ranked(name)

    def _best(self, name: str) -> Found | None:
        first = next(iter(self._index(name).ranked(name)), None)
        return first if first and first[2] >= FUZZY_THRESHOLD else None

    def _link(self, name: str, language: Language) -> Link:
        index = self._index(name)
        found = self._code(name) or index.equal(name) or self._bilingual(name) or self._best(name)
        if found is None:
            # A stage or a type written after the name: 肝癌T1bN0M0, 胰腺炎高脂血症型.
            plain = extract_diseases(name, language)
            if len(plain) == 1 and plain[0] != name:
                found = index.equal(plain[0]) or self._best(plain[0])
        if found is None:
            return Link(name, None, None, "none", 0.0)
        term, how, score = found
        return Link(name, term.code, term.name, how, round(score, 1))

    def _code(self, name: str) -> Found | None:
        """A code that stands for its disease, with or without its point."""
        written = _BARE_CODE.fullmatch(name.strip().upper())
        code = ".".join(filter(None, written.groups())) if written else ""
        return (Term(code, self._titles[code]), "exact", 100.0) if code in self._titles else None

    def _bilingual(self, name: str) -> Found | None:
        """One disease named in both languages side by side: Pneumonia 肺炎."""
        sides = _BILINGUAL.fullmatch(name.strip())
        if not sides:
            return None
        found: list[Found] = []
        for part in filter(None, sides.groups()):
            one = self._index(part).equal(part)
            found += [one] if one else []
        codes = {term.code[:3] for term, _, _ in found}
        return found[0] if len(codes) == 1 else None
