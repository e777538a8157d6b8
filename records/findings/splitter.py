"""Atomic findings of a history: every clause and every member of a list a fact of its own.

Purely syntactic, so that the same text gives the same findings whatever the lexicon knows. The
spans of a section's findings do not overlap and together hold all that the section says, but for
punctuation, conjunctions and the recorder's own words ("the patient denies", "患者", "否认").
"""

from __future__ import annotations

from collections.abc import Mapping

from records.findings.chinese_clauses import chinese_clauses
from records.findings.english_clauses import english_clauses
from records.medical_record import HISTORY_SECTIONS, Finding, HistorySection, Language


def split_findings(
    sections: Mapping[HistorySection, str], language: Language
) -> tuple[Finding, ...]:
    """Split the sections of a history into findings f1, f2, … in the order of the sections.

    A finding's offsets mark its own words in its section. Its text is these words; a member of a
    list has besides what it shares with the others ("药物、食物过敏史": 药物过敏史, 食物过敏史),
    and the first of a negated list keeps the negation as written ("无头痛", "No fever"), except
    the recorder's ("denies", "否认"). `present` is the polarity.
    """
    clauses = chinese_clauses if language == "zh" else english_clauses
    findings: list[Finding] = []
    for section in HISTORY_SECTIONS:
        for clause in clauses(sections.get(section) or ""):
            findings.append(
                Finding(
                    id=f"f{len(findings) + 1}",
                    symptom=clause.symptom,
                    present=clause.present,
                    attributes=clause.attributes,
                    section=section,
                    text=clause.text,
                    start=clause.start,
                    end=clause.end,
                )
            )
    return tuple(findings)
