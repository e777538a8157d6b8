"""What of the things named in a question is asked for, and what only sets the scene."""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.facts.lexicon import load_lexicon
from records.facts.unit_matching import ILLNESS_AT
from records.facts.units import Unit

_DEEDS = frozenset({"medication", "treatment", "prior_tests", "prior_diagnosis", "adherence"})
_REMEDIES = frozenset({"medication", "treatment"})
_ILLNESS = frozenset({"past_illness", "past_history_all"})
_VISITED = re.compile(r"看过|瞧过|去过|就诊|就医|看没看|治没治|visited|seen|been to", re.IGNORECASE)
_HOME_PEOPLE = re.compile(r"^(?:家[里中]?面?人?|大人)$")
_OF_HOME = frozenset({"animals", "living"})
_HOME = re.compile(r"^家[里中]?面?$")
_WHILE_ASLEEP = re.compile(r"^(?:睡觉|晚上睡|夜里睡|睡着|觉|夜间睡眠)$")


def asked_units(units: Sequence[Unit], text: str) -> tuple[Unit, ...]:
    """The units asked for: not the clinic beside what was given there, nor sleep beside snoring.

    Args:
        units: what a question names.
        text: the question's words.
    """
    kept = list(units)
    if any(u.has(_DEEDS) for u in kept) and not _VISITED.search(text):
        kept = [u for u in kept if {c.id for c in u.concepts} != {"care_sought"}]
    if any(u.has(_REMEDIES) or u.has({"adherence"}) for u in kept):
        # "Since the injury, was it treated?", "the pills for epilepsy": the remedy alone is asked.
        kept = [u for u in kept if not _only(u, ("circumstance",))]
        if not any(u.has(_ILLNESS) for u in kept):
            kept = [u for u in kept if not (_only(u, ("condition",)) and _is_treated(u, text))]
    if any(u.has({"sequelae"}) for u in kept):
        kept = [u for u in kept if not u.has({"treatment"}) and not _only(u, ("condition",))]
    if any(u.has({"contacts"}) for u in kept):
        kept = [u for u in kept if not (u.has({"family"}) and _HOME_PEOPLE.search(u.words))]
    if any(u.has(_OF_HOME) for u in kept):
        kept = [u for u in kept if not (u.has({"family"}) and _HOME.search(u.words))]
    if any(u.has({"contacts"}) for u in kept):
        kept = [u for u in kept if not _only(u, ("condition", "group"))]
    if any(u.of_kind("symptom") and not u.of_kind("topic") for u in kept):
        kept = [u for u in kept if not (u.has({"sleep"}) and _WHILE_ASLEEP.search(u.words))]
    return tuple(k for u in kept for k in _of_organs(u))


def _only(unit: Unit, kinds: Sequence[str]) -> bool:
    return bool(unit.concepts) and all(c.kind in kinds for c in unit.concepts)


def _is_treated(unit: Unit, text: str) -> bool:
    """Whether a Chinese remedy is named by its illness: 抗癫痫的药."""
    at = text.find(unit.words)
    before, after = text[max(0, at - 2) : at], text[at + len(unit.words) :]
    return bool(re.search(r"[抗治降]$", before) or re.match(r"的?(?:药|针)|[吃用服]", after))


def _of_organs(unit: Unit) -> tuple[Unit, ...]:
    """Read "illnesses of heart, lungs and kidneys" as one illness group for each organ."""
    if not unit.sites or not (unit.has(_ILLNESS) or _only(unit, ("group",))):
        return (unit,)
    concepts = load_lexicon().concepts
    groups = [ILLNESS_AT[s.id] for s in unit.sites if s.id in ILLNESS_AT]
    found = tuple(
        Unit(unit.words, (concepts[g],), (), unit.side, unit.formerly)
        for g in dict.fromkeys(groups)
    )
    if unit.has(_ILLNESS):
        return found or (unit,)
    return (*found, Unit(unit.words, unit.concepts, (), unit.side, unit.formerly))
