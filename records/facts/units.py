"""The things that a question names: a symptom, a topic, a medicine, each with its site and side."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from records.facts.lexicon import Concept, ConceptKind, Mention, load_lexicon
from records.facts.question_words import Tongue
from records.medical_record import Language

Side = Literal["left", "right"]
GENERAL = frozenset(
    {"pain", "swelling", "numbness", "weakness", "itching", "mass", "bleeding", "discharge"}
    | {"stiffness", "redness", "discomfort", "burning", "deformity", "limited_motion"}
)
"""Symptoms that say nothing until a place is named."""


@dataclass(frozen=True)
class Unit:
    """One thing named in a question."""

    words: str
    concepts: tuple[Concept, ...]
    """What its word may stand for; empty if the lexicon does not know it."""
    sites: tuple[Concept, ...] = ()
    """Body sites named with it."""
    side: Side | None = None
    formerly: bool = False
    """Whether it is asked for in the past."""

    def has(self, ids: Collection[str]) -> bool:
        """Whether its word may stand for one of these concepts."""
        return any(c.id in ids for c in self.concepts)

    def of_kind(self, kind: ConceptKind) -> bool:
        """Whether its word may stand for a concept of a kind."""
        return any(c.kind == kind for c in self.concepts)

    @property
    def felt(self) -> bool:
        """Whether it is something a patient feels, as against a history that one knows."""
        return not self.concepts or any(
            c.kind in ("symptom", "circumstance") or c.id.startswith("g_") for c in self.concepts
        )


def read_units(
    clause: str, language: Language, tongue: Tongue, keep_conditions: bool
) -> tuple[Unit, ...]:
    """The things named in a clause, item by item; a site carries over to items without one."""
    mentions = load_lexicon().mentions(clause, language)
    if not keep_conditions:
        mentions = _without_conditions(clause, mentions, language, tongue)
    cuts = [0, *(m.start() for m in tongue.item.finditer(clause)), len(clause)]
    units: list[Unit] = []
    carried: tuple[Concept, ...] = ()
    waiting: tuple[Concept, ...] = ()
    for start, end in pairwise(cuts):
        words = clause[start:end]
        inside = [m for m in mentions if start <= m.start < end]
        sites = tuple(c for m in inside for c in m.concepts if c.kind == "site")
        heads = [m for m in inside if any(c.kind != "site" for c in m.concepts)]
        if (
            sites
            and not heads
            and any(m.start >= end and m.concept.kind != "site" for m in mentions)
        ):
            waiting += sites  # "arm or leg weakness", "kidney or bladder infections"
            continue
        if sites and not heads and units and units[-1].sites and units[-1].concepts:
            units[-1] = replace(units[-1], sites=units[-1].sites + sites)  # "pain in arms or legs"
            continue
        carried = waiting + sites or carried
        waiting = ()
        side = side_of(words)
        units += [
            Unit(
                clause[m.start : m.end],
                tuple(c for c in m.concepts if c.kind != "site"),
                carried,
                side,
            )
            for m in heads
        ]
        if sites and not heads:
            units.append(Unit(words.strip(), (), sites, side))
        elif not inside and end > start:
            units.append(Unit(tongue.item.sub("", words).strip(), ()))
    if language == "zh":
        units = _implied_sites(units, clause)
    return _lend_sites(units)


_I = re.IGNORECASE
_LEFT = re.compile(r"左|\bleft\b", _I)
_RIGHT = re.compile(r"右|\bright\b(?! (?:now|away|after))", _I)


def side_of(text: str) -> Side | None:
    """The side of the body that a short text names; None for both or neither."""
    left, right = _LEFT.search(text), _RIGHT.search(text)
    if bool(left) == bool(right):
        return None
    return "left" if left else "right"


def _implied_sites(units: list[Unit], clause: str) -> list[Unit]:
    """Put a pain where a symptom named with it is: 胸闷的时候疼吗."""
    lexicon = load_lexicon()
    named = (c for m in lexicon.mentions(clause, "zh") for c in m.concepts)
    sites = tuple(lexicon.concepts[c.site] for c in named if c.site)[:1]
    return [
        replace(u, sites=sites) if not u.sites and [c.id for c in u.concepts] == ["pain"] else u
        for u in units
    ]


def _lend_sites(units: list[Unit]) -> tuple[Unit, ...]:
    """Give an item before the first site that site too: "pain or swelling in your knee"."""
    for n, unit in enumerate(units):
        if unit.sites or not unit.concepts:
            continue
        later = next((u.sites for u in units[n + 1 :] if u.sites and u.concepts), ())
        if later and all(c.id in GENERAL for c in unit.concepts):
            units[n] = replace(unit, sites=later)
    return tuple(units)


def _without_conditions(
    clause: str, mentions: tuple[Mention, ...], language: Language, tongue: Tongue
) -> tuple[Mention, ...]:
    """Drop what only says when ("… when you climb stairs", 走路时), unless nothing else is left."""
    if language == "zh":
        kept = tuple(
            m
            for m in mentions
            if not tongue.condition.match(clause, m.end)
            and not tongue.condition.match(clause[m.end :])
        )
    else:
        kept = tuple(m for m in mentions if not tongue.condition.search(clause[: m.start]))
    main = [m for m in kept if any(c.kind != "site" for c in m.concepts)]
    return kept if main else mentions
