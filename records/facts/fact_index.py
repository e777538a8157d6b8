"""A patient's findings with the concepts, places and topics that each is about."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from records.facts.fact_topics import SEEKS_CARE, topics_of
from records.facts.lexicon import Lexicon, Mention, load_lexicon
from records.facts.units import GENERAL, Side, side_of
from records.medical_record import Finding, HistorySection, Language
from records.views import PatientView

Place = tuple[str, str]
"""A general symptom at a body site: ("pain", "site_knee")."""

_SENTENCE_END = re.compile(r"[。！？!?\n]|[.](?=\s|$)")


@dataclass(frozen=True, eq=False)
class Fact:
    """One finding and what it is about."""

    finding: Finding
    order: int
    """Its place among the view's findings."""
    own_words: str
    """The record's words for it alone."""
    direct: frozenset[str]
    """Concepts that it names, sites left out."""
    concepts: frozenset[str]
    """Those, and all wider ones."""
    sites: frozenset[str]
    """Body sites that it names, and all wider ones; a neighbour's if it names none."""
    own_sites: frozenset[str]
    """Body sites that it names itself, the whole body left out."""
    places: frozenset[Place]
    """General symptoms with the site that they are at, sites as named."""
    topics: frozenset[str]
    side: Side | None
    """The side of the body that it is on, if one."""
    sentence: tuple[HistorySection, int]
    """Section and number of the sentence that it stands in."""

    @property
    def id(self) -> str:
        """The finding's id."""
        return self.finding.id

    @property
    def present(self) -> bool:
        """False for a recorded negative."""
        return self.finding.present


@dataclass(frozen=True)
class FactIndex:
    """All facts of one view."""

    language: Language
    facts: tuple[Fact, ...]
    complaint: tuple[Fact, ...]
    """The facts of the chief complaint, of the persona's where the record has no other."""
    complaint_places: frozenset[Place]
    """Where the complaint's general symptoms are."""

    def by_id(self, finding_id: str) -> Fact:
        """The fact of a finding's id; KeyError if there is none."""
        for fact in self.facts:
            if fact.id == finding_id:
                return fact
        raise KeyError(finding_id)


def places_of(mentions: Sequence[Mention], lexicon: Lexicon) -> frozenset[Place]:
    """The general symptoms of a short text with every body site that it names."""
    sites = [c.id for m in mentions for c in m.concepts if c.kind == "site"]
    found: set[Place] = set()
    for concept in (c for m in mentions for c in m.concepts):
        if concept.head and concept.site:
            found.add((concept.head, concept.site))
        if concept.kind in ("symptom", "circumstance", "condition") or concept.id == "c_cancer":
            heads = [concept.id] if not concept.head else [concept.head]
            found.update((head, site) for head in heads for site in sites)
    return frozenset(found)


def _own_words(view: PatientView, finding: Finding) -> str:
    if finding.start is None or finding.end is None:
        return finding.text
    return view.section_text(finding.section)[finding.start : finding.end] or finding.text


def _fact(view: PatientView, finding: Finding, order: int, lexicon: Lexicon) -> Fact:
    own_words = _own_words(view, finding)
    mentions = lexicon.mentions(own_words, view.language)
    if finding.symptom not in own_words:
        mentions += lexicon.mentions(finding.symptom, view.language)
    named = [c for m in mentions for c in m.concepts]
    direct = frozenset(c.id for c in named if c.kind != "site")
    named_sites = [c.id for c in named if c.kind == "site"] + [c.site for c in named if c.site]
    sites = frozenset(a for site in named_sites for a in lexicon.ancestors(site))
    before = view.section_text(finding.section)[: finding.start or 0]
    return Fact(
        finding=finding,
        order=order,
        own_words=own_words,
        direct=direct,
        concepts=frozenset(a for c in direct for a in lexicon.ancestors(c)),
        sites=sites,
        own_sites=sites - {"site_body"},
        places=places_of(mentions, lexicon),
        topics=topics_of(finding, own_words, named, view.language),
        side=side_of(own_words),
        sentence=(finding.section, len(_SENTENCE_END.findall(before))),
    )


def _with_results(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """A clause after a test, in its sentence, that names nothing else is the test's result too."""
    found: list[Fact] = []
    for fact in facts:
        last = found[-1] if found else None
        if (
            last
            and "prior_tests" in last.topics
            and last.sentence == fact.sentence
            and not fact.topics
            and not SEEKS_CARE.search(fact.own_words)
            and "入院" not in fact.own_words
            and not any(
                load_lexicon().concepts[c].kind == "symptom" for c in fact.direct - {"mass"}
            )
        ):
            fact = replace(fact, topics=frozenset({"prior_tests"}))
        found.append(fact)
    return tuple(found)


_KIN_LIST = re.compile(r"\s*family history\b(?!.{0,20}\b(?:unremarkable|negative))", re.IGNORECASE)


def _with_kin(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """An illness listed after "family history includes" is of the family too."""
    found: list[Fact] = []
    for fact in facts:
        last = found[-1] if found else None
        kinds = {load_lexicon().concepts[c].kind for c in fact.direct}
        if (
            last
            and last.sentence == fact.sentence
            and "family" in last.topics
            and (_KIN_LIST.match(last.own_words) or last.topics == frozenset({"family"}))
            and kinds == {"condition"}
            and len(fact.own_words.split()) <= _SHORT_NAME
        ):
            fact = replace(fact, topics=frozenset({"family"}))
        found.append(fact)
    return tuple(found)


_SHORT_NAME = 4


def _with_places(facts: tuple[Fact, ...], language: Language) -> tuple[Fact, ...]:
    """A general symptom without a place is at the place of its neighbour in the sentence."""
    found = list(facts)
    order = (-1, 1) if language == "zh" else (1, -1)
    for n, fact in enumerate(facts):
        heads = fact.direct & GENERAL
        if not heads or fact.places or fact.sites:
            continue
        for step in order:
            beside = facts[n + step] if 0 <= n + step < len(facts) else None
            if beside and beside.sentence == fact.sentence and beside.places:
                sites = {site for _, site in beside.places}
                lent = frozenset((head, site) for head in heads for site in sites)
                found[n] = replace(
                    fact, places=lent, sites=beside.sites, side=fact.side or beside.side
                )
                break
    return tuple(found)


_CACHE: OrderedDict[tuple[object, ...], FactIndex] = OrderedDict()
_CACHE_SIZE = 64


def index_facts(view: PatientView) -> FactIndex:
    """The facts of a view, indexed once and kept for the last views asked about."""
    key = (
        view.record_id,
        view.language,
        tuple((f.id, f.text, f.present, f.start) for f in view.findings),
    )
    if key in _CACHE:
        _CACHE.move_to_end(key)
        return _CACHE[key]
    lexicon = load_lexicon()
    facts = _with_results(tuple(_fact(view, f, n, lexicon) for n, f in enumerate(view.findings)))
    if view.language == "en":
        facts = _with_kin(facts)
    facts = _with_places(facts, view.language)
    complaint = tuple(f for f in facts if f.finding.section == "chief_complaint") or tuple(
        f for f in facts if f.finding.section == "persona"
    )
    places = frozenset(p for f in complaint for p in f.places)
    index = FactIndex(view.language, facts, complaint, places)
    _CACHE[key] = index
    if len(_CACHE) > _CACHE_SIZE:
        _CACHE.popitem(last=False)
    return index
