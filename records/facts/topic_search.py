"""The facts on one topic of a history: illnesses, medicines, allergies, the family, habits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from records.facts.fact_index import Fact, FactIndex
from records.facts.fact_search import about_unit
from records.facts.lexicon import load_lexicon
from records.facts.text_content import content
from records.facts.unit_matching import BODY_FUNCTIONS, CURRENT, matches
from records.facts.units import Unit

_TESTS = tuple(
    (re.compile(asks), re.compile(words))
    for asks, words in (
        ("心电图", "心电图"),
        ("[彩B]超|超声", "超"),
        ("CT|ct", "CT"),
        ("拍.{0,2}片|照.{0,2}片|片子|胸片|光片", "片|CT|X线|X光|MRI|核磁"),
        ("核磁|磁共振|MRI", "核磁|磁共振|MRI"),
        ("胃镜|肠镜", "胃镜|肠镜"),
        ("[验查测].{0,2}尿|尿.{0,3}[查验]", "尿"),
        ("[测查].{0,2}血糖", "血糖"),
        ("[测量].{0,2}体温", "体温|℃"),
    )
)
"""How a Chinese question names a test, and the record's words for it."""
_WHAT = re.compile(r"什么|哪")
_AT_ADMISSION = re.compile(r"(?:入院|住院)(?:时|后)")
_SIMILAR = re.compile(r"类似|同样|同类|similar|same|like (?:this|it|that)\b", re.IGNORECASE)
_FOOD = re.compile(r"食物|食品|food|peanut|shellfish|花粉|尘螨|pollen|dust", re.IGNORECASE)
_DRUGS = re.compile(r"药|素|林|drug|medic|cillin", re.IGNORECASE)
_RELATIVES = {
    "father": re.compile(r"父|爸|\b(?:father|dad|parents?)\b", re.IGNORECASE),
    "mother": re.compile(r"(?<!祖)(?<!伯)母|妈|\b(?:mother|mom|mum|parents?)\b", re.IGNORECASE),
    "sibling": re.compile(r"兄|弟|姐|妹|哥|\b(?:brother|sister|sibling|twin)s?\b", re.IGNORECASE),
    "grandparent": re.compile(
        r"祖|爷|奶奶|外公|外婆|姥|\bgrand(?:mother|father|parent)", re.IGNORECASE
    ),
    "child": re.compile(r"儿子|女儿|子女|\b(?:son|daughter|children)\b", re.IGNORECASE),
}
_KIN = frozenset(
    {"family", "mother", "father", "brother", "sister"}
    | {"家族", "家里", "家人", "母亲", "父亲", "有没", "没有"}
)


