"""A dimension's score of the rubric, and the share of a record's facts that a report states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.offline.rubric_words import sentence_of, shortened, word
from records.diseases.disease_overlap import normal_name
from records.examinations.requests import stated_examinations
from records.facts.lexicon import load_lexicon
from records.facts.matching import stated_findings
from records.mark import Letter
from records.medical_record import Examination, Finding, Language, MedicalRecord

_LESSER_SHARE = 0.1
_CIRCUMSTANCE = 0.25
_FEWEST_FACTS = 3
_OWN_WORDS: dict[Language, int] = {"zh": 8, "en": 18}
"""Fewest letters of a clause that is met by being written out as the record has it."""

_Weighed = Mapping[str, tuple[str, float]]
"""By id: how the analysis names it, and its weight."""


@dataclass(frozen=True)
class Score:
    """A dimension's score, 0 to 1, and what was found."""

    value: float
    analysis: str
    ceiling: Letter | None = None
    """The best grade there can be, whatever the value; None sets no bound."""


def score_symptoms(text: str, record: MedicalRecord) -> Score | None:
    """What of complaint and present illness a text states; None if the record has nothing."""
    language = record.language
    told = [
        f for f in record.findings if f.section in ("chief_complaint", "history_of_present_illness")
    ]
    again = _told_again(told, language)
    once = [f for f in told if f.id not in again]
    positive = {
        f.id: (_finding_name(f, language), _finding_weight(f, language)) for f in once if f.present
    }
    negative = {f.id: (_finding_name(f, language), 1.0) for f in once if not f.present}
    if not positive:
        return None
    found = {*stated_findings(text, told, language), *_verbatim(text, told, language)}
    stated = sorted(again.get(i, i) for i in found)
    score = _covered(("findings", positive), ("negatives", negative), stated, language)
    turned = _turned_round(text, told, language)
    if not turned:
        return score
    names = [_finding_name(finding, language) for finding in turned]
    analysis = score.analysis + sentence_of(language, "turned_round", names)
    return Score(score.value, analysis, "B")


def _verbatim(text: str, findings: Sequence[Finding], language: Language) -> list[str]:
    """Ids of what is affirmed in the record's own words, long enough to mean nothing else."""
    said = normal_name(text)
    longest = _OWN_WORDS[language]
    return [
        finding.id
        for finding in findings
        if finding.present and len(own := normal_name(finding.text)) >= longest and own in said
    ]


def _turned_round(text: str, findings: Sequence[Finding], language: Language) -> list[Finding]:
    """The symptoms that the record denies, the present illness never affirms, and a text affirms.

    Only by the very name, and not where the text denies it in the record's own words: a symptom
    can be denied in ways that are hard to read ("the vomit is never green").
    """
    said = normal_name(text)
    denied = [
        f
        for f in findings
        if not f.present and normal_name(f.symptom) in said and normal_name(f.text) not in said
    ]
    affirmed = {normal_name(f.symptom) for f in findings if f.present}
    asked = [
        Finding(id=f.id, symptom=f.symptom, text=f.symptom, section=f.section)
        for f in denied
        if normal_name(f.symptom) not in affirmed
    ]
    stated = {*stated_findings(text, asked, language)} - {*stated_findings(text, denied, language)}
    return [finding for finding in denied if finding.id in stated]


def score_examinations(text: str, record: MedicalRecord) -> Score | None:
    """What of the results and signs a text states; None if the record has no results."""
    if not record.auxiliary_examinations:
        return None
    results = _weighed_examinations(record.auxiliary_examinations)
    signs = _weighed_examinations(record.physical_examination)
    every = record.auxiliary_examinations + record.physical_examination
    stated = stated_examinations(text, every, record.language)
    return _covered(("results", results), ("signs", signs), stated, record.language)


