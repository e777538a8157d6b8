"""Whether a fact is about what a question names: concept, place and side."""

from __future__ import annotations

import re
from collections.abc import Iterable

from records.facts.fact_index import Fact, FactIndex, Place
from records.facts.lexicon import Concept, load_lexicon
from records.facts.units import GENERAL, Unit

CURRENT = ("persona", "chief_complaint", "history_of_present_illness")
"""Sections that tell of the present illness."""
OF_OTHERS = frozenset({"family", "contacts"})
"""Topics of a clause that tells of other people's illness."""
BODY_FUNCTIONS = frozenset({"sleep", "bowel", "urination", "weight", "mood"})
"""Topics that are felt, so that a clause about one is about nothing else."""
_SAME_THING = {"mass": "swelling", "swelling": "mass"}
"""General symptoms that patients and records use for each other at one place."""
_ORGAN = {
    "site_bladder": "g_urinary",
    "site_kidney": "g_urinary",
    "site_epigastrium": "g_digestive",
    "site_heart": "g_cardiac",
    "site_lung": "g_respiratory",
    "site_eye": "g_eye",
    "site_skin": "g_skin",
}
"""The complaints that answer a question for an organ alone ("any trouble with your eyes?")."""
ILLNESS_AT = {
    "site_heart": "c_heart",
    "site_lung": "c_lung",
    "site_kidney": "c_kidney",
    "site_liver": "c_liver",
    "site_epigastrium": "c_gi",
    "site_eye": "c_eye",
    "site_skin": "c_skin",
    "site_breast": "c_breast",
    "site_nose": "c_ent",
    "site_ear": "c_ent",
    "site_throat": "c_ent",
}
"""The group of illnesses of an organ that is named alone ("any trouble with your liver?")."""
_LIES_FLAT = re.compile(r"(?:可|能)平卧")
"""Says that one breathes well: no answer to a question for breathlessness in general."""
_WIDE_SITES = frozenset({"site_body"})


def related_sites(asked: str, told: Iterable[str]) -> bool:
    """Whether a told site is the asked one, inside it, or around it; the whole body is neither."""
    lexicon = load_lexicon()
    above = lexicon.ancestors(asked) - _WIDE_SITES - {"site_joint"}
    return any(asked in lexicon.ancestors(site) or site in above for site in told)


def _told_places(head: str, fact: Fact) -> list[Place]:
    ancestors = load_lexicon().ancestors
    heads = {head, _SAME_THING.get(head, head)}
    return [p for p in fact.places if heads & ancestors(p[0])]


def _names(concept: Concept, unit: Unit, fact: Fact, index: FactIndex) -> bool:
    """Whether a fact is about a concept, at the sites asked if any."""
    head = concept.head or concept.id
    asked = [concept.site] if concept.site else [s.id for s in unit.sites]
    told = [site for _, site in _told_places(head, fact)]
    if asked and told:
        return any(related_sites(site, told) for site in asked)
    if concept.id in fact.concepts and not told:
        return not asked or fact.finding.section in CURRENT or concept.id not in GENERAL
    if concept.id in GENERAL and not asked:
        here = [s for h, s in index.complaint_places if load_lexicon().ancestors(h) & {head}]
        if here and told:
            return any(related_sites(site, here) for site in told)
    return concept.id in fact.concepts and not (asked and not concept.site)


def other_side(unit: Unit, fact: Fact) -> bool:
    """Whether a fact is of the other side of the body than asked."""
    return bool(unit.side and fact.side and unit.side != fact.side)


def _denies_elsewhere(concept: Concept, unit: Unit, fact: Fact) -> bool:
    """Say whether a denial is of less than what is asked: no chest pain is not no pain."""
    if fact.present or concept.kind != "symptom" or concept.id in fact.direct:
        return False
    asked = [concept.site] if concept.site else [s.id for s in unit.sites]
    told = {site for _, site in _told_places(concept.head or concept.id, fact)}
    ancestors = load_lexicon().ancestors
    return not any(told & ancestors(site) for site in asked)


def matches(unit: Unit, fact: Fact, index: FactIndex) -> bool:
    """Whether a fact is about what is named."""
    if other_side(unit, fact):
        return False
    if _LIES_FLAT.search(fact.own_words) and not unit.has({"orthopnea", "pnd"}):
        return False
    at_site = any(
        s.id in fact.sites or {_ORGAN.get(s.id), ILLNESS_AT.get(s.id)} & fact.concepts
        for s in unit.sites
    )
    if unit.has({"discomfort"}) and any(s.id in fact.sites for s in unit.sites):
        return True
    if unit.has({"clear_mind"}) and "loss_of_consciousness" in fact.concepts:
        return True
    if unit.concepts:
        return any(
            _names(c, unit, fact, index) and not _denies_elsewhere(c, unit, fact)
            for c in unit.concepts
        )
    return at_site


def own_symptoms(fact: Fact) -> frozenset[str]:
    """Symptoms, illnesses and body functions that a clause names: what it is about by itself."""
    concepts = load_lexicon().concepts
    return frozenset(
        c
        for c in fact.direct - {"discomfort"}
        if concepts[c].kind in ("symptom", "condition") or c in BODY_FUNCTIONS
    )