def about_topic(
    unit: Unit, others: Sequence[Unit], clause: str, index: FactIndex
) -> tuple[Fact, ...]:
    """The facts on one topic of the history, narrowed to what the clause says of it."""
    topics = {c.id for c in unit.concepts if c.kind == "topic"}
    if "family" in topics:
        return _family(others, clause, index)
    if topics == {"treatment"} and any(u.of_kind("condition") for u in others):
        topics |= {"medication"}
    if {"medication", "drugs"} <= topics and any("drugs" in f.topics for f in index.facts):
        topics = {"drugs"}
    found = tuple(f for f in index.facts if f.topics & topics and "family" not in f.topics)
    if "medication" in topics and any(
        f.finding.section == "medication_history" for f in index.facts
    ):
        found = tuple(
            f
            for f in found
            if f.finding.section == "medication_history" or topics - {"medication"} & f.topics
        )
    if topics & (BODY_FUNCTIONS | {"appetite"}):
        # "Bowels are normal" says it; that there is no diarrhoea either was not asked.
        told = tuple(f for f in found if f.present or f.direct & topics)
        found = told or found
        found = tuple(f for f in found if f.finding.section in CURRENT) or found
    if topics & _GROUPS:
        # Asked what one has had or takes, one does not list what one has not.
        ill = tuple(
            f
            for f in found
            if (f.present or _EFFECT.search(f.own_words)) and not _WELL.search(f.own_words)
        )
        found = ill or found
    if "medication" in topics:
        found = _taken(found, others, clause)
    if "animals" in topics:
        found = tuple(f for f in found if unit.words[-1] in f.own_words) or found
    if "prior_tests" in topics:
        found = _of_test(found, clause)
        found = _before_admission(found) or found
    if topics & {"medication", "treatment"} and any(u.has({"care_sought"}) for u in others):
        found = tuple(f for f in found if f.finding.section in CURRENT) or found
    if topics == {"treatment"}:
        found = tuple(f for f in found if unit.words in f.own_words) or found
        found = tuple(f for f in found if f.finding.section in CURRENT) or found
    if topics & {"medication", "treatment"}:
        found = _for_illness(found, others, index)
    if topics == {"allergy"}:
        if _WHAT.search(clause):
            found = tuple(f for f in found if f.present) or found
        found = _of_kind(found, clause)
    if "lifestyle" in topics and not found:
        found = tuple(f for f in index.facts if f.finding.section == "personal_history")
    if found:
        return found
    rest = [c for c in unit.concepts if c.kind != "topic"]
    if rest:
        return about_unit(Unit(unit.words, tuple(rest), unit.sites, unit.side), index)
    lexicon = load_lexicon()
    wider = {a for t in topics for a in lexicon.ancestors(t) - {t} if not a.startswith("g_")}
    if not wider:
        return ()
    concepts = tuple(lexicon.concepts[a] for a in sorted(wider))
    return about_topic(replace(unit, concepts=concepts), others, clause, index)


_GROUPS = frozenset(
    {"treatment", "past_illness", "past_history_all", "medication", "surgery", "drugs"}
)
_EFFECT = re.compile(r"relief|help|improv|better|效|缓解|好转", re.IGNORECASE)
_WELL = re.compile(
    r"体健|健康|身体.{0,4}好|无特殊|\bhealthy|unremarkable|uneventful", re.IGNORECASE
)
_REGULARLY = re.compile(
    r"regular|every ?day|daily|as prescribed|long[- ]term|usual|长期|平时|每天|规律", re.IGNORECASE
)
_TREATS = {
    "m_antihypertensive": {"hypertension"},
    "m_antidiabetic": {"diabetes"},
    "m_insulin": {"diabetes"},
    "m_lipid": {"dyslipidemia"},
    "m_acid": {"gerd", "heartburn", "reflux", "gastritis", "ulcer"},
    "m_nitrate": {"coronary"},
    "m_inhaler": {"asthma", "copd", "wheeze"},
    "m_gout": {"gout"},
    "m_psychotropic": {"depression_dx", "anxiety_dx", "bipolar", "schizophrenia", "insomnia"},
    "m_bowel": {"ibd"},
    "m_parkinson": {"parkinson"},
    "m_thyroid": {"thyroid_dx"},
    "m_immune": {"ibd", "arthritis", "lupus", "psoriasis", "ms"},
    "m_antiviral": {"hiv", "hepatitis"},
    "m_painkiller": {"pain"},
}
"""What a kind of medicine is taken for."""


def _taken(found: tuple[Fact, ...], others: Sequence[Unit], clause: str) -> tuple[Fact, ...]:
    """Medicines for the illness named, if one is; those taken always, if these are asked for."""
    if _REGULARLY.search(clause):
        found = tuple(f for f in found if "treatment" not in f.topics) or found
    named = {
        a
        for u in others
        if u.of_kind("condition") or u.of_kind("symptom")
        for c in u.concepts
        for a in load_lexicon().ancestors(c.id)
    }
    if not named or _MORE.search(clause) or _FAITHFULLY.search(clause):
        return found
    return (
        tuple(
            f
            for f in found
            if f.concepts & named or any(_TREATS.get(m, set()) & named for m in f.concepts)
        )
        or found
    )


