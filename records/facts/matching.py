"""Matching a doctor's question to the facts of a patient's history.

A fact answers a question if it is about what the question names: by the lexicon's concepts and the
groups and places that they belong to, and by shared words where the lexicon knows none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from records.facts.asked_units import asked_units
from records.facts.attribute_search import (
    answering_attributes,
    effect_of_treatment,
    under_circumstance,
)
from records.facts.attributes import Attribute
from records.facts.fact_index import Fact, FactIndex, index_facts
from records.facts.fact_search import about_unit, open_story
from records.facts.lexicon import load_lexicon
from records.facts.other_places import ELSEWHERE, OTHER_SIDE, elsewhere, of_what_is_passed
from records.facts.questions import Question, read_questions
from records.facts.statements import stated_findings
from records.facts.topic_search import about_topic
from records.facts.unit_matching import BODY_FUNCTIONS, matches
from records.facts.units import GENERAL, Unit
from records.medical_record import Language
from records.views import PatientView

__all__ = ["AskedPart", "match_question", "stated_findings"]

PartKind = Literal["symptom", "history", "open", "nothing"]

_FELT = BODY_FUNCTIONS | {"appetite"}
_BESIDE_FAMILY = frozenset(
    {"contacts", "past_history_all", "medication", "allergy", "smoking", "alcohol", "occupation"}
)
"""Topics that are asked of the patient even in one breath with the family."""
_HISTORY = re.compile(r"病史|history", re.IGNORECASE)
_OWN_TOO = re.compile(r"personal|\byou (?:or|and)\b|yourself|本人|您自己|您或|您和", re.IGNORECASE)
"""A question for the family that asks for the patient too."""
_ALLERGENS = frozenset({"medication", "diet", "treatment", "animals"})
_MEDICATED = frozenset({"medication", "treatment"})


@dataclass(frozen=True)
class AskedPart:
    """One thing that a message asks for, and the facts that answer it."""

    asked: str
    """The doctor's words for it."""
    kind: PartKind
    """`nothing`: the message asks for nothing that a history holds."""
    findings: tuple[str, ...]
    """Ids of the findings that answer, in the record's order; () if the record has none."""
    concept: str | None = None
    """Id of the lexicon's concept asked for; None where it knows none."""
    attributes: tuple[Attribute, ...] = ()
    """What is asked about it, beyond its presence."""


def match_question(
    text: str,
    view: PatientView,
    *,
    context: Sequence[str] = (),
    said: frozenset[str] = frozenset(),
) -> tuple[AskedPart, ...]:
    """Read a doctor's message and find the facts that answer each part of it.

    Args:
        text: the message, in the view's language.
        view: the patient's knowledge.
        context: the doctor's earlier messages, oldest first: what "it" refers to.
        said: ids of findings already told; an open question is answered with the others.

    Returns:
        The parts in the order asked; () if the message asks nothing.
    """
    index = index_facts(view)
    topic = _last_topic(context, view.language)
    kin: Unit | None = None
    told: tuple[Fact, ...] = ()
    last: tuple[Fact, ...] = ()
    parts: list[AskedPart] = []
    for question in read_questions(text, view.language):
        question = _of_kin(question, kin)
        kin = next((u for u in question.units if u.has({"family"})), None)
        answered = _parts(question, index, topic, said, told, last)
        ids = {i for p in answered if p.kind != "open" for i in p.findings}
        last = tuple(f for f in index.facts if f.id in ids)
        if _symptoms(question.units):
            told = ()
        elif question.units:
            told = last
        parts += answered
        topic = _kept_topic(question, topic)
    return _without_repeats(parts)


def _of_kin(question: Question, kin: Unit | None) -> Question:
    """A list of illnesses after "in your family" is still of the family."""
    illnesses = bool(question.units) and all(
        u.of_kind("condition") or u.of_kind("group") for u in question.units
    )
    if kin is None or not illnesses or question.attributes:
        return question
    return replace(question, units=(kin, *question.units))


def _part(
    asked: str,
    kind: PartKind,
    facts: Sequence[Fact],
    concept: str | None = None,
    attributes: tuple[Attribute, ...] = (),
) -> AskedPart:
    return AskedPart(asked, kind, tuple(f.id for f in facts), concept, attributes)


