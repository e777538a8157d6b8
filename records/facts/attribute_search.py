"""The clauses that tell an attribute of a symptom: when, where, how bad, what makes it worse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from records.facts.attributes import Attribute, attribute_words
from records.facts.fact_index import Fact, FactIndex
from records.facts.lexicon import load_lexicon
from records.facts.narrowing import circumstances, conditions, narrowed
from records.facts.text_content import content
from records.facts.unit_matching import CURRENT, OF_OTHERS, matches, other_side, own_symptoms
from records.facts.units import GENERAL, Unit

_REFERS_BACK = re.compile(
    r"症状|病情|疼痛|^(?:其|该|发作|每次|休息|持续|自行|可|约|反复|多在|伴|特别|尤其)|"
    r"\b(?:it|these|this|they|symptoms?|episodes?|pain|attacks?|lesion|condition|rash|mass)\b",
    re.IGNORECASE,
)
_ONE_EPISODE = re.compile(
    r"每次|一次|[疼痛发抽晕]起来|一阵|[昏晕].{0,3}多|each|every time|\bepisodes?\b|attacks?\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"持续(?!.{0,4}(?:小时|[天日年月]))|每次|就是|一会|短暂|一过性|片刻|\d\s*(?:分钟|秒)|\blast|minutes?|seconds?",
    re.IGNORECASE,
)
_WHICH_SIDE = re.compile(
    r"一样|对称|哪一?[边侧条只个].*(?:更|比较|重|厉害)|which side", re.IGNORECASE
)
_WORSENED = re.compile(r"加重|加剧|重了|厉害了|恶化|worse")
_ONLY_WORSE = re.compile(r"^(?:再次)?(?:加重|加剧)")
_ASKS_ONE = {"trigger", "relief", "course", "cause", "severity"}
OPEN = re.compile(r"什么|哪|怎|如何|\b(?:what|anything|any|how|something)\b", re.IGNORECASE)
_SWAY_WORDS = content(
    "better, worse, worst, improve, bad, relief, relieve, ease, help, cause", "en"
)
_RELIEF = re.compile(
    r"缓解|好转|减轻|改善|见好|relie|improv|better|resolv|go(?:es)? away", re.IGNORECASE
)
_NAMED = re.compile(r"诊断|说是|确诊")
_ASKS_YEARS = re.compile(r"[几多]少?年|年头")
_ASKS_CHANGE = re.compile(r"见[好轻重]|[轻重]点|好点|[轻重好]了|好转|减轻|加重|缓解|改善")
_UNIMPROVED = re.compile(r"[未没无](?:见|有)?(?:明显)?(?:改善|好转|缓解|减轻|见好)")
_CHANGE = re.compile(
    r"缓解|好转|减轻|改善|见好|加重|加剧|明显|严重|relie|improv|better|worse|help|aggravat",
    re.IGNORECASE,
)


def answering_attributes(
    attributes: Sequence[Attribute],
    about: Sequence[Unit],
    clause: str,
    index: FactIndex,
    spoken_of: Sequence[Fact] = (),
) -> tuple[Fact, ...]:
    """The clauses that tell an attribute of what is asked about, else of the chief complaint.

    If the record denies what is asked about, the denial answers. Where nothing is named,
    `spoken_of` holds the facts that the last answer told.
    """
    base: list[Fact]
    if spoken_of and not about:
        base = [f for f in spoken_of if f.present]
    elif about:
        base = [
            f
            for f in index.facts
            if not f.topics & OF_OTHERS and any(matches(u, f, index) for u in about)
        ]
        if not any(f.present for f in base):
            return tuple(base)
        base = [f for f in base if f.present]
        if not any(u.formerly for u in about) and not _ASKS_YEARS.search(clause):
            base = [f for f in base if f.finding.section in CURRENT] or base
    else:
        names = frozenset(c for f in index.complaint for c in f.direct)
        names |= frozenset(
            a
            for c in symptoms_only(names)
            for a in load_lexicon().ancestors(c)
            if a not in GENERAL and load_lexicon().concepts[a].kind == "symptom"
        )
        base = [
            f
            for f in index.facts
            if f.present
            and f.finding.section in CURRENT
            and (f in index.complaint or f.concepts & names)
        ]
    near = neighbours(base, index)
    if (
        index.language == "zh"
        and about
        and all(c.kind == "condition" for u in about for c in u.concepts)
    ):
        # An illness that has a name is dated by its own clause or by the one that it explains.
        dated = {b.order - 1 for b in base if _NAMED.search(b.own_words)}
        near = [f for f in near if f.order in dated]
    told = frozenset(c for f in base for c in f.direct)
    if about and any(f in index.complaint or f.direct & told for f in index.complaint):
        near += [f for f in index.facts if f not in base and f not in near and _sways(f)]
    if not about and not spoken_of:
        near += [f for f in index.facts if f not in base and f not in near and _floats(f)]
    near = [f for f in near if not any(other_side(u, f) for u in about)]
    loose = [f for f in index.facts if f.finding.section in CURRENT]
    words = attribute_words(index.language)
    under = circumstances(clause, index.language)
    swayed = [f for f in (*base, *near) if f.direct & under and _CHANGE.search(f.own_words)]
    found = {f.order: f for f in swayed if {"trigger", "relief", "course"} & set(attributes)} | {
        f.order: f
        for attribute in attributes
        for f in (*base, *near, *(g for g in loose if _stands_alone(g, attribute)))
        if _tells(f, attribute, words[attribute].answer, clause)
    }
    yes_no = index.language == "en" and {"trigger", "relief"} & set(attributes)
    if yes_no and set(attributes) <= _ASKS_ONE and not OPEN.search(clause):
        # "Is it worse when you bend?" asks for bending, not for all that makes it worse.
        asked = content(clause, index.language) - _SWAY_WORDS
        asked -= frozenset(w for u in about for w in content(u.words, index.language))
        named = {n: f for n, f in found.items() if asked & content(f.own_words, index.language)}
        found = named or found
    if not found and set(attributes) == {"severity"}:  # "Only now and then" tells how bad it is.
        return answering_attributes(("frequency",), about, clause, index, spoken_of)
    ordered = tuple(found[n] for n in sorted(found))
    return narrowed(ordered, attributes, clause, under) if index.language == "zh" else ordered


def under_circumstance(
    found: tuple[Fact, ...], clause: str, unit: Unit, index: FactIndex
) -> tuple[Fact, ...]:
    """What is told of a symptom under a circumstance that the question names; else all of it.

    Args:
        found: the facts about the symptom.
        clause: the question's words.
        unit: the symptom asked for.
        index: the patient's facts.
    """
    named = {c.id for c in unit.concepts}
    under = circumstances(clause, index.language) | conditions(clause, index.language)
    under = frozenset(
        c for c in under if c not in named and not named & load_lexicon().ancestors(c)
    )
    if not under:
        return found
    near = [
        f for f in neighbours([g for g in found if g.present], index) if _CHANGE.search(f.own_words)
    ]
    told = [f for f in (*found, *near) if f.direct & under]
    return tuple(sorted(told, key=lambda f: f.order)) or found


def effect_of_treatment(
    felt: Sequence[Unit],
    index: FactIndex,
    spoken_of: Sequence[Fact] = (),
    medicines: Sequence[Unit] = (),
) -> tuple[Fact, ...]:
    """What came of the treatments taken for the present illness.

    Args:
        felt: symptoms named, whose change is wanted alone if it is told.
        index: the patient's facts.
        spoken_of: what the last answer told: if that is past, so is the treatment asked about.
        medicines: medicines named, likewise.
    """
    pattern = attribute_words(index.language)["effect"].answer
    treated = {f.sentence for f in index.facts if "treatment" in f.topics}
    found = tuple(
        f
        for f in index.facts
        if pattern.search(f.own_words)
        and (
            "treatment" in f.topics
            or (f.sentence in treated and not own_symptoms(f))
            or (f.sentence in treated and _UNIMPROVED.search(f.own_words))
        )
    )
    of_past = bool(spoken_of) and not any(f.finding.section in CURRENT for f in spoken_of)
    found = tuple(f for f in found if (f.finding.section in CURRENT) != of_past) or found
    if medicines:
        found = tuple(f for f in found if any(matches(u, f, index) for u in medicines)) or found
    return tuple(f for f in found if any(matches(u, f, index) for u in felt)) or found


def _stands_alone(fact: Fact, attribute: Attribute) -> bool:
    """Whether a clause may tell an attribute far from what it is an attribute of."""
    if attribute == "cause":
        return fact.present and (not own_symptoms(fact) or "诱因" in fact.own_words)
    return attribute == "radiation" and bool(fact.concepts & GENERAL)


def symptoms_only(concepts: Iterable[str]) -> list[str]:
    """The ids of concepts that are symptoms."""
    known = load_lexicon().concepts
    return [c for c in concepts if known[c].kind == "symptom"]


_SWAYS = re.compile(
    r"\W*(?:the )?(?:symptoms? |pain )?(?:(?:is|are|get|gets) )?"
    r"(?:worse|worsen|exacerbat|aggravat|improv|better|relie[fv])",
    re.IGNORECASE,
)


def _sways(fact: Fact) -> bool:
    """Whether a clause tells what makes the complaint better or worse, without naming it."""
    return fact.finding.section in CURRENT and bool(_SWAYS.match(fact.own_words))


def _floats(fact: Fact) -> bool:
    """Whether a clause speaks of "the symptoms" without naming any."""
    return (
        fact.finding.section in CURRENT
        and not own_symptoms(fact)
        and bool(_REFERS_BACK.search(fact.own_words))
    )


def _tells(fact: Fact, attribute: Attribute, pattern: re.Pattern[str], clause: str) -> bool:
    if attribute in ("onset", "duration"):
        if (
            _ONLY_WORSE.match(fact.own_words) and not _WORSENED.search(clause)
        ) or "relief" in fact.finding.attributes:
            return False
        if _RELIEF.search(fact.own_words) and not own_symptoms(fact):
            return False
        if attribute == "duration" and _ONE_EPISODE.search(clause):
            return bool(_LASTING.search(fact.own_words))
        if {"onset", "duration"} & set(fact.finding.attributes):
            return True
    if attribute in fact.finding.attributes:
        return True
    went = _ASKS_CHANGE.search(clause) and _CHANGE.search(fact.own_words)
    if attribute == "course" and went:
        return True
    if attribute == "course" and ("relief" in fact.finding.attributes or fact.direct & {"rest"}):
        return False
    if attribute == "site" and _WHICH_SIDE.search(clause):
        return fact.side is not None
    if attribute == "site" and fact.own_sites:
        return True
    return bool(pattern.search(fact.own_words))


def neighbours(base: Sequence[Fact], index: FactIndex) -> list[Fact]:
    """Clauses that go on about the same, in the same or the next sentence: no other is named."""
    names = frozenset(c for f in base for c in f.concepts)
    same = {f.sentence for f in base}
    after = {(section, n + 1) for section, n in same}
    back = {f.sentence for f in index.facts if _REFERS_BACK.search(f.own_words)}
    return [
        f
        for f in index.facts
        if f not in base
        and (f.present or f.finding.attributes or _RELIEF.search(f.own_words))
        and f.finding.section in CURRENT
        and own_symptoms(f) <= names
        and (
            f.sentence in same
            or (f.sentence in after and (f.sentence in back or f.finding.section == "persona"))
        )
    ]
