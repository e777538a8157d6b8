"""Findings of a case being written: proposed from the text, corrected by the person."""

from __future__ import annotations

import re

from records.findings.splitter import split_findings
from records.medical_record import Finding, HistorySection, Language

_RENAME = re.compile(r"(\d+)\s*[=＝]\s*(\S.*)")
_DROP = re.compile(r"[-－—]\s*(\d+)")
_ADD = re.compile(r"[+＋]\s*(\S.*)")


def propose_findings(section: HistorySection, text: str, language: Language) -> list[Finding]:
    """The findings that the splitter reads from a section's text."""
    return list(split_findings({section: text}, language))


def correct_findings(
    findings: list[Finding], typed: str, section: HistorySection, text: str
) -> tuple[list[Finding], str | None]:
    """Apply one correction: `3` flips, `3=NAME` renames, `-3` drops, `+WORDS` adds.

    Returns:
        The findings in the text's order, and what was wrong with the correction: the name of one of
        the remarks of `case_questions`, or None.
    """
    if found := _ADD.fullmatch(typed):
        return _added(findings, found[1].strip(), section, text)
    number = re.fullmatch(r"\d+", typed)
    found = number or _RENAME.fullmatch(typed) or _DROP.fullmatch(typed)
    if found is None:
        return findings, "findings_unread"
    at = int(found[0] if number else found[1]) - 1
    if not 0 <= at < len(findings):
        return findings, "findings_number"
    one = findings[at]
    if number:
        changed = [one.model_copy(update={"present": not one.present})]
    elif found.re is _RENAME:
        changed = [one.model_copy(update={"symptom": found[2].strip()})]
    else:
        changed = []
    return [*findings[:at], *changed, *findings[at + 1 :]], None


def _added(
    findings: list[Finding], words: str, section: HistorySection, text: str
) -> tuple[list[Finding], str | None]:
    """Add the first place of the words that no other finding has."""
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if all((f.end or 0) <= start or end <= (f.start or 0) for f in findings):
            numbers = [int(f.id[1:]) for f in findings]
            new = Finding(
                id=f"f{max(numbers, default=0) + 1}",
                symptom=words,
                section=section,
                text=words,
                start=start,
                end=end,
            )
            return sorted([*findings, new], key=lambda f: f.start or 0), None
        start = text.find(words, start + 1)
    return findings, "findings_not_there"