def _parts(
    question: Question,
    index: FactIndex,
    topic: tuple[Unit, ...],
    said: frozenset[str],
    told: tuple[Fact, ...],
    last: tuple[Fact, ...] = (),
) -> list[AskedPart]:
    if question.attributes:
        question = _about_complaint(question)
    topics = [u for u in question.units if u.of_kind("topic")]
    effect = {"effect", "relief"} & set(question.attributes)
    medicated = any(u.has(_MEDICATED) for u in topics)
    if question.attributes and (not _only_topics(question.units) or (effect and medicated)):
        return [_attribute_part(question, index, topic, told, last)]
    if question.opening and not topics:
        facts = open_story(question, index, said)
        if facts or not _symptoms(question.units):
            return [_part(question.text, "open", facts)]
    asked = _specific(asked_units(question.units, question.text))
    if medicated:
        # What a remedy is for is not asked about: "have you taken anything for the pain?"
        asked = tuple(
            u
            for u in asked
            if not u.of_kind("symptom") or u.of_kind("topic") or u.of_kind("condition")
        )
    if any(u.has({"allergy"}) for u in topics):
        # What one is allergic to is not asked about: "allergic to any medicines?"
        asked = tuple(u for u in asked if not u.has(_ALLERGENS) and not u.of_kind("medicine"))
    family = next((u for u in asked if u.has({"family"})), None)
    if family:
        rest = tuple(u for u in asked if u is not family and not u.has({"previous_episode"}))
        facts = about_topic(family, rest, question.text, index)
        own = bool(_OWN_TOO.search(question.text))
        contacts = [
            u
            for u in rest
            if u.has(_BESIDE_FAMILY)
            or (own and not u.of_kind("topic"))
            or (u.has(_UNSPECIFIC) and _HISTORY.search(u.words))
        ]
        return [_part(question.text, "history", facts, "family")] + [
            _unit_part(u, question, index, topic) for u in contacts
        ]
    return [_unit_part(u, question, index, topic) for u in asked]


def _about_complaint(question: Question) -> Question:
    """Read "when did this discomfort begin?" as a question for what was spoken of."""
    named = tuple(
        u for u in question.units if u.sites or {c.id for c in u.concepts} != {"discomfort"}
    )
    return replace(question, units=named)


_UNSPECIFIC = frozenset({"past_illness", "past_history_all"})


_ANYBODY = re.compile(r"(?:any|some|every|no)(?:one|body)|nobody|others", re.IGNORECASE)
_ALL_TAKEN = re.compile(
    r"\b(?:tablets|pills|medicines|medications|drugs)\b.*\b(?:take|taking|on)\b|what do you take",
    re.IGNORECASE,
)
_MOTHER = re.compile(r"^(?:the |his |her )?(?:mother|mum|mom)$", re.IGNORECASE)
_WORKS = re.compile(r"^work(?:s|ing)?$", re.IGNORECASE)
_AT_HOME = re.compile(r"^(?:at home|household|on your own|home)$", re.IGNORECASE)


