"""Facts out of statements: one for each thing told, wherever and in whatever words it was told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from records.rebuild.provenance import Place, support_of
from records.rebuild.statement import DENIABLE, PLAIN, Statement, named_concepts

_WITH_TERMS = re.compile(
    r"其[他它]|别的|[时后]|夜|空腹|白天|晚上|特别|明显|剧烈|严重|太|很|非常|持续|一直|经常|任何部位|同时|加重"
)
"""Words of a denial that leave room for what it denies."""
_QUALITY = re.compile(
    r"红|刺痛|胀痛|绞痛|钝痛|隐痛|灼|放射|撕裂|跳痛|酸痛|压痛|触痛|血|大量|高热|高烧"
)
_FINE = re.compile(
    r"正常|还好|还行|可以|良好|没问题|不(?:是|算|太|很|常|怎么)*(?:困难|明显|严重)|[不没].{0,2}影响"
)
"""Words that name a symptom or a function only to say that all is well with it."""
_LIKE = 0.6
"""Least share of a fact's words that a statement of it in other words must have."""
_SAME_TIME = 1.35
"""Two times whose ratio is below it are one time told roughly ("半个月", "两周")."""


@dataclass(frozen=True)
class Fact:
    """One thing told in one or more messages; its words are those of the first."""

    first: Statement
    places: frozenset[Place]
    opening: bool
    contradicts: frozenset[int] = field(default_factory=frozenset)
    """Positions of the facts that cannot be true beside it."""

    @property
    def present(self) -> bool:
        """False for what was denied."""
        return self.first.present

    @property
    def corroborated(self) -> bool:
        """Whether more than one answer stands behind it."""
        return support_of(self.places, opening=self.opening) != "single"


def merge(statements: Sequence[Statement]) -> tuple[Fact, ...]:
    """One fact for each thing told, those of the opening complaint first."""
    ordered = sorted(statements, key=lambda s: (not s.opening, s.place.dialogue, s.order, s.start))
    groups: list[list[Statement]] = []
    for statement in ordered:
        group = next((g for g in groups if _same(g[0], statement)), None)
        if group is None:
            groups.append([statement])
        else:
            group.append(statement)
    facts = _without_parts([_fact(group, ordered) for group in groups])
    return tuple(
        replace(
            fact,
            contradicts=frozenset(
                i for i, other in enumerate(facts) if contradicts(fact.first, other.first)
            ),
        )
        for fact in facts
    )


def _fact(group: Sequence[Statement], everything: Sequence[Statement]) -> Fact:
    first = group[0]
    behind = [s for s in everything if s is first or _tells(s, first)]
    return Fact(
        first,
        frozenset(s.place for s in [*group, *behind]),
        any(s.opening for s in [*group, *behind]),
    )


def _without_parts(facts: Sequence[Fact]) -> list[Fact]:
    """The facts without those that a fuller one of no less support tells; none that is disputed."""
    # Ordered by fullness, so that of two that tell each other one stays.
    full = [(len(fact.first.content), -i) for i, fact in enumerate(facts)]
    kept = []
    for i, fact in enumerate(facts):
        told_by = any(
            full[j] > full[i]
            and (other.first.opening, other.corroborated) >= (fact.first.opening, fact.corroborated)
            and _tells(other.first, fact.first)
            for j, other in enumerate(facts)
        )
        if not told_by or any(contradicts(fact.first, other.first) for other in facts):
            kept.append(fact)
    return kept


def _same(one: Statement, other: Statement) -> bool:
    return _tells(one, other) and _tells(other, one)


def _tells(teller: Statement, fact: Statement) -> bool:
    """Whether a statement tells a fact, and perhaps more."""
    if teller.present != fact.present or _times_differ(teller, fact):
        return False
    if (teller.section == "family_history") != (fact.section == "family_history"):
        return False
    if teller.symptom == fact.symptom:
        return True
    if not fact.content or (teller.sites and fact.sites and not teller.sites & fact.sites):
        return False
    if fact.concepts:
        if not fact.concepts <= teller.concepts:
            return False
        # A denial of the thing denies it however it would be: what else is said does not count.
        return not fact.present or not fact.beyond or _share(fact.beyond, teller.content) >= _LIKE
    return len(fact.content) > 1 and _share(fact.content, teller.content) >= _LIKE


def _share(wanted: frozenset[str], told_: frozenset[str]) -> float:
    return len(wanted & told_) / len(wanted)


def contradicts(one: Statement, other: Statement) -> bool:
    """Whether two statements of a patient cannot both be true."""
    if (one.section == "family_history") != (other.section == "family_history"):
        return False
    if one.present != other.present:
        present, denied = (one, other) if one.present else (other, one)
        return _denies(denied, present)
    return (
        one.present
        and one.place.dialogue != other.place.dialogue
        and bool(one.concepts)
        and one.concepts == other.concepts
        and one.sites == other.sites
        and _times_differ(one, other)
    )


def _denies(denied: Statement, present: Statement) -> bool:
    """Whether what is denied, without any qualification, is what is affirmed."""
    if _WITH_TERMS.search(denied.text) or _FINE.search(present.text):
        return False
    if denied.symptom == present.symptom:
        return True
    if _QUALITY.findall(denied.about) != _QUALITY.findall(present.about):
        return False
    if denied.beyond or denied.concepts != present.concepts or denied.sites != present.sites:
        return False
    return any(kind in PLAIN for _, kind in named_concepts(denied.about)) or bool(
        denied.concepts & DENIABLE
    )


def _times_differ(one: Statement, other: Statement) -> bool:
    if one.days is None or other.days is None:
        return False
    low, high = sorted((one.days, other.days))
    return high > low * _SAME_TIME
