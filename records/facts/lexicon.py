"""The words that patients and doctors use for one thing, in both languages.

A concept is a symptom, a circumstance, a named illness, a medicine, a topic of a history, a body
site, or a group of these; its words are lay and clinical ones alike. The data are in
`records/lexicon/*.json`; the words were collected by us.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import Literal

from records.medical_record import Language

ConceptKind = Literal[
    "symptom", "circumstance", "condition", "medicine", "topic", "site", "group", "unmeant"
]
"""`unmeant`: a word that only contains another ("拳头" is not a head); never mentioned."""

LEXICON_FILES = ("symptoms", "conditions", "medicines", "topics", "sites", "unmeant")
"""The files of `records/lexicon/` that hold concepts of the history."""


@dataclass(frozen=True)
class Concept:
    """One thing that can be asked about or told."""

    id: str
    kind: ConceptKind
    zh: tuple[str, ...]
    """Chinese words, the preferred one first."""
    en: tuple[str, ...]
    """English words in a base form, the preferred one first; inflections are found by stems.

    After the first one they may be patterns: `(sting|burn) ~ (pee|urinate)` stands for each
    choice, and `~` for up to four other words of the same phrase.
    """
    parents: tuple[str, ...] = ()
    """Ids of the wider concepts that it belongs to."""
    head: str | None = None
    """For a symptom of a place ("chest pain"): what it is ("pain") …"""
    site: str | None = None
    """… and where."""

    def name(self, language: Language) -> str:
        """The preferred word."""
        return (self.zh if language == "zh" else self.en)[0]


@dataclass(frozen=True)
class Mention:
    """A word of the lexicon in a text; a word may stand for several concepts."""

    concepts: tuple[Concept, ...]
    start: int
    end: int

    @property
    def concept(self) -> Concept:
        """The first concept that the word stands for."""
        return self.concepts[0]


_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_UNHEARD = frozenset({"a", "an", "the", "my", "your", "his", "her", "their", "any", "some", "our"})
_LONGEST_EN = 6
_WIDEST_GAP = 4
_CHOICE = re.compile(r"\(([^()]*)\)")
_PHRASE_END = re.compile(r"[,.;:?!]|\b(?:and|but)\b")


_SPELLINGS = tuple(
    (re.compile(british), american)
    for british, american in (
        (r"(?<=.)is(?=(?:e|ed|es|ing|ation|ations)$)", "iz"),
        (r"(?<=.)our(?=s?$|ed$|ing$|less$)", "or"),
        (r"(?<=.)(?:ae|oe)(?=.{3})", "e"),
        (r"^(?:ae|oe)(?=.{3})", "e"),
    )
)
"""British spellings as American ones, roughly: the same is done to both sides."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Cut an English word's inflection, roughly: the same rule is applied to both sides."""
    word = word.lower().replace("’", "'").removesuffix("'s").replace("'", "")
    if len(word) <= 3:
        return word
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 3 and re.search("[aeiouy]", base):
            word = base
            double = word[-1] == word[-2]
            if double and (word[-1] not in "aeiousl" or (word[-1] == "l" and len(word) > 6)):
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def words(text: str) -> tuple[tuple[str, int, int], ...]:
    """The English words of a text as (stem, start, end), without articles and possessives."""
    return tuple(
        (stem(m.group()), m.start(), m.end())
        for m in _WORD.finditer(text.lower())
        if m.group() not in _UNHEARD
    )


def _choices(pattern: str) -> Iterable[str]:
    """All wordings that a pattern of an English name stands for."""
    parts = _CHOICE.split(pattern)
    for chosen in product(*(p.split("|") if n % 2 else [p] for n, p in enumerate(parts))):
        yield "".join(chosen)


Stems = tuple[str, ...]


def _stems(text: str) -> Stems:
    return tuple(s for s, _, _ in words(text))


Token = tuple[str, int, int]


def _end_of(parts: Sequence[Stems], text: str, tokens: Sequence[Token], at: int) -> int | None:
    """Where a name with gaps ends that begins at a word; None if it does not stand there."""
    end = at
    for n, part in enumerate(parts):
        gaps = range(_WIDEST_GAP + 1) if n else range(1)
        for start in (end + gap for gap in gaps):
            if tuple(t[0] for t in tokens[start : start + len(part)]) == part:
                break
        else:
            return None
        if n and _PHRASE_END.search(text, tokens[end - 1][2], tokens[start][1]):
            return None
        end = start + len(part)
    return end