def _specific(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Drop "history" and "illness" beside what they are a history of."""
    if any(u.has({"obstetric", "birth_history"}) for u in units):
        # Of a newborn's mother it is the pregnancy that is asked, not her kin.
        units = tuple(u for u in units if not (u.has({"family"}) and _MOTHER.search(u.words)))
    if any((u.felt and u.concepts) or u.has(BODY_FUNCTIONS) for u in units):
        units = tuple(u for u in units if not (u.has({"occupation"}) and _WORKS.search(u.words)))
    if any(u.has({"past_illness"}) for u in units):
        # "What conditions are you being treated for?" asks for the conditions.
        units = tuple(u for u in units if not (u.has({"treatment"}) and "treat" in u.words.lower()))
    if any(u.concepts and not u.has({"living"}) for u in units):
        units = tuple(u for u in units if not (u.has({"living"}) and _AT_HOME.search(u.words)))
    if any(u.has({"contacts"}) and _ANYBODY.match(u.words) for u in units):
        units = tuple(u for u in units if not u.felt)
    if any(u.has({"alcohol", "smoking"}) for u in units):
        units = tuple(
            replace(u, concepts=(load_lexicon().concepts["drugs"],))
            if re.fullmatch(r"(?:any )?drugs?", u.words, re.IGNORECASE)
            else u
            for u in units
        )
    all_taken = any(_ALL_TAKEN.search(u.words) for u in units)
    if any(u.of_kind("medicine") for u in units) and not all_taken:
        units = tuple(u for u in units if {c.id for c in u.concepts} != {"medication"})
    told = [
        u
        for u in units
        if {c.id for c in u.concepts} - _UNSPECIFIC - {"previous_episode"} and not u.has({"family"})
    ]
    told = [u for u in told if not u.has(_MEDICATED) and not u.of_kind("circumstance")]
    if not told:
        return units
    vague = _UNSPECIFIC | {"previous_episode"}
    return tuple(u for u in units if not u.has(vague) or u in told)


def _unit_part(
    unit: Unit, question: Question, index: FactIndex, topic: tuple[Unit, ...]
) -> AskedPart:
    concept = unit.concepts[0].id if unit.concepts else None
    if unit.of_kind("topic"):
        others = tuple(u for u in question.units if u is not unit)
        named = {c.id for c in unit.concepts if c.kind == "topic"}
        return _part(
            unit.words,
            "symptom" if named & _FELT else "history",
            about_topic(unit, others, question.text, index),
            concept,
        )
    unit = of_what_is_passed(unit, question, topic)
    facts = about_unit(_meant(unit, question, topic), index)
    if OTHER_SIDE.search(question.text) and not unit.concepts:
        facts = tuple(f for f in index.facts if matches(unit, f, index))
    if index.language == "zh" and unit.felt and facts:
        facts = under_circumstance(facts, question.text, unit, index)
    if ELSEWHERE.search(question.text):
        facts = elsewhere(facts, question, index)
    return _part(unit.words, "symptom" if unit.felt else "history", facts, concept)


def _meant(unit: Unit, question: Question, topic: tuple[Unit, ...]) -> Unit:
    """Read "the pain" as the one that was spoken of, if one was."""
    if unit.sites or not unit.concepts or unit.concepts[0].id not in GENERAL:
        return unit
    general = unit.concepts[0].id
    for spoken in (*question.about, *topic):
        if spoken is unit:
            continue
        for concept in spoken.concepts:
            wider = load_lexicon().ancestors(concept.id)
            if general in wider and (concept.id != general or spoken.sites):
                return spoken
    return unit


def _attribute_part(
    question: Question,
    index: FactIndex,
    topic: tuple[Unit, ...],
    told: tuple[Fact, ...],
    last: tuple[Fact, ...] = (),
) -> AskedPart:
    about = _symptoms(question.units)
    about = about or tuple(u for u in question.units if not u.of_kind("circumstance"))
    if not about:
        # "It" is what was spoken of, if the patient has it; else the complaint.
        spoken = _symptoms(question.about) or topic
        about = tuple(u for u in spoken if _has(u, index) or not _symptoms([u]))
    about = tuple(_meant(u, question, topic) for u in about)
    concept = next((c.id for u in about for c in u.concepts), None)
    medicated = any(u.has(_MEDICATED) or u.of_kind("medicine") for u in about)
    facts: tuple[Fact, ...] = ()
    if ELSEWHERE.search(question.text):
        facts = tuple(f for f in index.facts if ELSEWHERE.search(f.own_words))
    if not facts and medicated and not {"effect", "relief", "course"} & set(question.attributes):
        facts = _remedies(about, question, index)
    if not facts and (medicated or "effect" in question.attributes):
        medicines = [u for u in about if u.of_kind("medicine")]
        facts = effect_of_treatment(_symptoms(about), index, last, medicines)
        about = () if medicated else about
    if not facts:
        spoken_of = () if question.units or _symptoms(question.about) else told
        named = () if spoken_of else about
        facts = answering_attributes(question.attributes, named, question.text, index, spoken_of)
    if not facts and "relief" in question.attributes and index.language == "en":
        facts = effect_of_treatment((), index)
    if not facts and "cause" in question.attributes:
        facts = answering_attributes(("cause",), (), question.text, index)
    if not facts and ELSEWHERE.search(question.text):
        places = tuple(f for u in about for f in about_unit(u, index))
        facts = elsewhere(places, question, index) if places else ()
    if not facts and index.language == "zh" and about and all(map(_illness, about)):
        facts = tuple(f for u in about for f in about_unit(u, index) if f.present)
    return _part(question.text, "symptom", facts, concept, question.attributes)


def _illness(unit: Unit) -> bool:
    return bool(unit.concepts) and all(c.kind == "condition" for c in unit.concepts)


def _remedies(about: Sequence[Unit], question: Question, index: FactIndex) -> tuple[Fact, ...]:
    """The medicines asked about: since when, why and how often are told in their own clauses."""
    named = tuple(f for u in about if u.of_kind("medicine") for f in about_unit(u, index))
    if named or index.language != "zh":
        return named
    others = tuple(u for u in about if not u.has(_MEDICATED))
    drugs = (u for u in about if u.has({"medication"}))
    return tuple(f for u in drugs for f in about_topic(u, others, question.text, index))


def _has(unit: Unit, index: FactIndex) -> bool:
    return any(f.present and matches(unit, f, index) for f in index.facts)


def _symptoms(units: Sequence[Unit]) -> tuple[Unit, ...]:
    return tuple(
        u
        for u in units
        if u.of_kind("symptom")
        or (u.of_kind("circumstance") and not all(c.id in _UNDER for c in u.concepts))
    )


_UNDER = frozenset({"rest", "exertion", "posture", "eating_relation", "cold_exposure", "stress"})
"""Circumstances under which a symptom comes or goes; never what a question is about."""


def _only_topics(units: Sequence[Unit]) -> bool:
    return bool(units) and all(
        u.concepts and all(c.kind == "topic" for c in u.concepts) for u in units
    )


def _kept_topic(question: Question, topic: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """What "it" will mean after a question."""
    medicated = tuple(u for u in question.units if u.has(_MEDICATED) or u.of_kind("medicine"))
    return medicated or _symptoms(question.units) or _symptoms(question.about) or topic


def _last_topic(context: Sequence[str], language: Language) -> tuple[Unit, ...]:
    for message in reversed(context):
        topic: tuple[Unit, ...] = ()
        for question in read_questions(message, language):
            topic = _kept_topic(question, topic)
        if topic:
            return topic
    return ()


def _without_repeats(parts: Sequence[AskedPart]) -> tuple[AskedPart, ...]:
    seen: set[tuple[object, ...]] = set()
    kept: list[AskedPart] = []
    for part in parts:
        key = (part.concept or part.asked, part.findings, part.attributes, part.kind)
        if key not in seen:
            seen.add(key)
            kept.append(part)
    return tuple(kept)
