"""Matching a doctor's question, or a statement, to the facts of a patient's history.

A fact answers a question if it is about what the question names: by the lexicon's concepts and the
groups and places that they belong to, and by shared words where the lexicon knows none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from records.attributes import Attribute
from records.fact_index import FactIndex, index_facts
from records.fact_search import (
    BODY_FUNCTIONS,
    answering_attributes,
    about_topic,
    about_unit,
    open_story,
    said_of,
)
from records.medical_record import Finding, Language
from records.questions import Question, Unit, read_questions
from records.views import PatientView

PartKind = Literal["symptom", "history", "open", "nothing"]


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
    parts: list[AskedPart] = []
    for question in read_questions(text, view.language):
        parts += _parts(question, index, topic, said)
        topic = _symptoms(question.units) or topic
    return _without_repeats(parts)


def stated_findings(text: str, findings: Sequence[Finding], language: Language) -> tuple[str, ...]:
    """Ids of the findings that a statement tells, with the same polarity.

    Args:
        text: what was said or written: a message, a part of a report.
        findings: the findings to look for.
        language: the language of both.
    """
    return said_of(text, findings, language)


def _symptoms(units: Sequence[Unit]) -> tuple[Unit, ...]:
    return tuple(u for u in units if any(c.kind in ("symptom", "circumstance") for c in u.concepts))


def _last_topic(context: Sequence[str], language: Language) -> tuple[Unit, ...]:
    for message in reversed(context):
        for question in reversed(read_questions(message, language)):
            if found := _symptoms(question.units):
                return found
    return ()


def _parts(
    question: Question, index: FactIndex, topic: tuple[Unit, ...], said: frozenset[str]
) -> list[AskedPart]:
    if question.attributes and not _only_topics(question.units):
        return [_attribute_part(question, index, topic)]
    parts: list[AskedPart] = []
    if question.opening and not _topics(question.units):
        facts = open_story(question, index, said)
        parts.append(AskedPart(question.text, "open", tuple(f.id for f in facts)))
        return parts
    topics = _topics(question.units)
    family = next((u for u in topics if any(c.id == "family" for c in u.concepts)), None)
    if family:
        others = tuple(u for u in question.units if u is not family)
        facts = about_topic(family, others, index)
        return [AskedPart(question.text, "history", tuple(f.id for f in facts), "family")]
    for unit in question.units:
        if any(c.kind == "topic" for c in unit.concepts):
            facts = about_topic(unit, tuple(u for u in question.units if u is not unit), index)
            named = {c.id for c in unit.concepts if c.kind == "topic"}
            kind: PartKind = "symptom" if named <= BODY_FUNCTIONS | {"appetite"} else "history"
        else:
            facts = about_unit(unit, index)
            conditions = unit.concepts and all(
                c.kind in ("condition", "group")
                and (c.id.startswith("c_") or c.kind == "condition")
                for c in unit.concepts
            )
            kind = "history" if conditions else "symptom"
        parts.append(
            AskedPart(
                unit.words,
                kind,
                tuple(f.id for f in facts),
                unit.concepts[0].id if unit.concepts else None,
            )
        )
    return parts


def _topics(units: Sequence[Unit]) -> tuple[Unit, ...]:
    return tuple(u for u in units if any(c.kind == "topic" for c in u.concepts))


def _only_topics(units: Sequence[Unit]) -> bool:
    return bool(units) and all(
        u.concepts and all(c.kind == "topic" for c in u.concepts) for u in units
    )


def _attribute_part(question: Question, index: FactIndex, topic: tuple[Unit, ...]) -> AskedPart:
    about = _symptoms(question.units) or question.units or _symptoms(question.about) or topic
    facts = answering_attributes(question.attributes, about, index)
    concept = next((c.id for u in about for c in u.concepts), None)
    return AskedPart(
        question.text, "symptom", tuple(f.id for f in facts), concept, question.attributes
    )


def _without_repeats(parts: Sequence[AskedPart]) -> tuple[AskedPart, ...]:
    seen: set[tuple[object, ...]] = set()
    kept: list[AskedPart] = []
    for part in parts:
        key = (part.concept or part.asked, part.findings, part.attributes, part.kind)
        if key not in seen:
            seen.add(key)
            kept.append(part)
    return tuple(kept)