class Lexicon:
    """Concepts, and the search for their words in a text."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.concepts: Mapping[str, Concept] = {c.id: c for c in concepts}
        zh: dict[str, list[Concept]] = {}
        en: dict[tuple[Stems, ...], list[Concept]] = {}
        for concept in self.concepts.values():
            for key in dict.fromkeys(name.lower() for name in concept.zh):
                zh.setdefault(key, []).append(concept)
            wordings = (w for name in concept.en for w in _choices(name))
            for stems in dict.fromkeys(tuple(map(_stems, w.split("~"))) for w in wordings):
                en.setdefault(stems, []).append(concept)
        self._zh = {key: tuple(found) for key, found in zh.items()}
        self._en = {key[0]: tuple(found) for key, found in en.items() if len(key) == 1}
        self._gapped: dict[str, list[tuple[tuple[Stems, ...], tuple[Concept, ...]]]] = {}
        for parts, meant in en.items():
            if len(parts) > 1:
                self._gapped.setdefault(parts[0][0], []).append((parts, tuple(meant)))
        self._longest_zh = max((len(n) for n in self._zh), default=0)
        self._ancestors = {c: self._climb(c) for c in self.concepts}

    def _climb(self, concept_id: str) -> frozenset[str]:
        seen = {concept_id}
        todo = [concept_id]
        while todo:
            concept = self.concepts[todo.pop()]
            wider = (*concept.parents, concept.head) if concept.head else concept.parents
            new = [p for p in wider if p not in seen]
            seen.update(new)
            todo.extend(new)
        return frozenset(seen)

    def ancestors(self, concept_id: str) -> frozenset[str]:
        """The concept's own id and those of all wider concepts."""
        return self._ancestors[concept_id]

    def mentions(self, text: str, language: Language) -> tuple[Mention, ...]:
        """The words of the lexicon in a text, from left to right, longest first, no overlap.

        Offsets count characters of `text`.
        """
        found = self._chinese(text) if language == "zh" else self._english(text)
        return tuple(m for m in found if m.concept.kind != "unmeant")

    def _chinese(self, text: str) -> Iterable[Mention]:
        lowered = text.lower()
        at = 0
        while at < len(lowered):
            for length in range(min(self._longest_zh, len(lowered) - at), 0, -1):
                found = self._zh.get(lowered[at : at + length])
                if found:
                    yield Mention(found, at, at + length)
                    at += length
                    break
            else:
                at += 1

    def _english(self, text: str) -> Iterable[Mention]:
        tokens = words(text)
        at = 0
        while at < len(tokens):
            longest = self._longest_english(tokens, at)
            with_gap = self._with_gap(text.lower(), tokens, at)
            if with_gap and (longest is None or with_gap[2] > longest[2]):
                longest = with_gap
            if longest is None:
                at += 1
                continue
            found, end, _ = longest
            yield Mention(found, tokens[at][1], tokens[end - 1][2])
            head = tokens[at][0]
            at = end
            while after := self._shared_head(head, tokens, at):
                found, end, _ = after
                yield Mention(found, tokens[at + 1][1], tokens[end - 1][2])
                at = end

    def _longest_english(
        self, tokens: Sequence[Token], at: int
    ) -> tuple[tuple[Concept, ...], int, int] | None:
        """What a name of adjoining words stands for: concepts, end, words matched."""
        for length in range(min(_LONGEST_EN, len(tokens) - at), 0, -1):
            found = self._en.get(tuple(t[0] for t in tokens[at : at + length]))
            if found:
                return found, at + length, length
        return None

    def _shared_head(
        self, head: str, tokens: Sequence[Token], at: int
    ) -> tuple[tuple[Concept, ...], int, int] | None:
        """What goes on with a name's first word: "nose runny or blocked"."""
        if at >= len(tokens) or tokens[at][0] not in ("or", "and"):
            return None
        for parts, concepts in self._gapped.get(head, ()):
            end = at + 1 + len(parts[1])
            shared = len(parts) == 2 and len(parts[0]) == 1
            if shared and tuple(t[0] for t in tokens[at + 1 : end]) == parts[1]:
                return concepts, end, len(parts[1])
        return None

    def _with_gap(
        self, text: str, tokens: Sequence[Token], at: int
    ) -> tuple[tuple[Concept, ...], int, int] | None:
        """The same for a name with gaps."""
        best: tuple[tuple[Concept, ...], int, int] | None = None
        for parts, concepts in self._gapped.get(tokens[at][0], ()):
            end = _end_of(parts, text, tokens, at)
            matched = sum(len(p) for p in parts)
            if end and (best is None or (matched, -end) > (best[2], -best[1])):
                best = concepts, end, matched
        return best


def _read(name: str) -> list[Concept]:
    text = (files("records") / "lexicon" / f"{name}.json").read_text(encoding="utf-8")
    return [
        Concept(
            id=row["id"],
            kind=row["kind"],
            zh=tuple(row["zh"]),
            en=tuple(row["en"]),
            parents=tuple(row.get("parents", ())),
            head=row.get("head"),
            site=row.get("site"),
        )
        for row in json.loads(text)
    ]


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The bundled lexicon of the history, read once."""
    return Lexicon(concept for name in LEXICON_FILES for concept in _read(name))