def score_facts(text: str, reference: str, record: MedicalRecord) -> Score | None:
    """Of the record's facts that a reference uses, the share that a text states too.

    None where the reference uses fewer than three.
    """
    language = record.language
    examinations = record.auxiliary_examinations + record.physical_examination
    # The persona tells the complaint a second time, in the patient's words.
    findings = [f for f in record.findings if f.section != "persona"]
    again = _told_again(findings, language)
    facts: dict[str, tuple[str, float]] = {}
    for finding in findings:
        if finding.id not in again:
            facts[finding.id] = (_finding_name(finding, language), 1.0)
    for examination in examinations:
        facts[examination.id] = (f"{examination.id} {shortened(examination.name)}", 1.0)

    def uses(words: str) -> set[str]:
        return {
            *(again.get(i, i) for i in stated_findings(words, findings, language)),
            *stated_examinations(words, examinations, language),
        }

    used = uses(reference)
    facts = {i: fact for i, fact in facts.items() if i in used}
    if len(facts) < _FEWEST_FACTS:
        return None
    return _covered(("facts", facts), ("facts", {}), sorted(uses(text)), language)


def _told_again(findings: Sequence[Finding], language: Language) -> dict[str, str]:
    """By a fact of the present illness that is a complaint once more: that complaint's id."""
    lexicon = load_lexicon()

    def meaning(finding: Finding) -> tuple[bool, frozenset[str]]:
        concepts = frozenset(
            concept.id
            for mention in lexicon.mentions(finding.symptom, language)
            for concept in mention.concepts
        )
        return finding.present, concepts or frozenset((normal_name(finding.symptom),))

    complaints: dict[tuple[bool, frozenset[str]], str] = {}
    for finding in findings:
        if finding.section == "chief_complaint":
            complaints.setdefault(meaning(finding), finding.id)
    again: dict[str, str] = {}
    for finding in findings:
        if finding.section == "history_of_present_illness":
            # Only the first: a later one tells of another time, another course.
            complaint = complaints.pop(meaning(finding), None)
            if complaint is not None:
                again[finding.id] = complaint
    return again


def _finding_weight(finding: Finding, language: Language) -> float:
    mentions = load_lexicon().mentions(finding.text, language)
    named = any(c.kind in ("symptom", "condition") for m in mentions for c in m.concepts)
    weight = 1.0 if named else _CIRCUMSTANCE
    return 2 * weight if finding.section == "chief_complaint" else weight


def _finding_name(finding: Finding, language: Language) -> str:
    space = " " if language == "en" else ""
    absent = "" if finding.present else word(language, "no") + space
    return f"{finding.id} {absent}{shortened(finding.symptom)}"


def _weighed_examinations(
    examinations: Sequence[Examination],
) -> dict[str, tuple[str, float]]:
    return {e.id: (f"{e.id} {shortened(e.name)}", 2.0 if e.abnormal else 1.0) for e in examinations}


def _covered(
    main: tuple[str, _Weighed], lesser: tuple[str, _Weighed], stated: Sequence[str], lang: Language
) -> Score:
    """The weighted share of what was stated; the lesser group has a small fixed share if it is."""
    what, items = main
    there = set(stated)
    analysis = word(
        lang, "covered", what=word(lang, what), n=len(there & set(items)), of=len(items)
    )
    analysis += sentence_of(lang, "named", [name for i, (name, _) in items.items() if i in there])
    analysis += sentence_of(
        lang, "missed", [name for i, (name, _) in items.items() if i not in there]
    )
    value = _weighted_share(items, there)
    what, items = lesser
    if items:
        value = (1 - _LESSER_SHARE) * value + _LESSER_SHARE * _weighted_share(items, there)
        analysis += word(
            lang, "covered", what=word(lang, what), n=len(there & set(items)), of=len(items)
        )
    return Score(value, analysis)


def _weighted_share(items: _Weighed, there: set[str]) -> float:
    return sum(w for i, (_, w) in items.items() if i in there) / sum(w for _, w in items.values())
