"""Findings claimed of a history: located, held against the clause, completed by the splitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from records.facts.lexicon import load_lexicon
from records.facts.negation import negated_spans
from records.findings.splitter import split_findings
from records.medical_record import HISTORY_SECTIONS, Finding, HistorySection, Language
from records.notes.claims import text_of
from records.notes.verbatim import Notes, Span
from records.visit import Repair

_FALSE = frozenset({"false", "no", "absent", "0", "无", "否"})


def copy_findings(
    sections: Mapping[HistorySection, str], claimed: Sequence[Mapping[str, Any]], language: Language
) -> tuple[tuple[Finding, ...], tuple[Repair, ...]]:
    """The findings of a history's sections, f1, f2, … in the order of the text.

    A claimed finding has the place of its words, and the name claimed if the words bear it; its
    polarity is put right where both of our readings of the clause, the splitter's and the
    negation's, say the other. What no claim covers is the splitter's.

    Args:
        sections: the history, verbatim from the notes.
        claimed: objects with `text`, `symptom` and `present`.
        language: the language of the history.
    """
    split = split_findings(sections, language)
    reduced = {section: Notes.of(text) for section, text in sections.items()}
    repairs: list[Repair] = []
    kept: list[Finding] = []
    for one in claimed:
        words = text_of(one.get("text"))
        placed = _place(words, reduced, kept)
        if placed is None:
            repairs.append(Repair(kind="not_in_history", detail=words[:200]))
            continue
        section, span = placed
        finding, made = _finding(one, section, span, sections[section], split, language)
        repairs.extend(made)
        kept.append(finding)
    for finding in split:
        if not any(_overlap(finding, other) for other in kept):
            kept.append(finding)
    order = {section: number for number, section in enumerate(HISTORY_SECTIONS)}
    kept.sort(key=lambda f: (order[f.section], f.start or 0))
    numbered = (f.model_copy(update={"id": f"f{i}"}) for i, f in enumerate(kept, 1))
    return tuple(numbered), tuple(repairs)


def _place(
    words: str, reduced: Mapping[HistorySection, Notes], kept: Sequence[Finding]
) -> tuple[HistorySection, Span] | None:
    """Where in the history the words stand, outside of the findings that are there already."""
    for section in HISTORY_SECTIONS:
        if section not in reduced:
            continue
        taken = sorted((f.start or 0, f.end or 0) for f in kept if f.section == section)
        free: list[Span] = []
        at = 0
        for start, end in taken:
            free.append((at, start))
            at = end
        free.append((at, len(reduced[section].text)))
        span = reduced[section].find(words, free)
        if span is not None:
            return section, span
    return None


def _finding(
    claimed: Mapping[str, Any],
    section: HistorySection,
    span: Span,
    text: str,
    split: Sequence[Finding],
    language: Language,
) -> tuple[Finding, list[Repair]]:
    start, end = span
    own = text[start:end]
    repairs: list[Repair] = []
    within = [
        f for f in split if f.section == section and (f.start or 0) < end and (f.end or 0) > start
    ]
    claim = text_of(claimed.get("symptom"))
    symptom = claim or own
    given = claimed.get("present", True)
    present = text_of(given).lower() not in _FALSE if isinstance(given, str) else bool(given)
    read = {f.present for f in within}
    denied = any(start < b and a < end for a, b in negated_spans(text, language))
    if not _borne(symptom, own, language):
        # Another name may turn the clause around; name and polarity are then the splitter's.
        symptom = within[0].symptom if within else own
        present = within[0].present if within else not denied
        repairs.append(Repair(kind="symptom_renamed", detail=f"{claim}: {own}"[:200]))
    elif len(read) == 1 and present not in read and present == denied:
        present = not present
        repairs.append(Repair(kind="polarity_corrected", detail=own[:200]))
    finding = Finding(
        id="f0",
        symptom=symptom,
        present=present,
        attributes=within[0].attributes if len(within) == 1 else {},
        section=section,
        text=own,
        start=start,
        end=end,
    )
    return finding, repairs


def _borne(symptom: str, own: str, language: Language) -> bool:
    """Whether a clause bears a name: holds it, or a word of the lexicon for the same thing."""
    if Notes.of(own).find(symptom):
        return True
    lexicon = load_lexicon()
    named = {c.id for m in lexicon.mentions(symptom, language) for c in m.concepts}
    told = {c.id for m in lexicon.mentions(own, language) for c in m.concepts}
    return bool(named & told)


def _overlap(one: Finding, other: Finding) -> bool:
    return (
        one.section == other.section
        and (one.start or 0) < (other.end or 0)
        and (one.end or 0) > (other.start or 0)
    )
