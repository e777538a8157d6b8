"""Which findings a statement tells: a patient's message, a part of a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from records.facts.fact_index import Place, places_of
from records.facts.fact_topics import RELATIVE_SPEAKS
from records.facts.lexicon import Mention, load_lexicon
from records.facts.negation import is_negated
from records.facts.text_content import content
from records.facts.unit_matching import related_sites
from records.facts.units import Side, side_of
from records.medical_record import Finding, HistorySection, Language

_CLAUSE = {
    "zh": re.compile(r"[^。；;！!？?\n，,]+"),
    "en": re.compile(r"(?:[^.;!?\n]|(?<=\d)\.(?=\d))+"),
}
_SAME_WORDS = 0.6
"""Least share of a finding's content that a clause must hold where the lexicon knows no word."""
_NAMED = ("symptom", "condition", "circumstance", "topic", "group", "medicine")


@dataclass(frozen=True)
class _Said:
    """One thing that a clause says."""

    present: bool
    concepts: frozenset[str]
    places: frozenset[Place]
    side: Side | None
    kin: bool
    """Whether the clause speaks of a relative."""


def stated_findings(text: str, findings: Sequence[Finding], language: Language) -> tuple[str, ...]:
    """Ids of the findings that a statement tells, with the same polarity.

    Args:
        text: what was said or written.
        findings: the findings to look for.
        language: the language of both.
    """
    return StatedFindings(findings, language).stated_in(text)


class StatedFindings:
    """The same for one text after another, as long as the findings stay the same.

    Args:
        findings: the findings to look for.
        language: theirs, and that of the texts.
    """

    def __init__(self, findings: Sequence[Finding], language: Language) -> None:
        self._language: Language = language
        self._sought = tuple(
            (finding, _wanted(finding.symptom, finding.text, finding.section, language))
            for finding in findings
        )
        self._by_words = any(not wanted.concepts for _, wanted in self._sought)

    def stated_in(self, text: str) -> tuple[str, ...]:
        """Ids of the findings that a statement tells, with the same polarity."""
        said: list[_Said] = []
        contents: list[frozenset[str]] = []
        for clause in _CLAUSE[self._language].finditer(text):
            said += _things_said(clause.group(), text, clause.start(), self._language)
            if self._by_words:
                contents.append(content(clause.group(), self._language))
        heard = frozenset(concept for thing in said for concept in thing.concepts)
        return tuple(
            finding.id
            for finding, wanted in self._sought
            # Hardly any finding is of what was heard; the others need no second look.
            if not (wanted.named and heard.isdisjoint(wanted.named))
            and _is_told(finding, wanted, said, contents)
        )


def _things_said(clause: str, text: str, offset: int, language: Language) -> list[_Said]:
    mentions = _mentions(clause, language)
    places = places_of(mentions, load_lexicon())
    side, kin = side_of(clause), _of_kin(clause, language)
    found: list[_Said] = []
    for mention in mentions:
        concepts = frozenset(c.id for c in mention.concepts if c.kind in _NAMED)
        if concepts:
            present = not is_negated(text, offset + mention.start, language)
            if present:
                # A dry cough is a cough; that there is no dry cough says nothing of coughs.
                concepts |= _kinds_of(concepts)
            found.append(_Said(present, concepts, places, side, kin))
    return found


def _is_told(
    finding: Finding,
    wanted: _Wanted,
    said: Sequence[_Said],
    contents: Sequence[frozenset[str]],
) -> bool:
    if not wanted.concepts:
        return finding.present and any(
            wanted.words and len(wanted.words & words) / len(wanted.words) >= _SAME_WORDS
            for words in contents
        )
    return any(
        thing.present == finding.present
        and thing.kin == wanted.kin
        and not (wanted.side and thing.side and wanted.side != thing.side)
        and (
            thing.concepts & wanted.concepts
            or (thing.concepts & wanted.wide and wanted.places and thing.places)
        )
        and _same_place(wanted.places, thing.places)
        for thing in said
    )


@dataclass(frozen=True)
class _Wanted:
    """What a clause must say to tell a finding."""

    concepts: frozenset[str]
    wide: frozenset[str]
    """What the concepts are kinds of."""
    named: frozenset[str]
    """Both; empty if the lexicon knows no concept."""
    places: frozenset[Place]
    side: Side | None
    kin: bool
    words: frozenset[str]
    """Looked for where the lexicon knows no concept."""


@lru_cache(maxsize=8192)
def _wanted(symptom: str, text: str, section: HistorySection, language: Language) -> _Wanted:
    """A record's findings are sought in every message of its every visit."""
    lexicon = load_lexicon()
    mentions = _mentions(symptom, language)
    concepts = frozenset(c.id for m in mentions for c in m.concepts if c.kind in _NAMED)
    wide = frozenset(a for c in concepts for a in lexicon.ancestors(c))
    return _Wanted(
        concepts=concepts,
        wide=wide,
        named=concepts | wide,
        places=places_of(mentions, lexicon),
        side=side_of(text),
        kin=section == "family_history" or _of_kin(text, language),
        words=frozenset() if concepts else content(symptom, language),
    )


@lru_cache(maxsize=8192)
def _mentions(text: str, language: Language) -> tuple[Mention, ...]:
    """The lexicon's words in a text; a record's findings are sought in one text after another."""
    return load_lexicon().mentions(text, language)


@lru_cache(maxsize=8192)
def _kinds_of(concepts: frozenset[str]) -> frozenset[str]:
    """The symptoms and conditions that these are kinds of; not the groups they are sorted under."""
    lexicon = load_lexicon()
    above = {a for concept in concepts for a in lexicon.ancestors(concept)}
    kinds = ("symptom", "condition")
    return frozenset(a for a in above if lexicon.concepts[a].kind in kinds)


@lru_cache(maxsize=8192)
def _of_kin(clause: str, language: Language) -> bool:
    if RELATIVE_SPEAKS.search(clause):  # "his mother reports" tells of him
        return False
    return any(c.id == "family" for m in _mentions(clause, language) for c in m.concepts)


def _same_place(wanted: frozenset[Place], told: frozenset[Place]) -> bool:
    heads = {head for head, _ in wanted}
    sites = [site for head, site in told if head in heads]
    return not wanted or not sites or any(related_sites(site, sites) for _, site in wanted)