_FAITHFULLY = re.compile(
    r"as prescribed|every ?day|\b(?:miss|skip|forget)|remember to|faithfully|按时|按医嘱|规律",
    re.IGNORECASE,
)
"""Whether all is taken as it should be: not asked of one medicine."""
_MORE = re.compile(r"anything else|any other|as well|\balso\b|其他|别的|还有", re.IGNORECASE)


def _of_test(found: tuple[Fact, ...], clause: str) -> tuple[Fact, ...]:
    """The test that a Chinese question names, with what is told right after it; all if none is."""
    named = [words for asks, words in _TESTS if asks.search(clause)]
    if not named:
        return found
    kept: list[Fact] = []
    for fact in found:
        result = bool(kept) and fact.order == kept[-1].order + 1
        if any(w.search(fact.own_words) for w in named) or (
            result and fact.sentence == kept[-1].sentence
        ):
            kept.append(fact)
    return tuple(kept) or found


def _before_admission(found: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The tests of before this visit, with the results told right after each."""
    kept: list[Fact] = []
    left_out: Fact | None = None
    for fact in found:
        goes_on = (
            left_out is not None
            and fact.order == left_out.order + 1
            and fact.sentence == left_out.sentence
        )
        if _AT_ADMISSION.search(fact.own_words) or goes_on:
            left_out = fact
        else:
            kept.append(fact)
    return tuple(kept)


def _for_illness(
    found: tuple[Fact, ...], others: Sequence[Unit], index: FactIndex
) -> tuple[Fact, ...]:
    """The remedies told in one sentence with the illness that they are asked about for."""
    named = [
        u
        for u in others
        if u.of_kind("condition") or (not u.concepts and u.sites) or u.of_kind("medicine")
    ]
    with_it = {f.sentence for f in index.facts for u in named if f.present and matches(u, f, index)}
    return tuple(f for f in found if f.sentence in with_it) or found


def _of_kind(found: tuple[Fact, ...], clause: str) -> tuple[Fact, ...]:
    """Allergies to drugs, or to food, where the question says which."""
    drugs, food = bool(_DRUGS.search(clause)), bool(_FOOD.search(clause))
    if drugs == food:
        return found
    wrong = _FOOD if drugs else _DRUGS
    return tuple(f for f in found if not wrong.search(f.own_words)) or found


def _family(others: Sequence[Unit], clause: str, index: FactIndex) -> tuple[Fact, ...]:
    asked = {name for name, words in _RELATIVES.items() if words.search(clause)}
    found = tuple(
        f
        for f in index.facts
        if "family" in f.topics and (not asked or asked & _relatives(f) or not _relatives(f))
    )
    found = tuple(f for f in found if asked & _relatives(f)) or found
    named = [
        u
        for u in others
        if any(c.kind != "topic" for c in u.concepts) and not u.has({"poor_spirit", "discomfort"})
    ]
    if not named and not _SIMILAR.search(clause):
        return found
    if named:
        narrowed = tuple(f for f in found if any(matches(u, f, index) for u in named))
    else:
        complaint = frozenset(c for f in index.complaint for c in f.concepts)
        narrowed = tuple(f for f in found if _SIMILAR.search(f.own_words) or f.direct & complaint)
    if named and not narrowed and _SIMILAR.search(clause):
        narrowed = tuple(f for f in found if _SIMILAR.search(f.own_words))
    if named and not narrowed:
        wanted = content(clause, index.language)
        narrowed = tuple(f for f in found if wanted & content(f.own_words, index.language) - _KIN)
    if named and not narrowed and all(u.has({"c_genetic"}) for u in named):
        return about_unit(named[0], index)
    return narrowed or tuple(f for f in found if not f.present and not f.direct - {"family"})


def _relatives(fact: Fact) -> set[str]:
    return {name for name, words in _RELATIVES.items() if words.search(fact.own_words)}
