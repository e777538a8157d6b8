"""The rubric's scores of rationale and treatment: shared content, facts, kinds; and the diagnosis.

Both are judged in the light of the diagnosis (AI Hospital, section 3.3): reasons and plans for
another illness agree with the reference in words at most.
"""

from __future__ import annotations

from agents.offline.rubric_score import Score, score_facts
from agents.offline.rubric_words import sentence_of, word
from records.allergies import forbidden_orders
from records.content_overlap import content_recall
from records.facts.lexicon import load_lexicon
from records.medical_record import Language, MedicalRecord
from records.treatment_kinds import kind_name, treatment_kinds

_RATIONALE = {"content": 0.5, "evidence": 0.25, "diagnosis": 0.25}
_TREATMENT = {"content": 0.8, "kinds": 0.1, "diagnosis": 0.1}
_NOTHING = 0.04
"""Share of the content below which a text has nothing of the reference but a word or two."""


def score_rationale(text: str, record: MedicalRecord, diagnosis: float) -> Score | None:
    """Score a rationale; None where the record has none to compare with."""
    language = record.language
    content = _content(text, record.rationale, language)
    if content is None or record.rationale is None:
        return None
    evidence = score_facts(text, record.rationale, record) or _concepts(
        text, record.rationale, language
    )
    seen = evidence or Score(content.value, "")
    value = (
        _RATIONALE["content"] * content.value
        + _RATIONALE["evidence"] * seen.value
        + _RATIONALE["diagnosis"] * diagnosis
    )
    return _with_diagnosis(value, seen.analysis + content.analysis, content, diagnosis, language)


def score_treatment(text: str, record: MedicalRecord, diagnosis: float) -> Score | None:
    """Score a plan; None where the record has none to compare with."""
    language = record.language
    content = _content(text, record.treatment, language)
    if content is None:
        return None
    wanted = treatment_kinds(record.treatment or "", language)
    named = treatment_kinds(text, language)
    kinds = len(wanted & named) / len(wanted) if wanted else content.value
    value = (
        _TREATMENT["content"] * content.value
        + _TREATMENT["kinds"] * kinds
        + _TREATMENT["diagnosis"] * diagnosis
    )
    analysis = content.analysis
    if wanted:
        analysis += word(
            language,
            "covered",
            what=word(language, "kinds"),
            n=len(wanted & named),
            of=len(wanted),
        )
        missed = [kind_name(kind, language) for kind in sorted(wanted - named)]
        analysis += sentence_of(language, "missed", missed)
    score = _with_diagnosis(value, analysis, content, diagnosis, language)
    forbidden = forbidden_orders(text, record)
    if not forbidden:
        return score
    items = [f"{found.order} ({found.allergy.id} {found.allergy.symptom})" for found in forbidden]
    told = sentence_of(language, "forbidden", items)
    return Score(score.value, score.analysis + told, "D")


def _with_diagnosis(
    value: float, analysis: str, content: Score, diagnosis: float, language: Language
) -> Score:
    """The score; a right diagnosis does not lift a text that has nothing of the reference."""
    analysis += word(language, "with_diagnosis", score=f"{diagnosis:.2f}")
    if content.value >= _NOTHING:
        return Score(value, analysis)
    return Score(value, analysis + word(language, "nothing", ceiling="D"), "D")


def _content(text: str, reference: str | None, language: Language) -> Score | None:
    recall = content_recall(reference or "", text, language)
    if recall is None:
        return None
    return Score(recall, word(language, "content", percent=round(100 * recall)))


def _concepts(text: str, reference: str, language: Language) -> Score | None:
    """The share of the lexicon's concepts in a reference that a text names; None without any."""
    wanted = _named(reference, language)
    if not wanted:
        return None
    met = wanted & _named(text, language)
    told = word(language, "covered", what=word(language, "concepts"), n=len(met), of=len(wanted))
    return Score(len(met) / len(wanted), told)


def _named(text: str, language: Language) -> frozenset[str]:
    mentions = load_lexicon().mentions(text, language)
    return frozenset(concept.id for mention in mentions for concept in mention.concepts)
