"""Findings against the history that they were taken from, and against one another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.facts.lexicon import load_lexicon, words
from records.facts.negation import negated_spans
from records.findings.splitter import split_findings
from records.lint.remark import Remark, fault, short, warning
from records.medical_record import HISTORY_SECTIONS, Finding, Language, MedicalRecord

_FAR = 300
"""Characters before a finding that may still deny it: a long list of denials."""
_EXCEPT = re.compile(r"除外?|\b(?:except|other than|apart from|but)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"否认|无(?!明显诱因|意)|未(?!婚|育|成年)|没有|[Nn]o (?!one|longer|more)|[Dd]enies "
)
_SENTENCE_END = re.compile(r"[。；;\n]|[.!?]\s")
_TURNS = re.compile(
    r"减[轻退少弱]|增[多加强]|尚可|良好|正常|一般|如常|稳定|差|欠佳|改变|变化|缓解|好转|加重|"
    r"\b(?:fair|good|normal|stable|unchanged|regular|less|more|change|relie\w+|improv\w+|wors\w+|"
    r"chang\w+|lost|loss|stopped|quit|former\w*|only|until|unless|rather|instead)\b",
    re.IGNORECASE,
)
"""Words with which a clause says the opposite of its symptom without a negation, or says it of
something else than the symptom; such a clause is not judged."""

_DENIES = re.compile(
    r"[无未没非不否缺停]|避免|体健|健康|足月|顺产|相仿|同龄|\b(?:no|not|never|nobody|none|without|"
    r"neither|nor|den\w+|"
    r"lack\w*|"
    r"absen\w+|missed|free|well|healthy|up to date|term|negative|stopp\w+|un\w+|in(?:ability|"
    r"complete|continen\w+)|non\w*)\b",
    re.IGNORECASE,
)
"""Words that deny of themselves: a symptom named with one is present where its clause denies, and a
clause with one may deny in a way that no rule reads."""


def check_findings(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on findings whose clause says the opposite, or whose words are not the history's."""
    sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    resplit = split_findings(sections, record.language)
    for finding in record.findings:
        text = sections[finding.section]
        if finding.start is None or finding.end is None:
            yield from _unplaced(finding, text)
            continue
        own = text[finding.start : finding.end]
        if _opposite(finding, finding.start, own, text, resplit, record.language):
            said = "denies" if finding.present else "affirms"
            right = "false" if finding.present else "true"
            yield fault(
                "polarity",
                f"findings.{finding.id}.present",
                f'{finding.section} {said} "{short(finding.symptom)}" ("{short(own)}"); '
                f"present should be {right}",
            )
        elif finding.present and _plainly_denied(finding, finding.start, own, resplit):
            what = f'"{short(own)}" denies; is "{short(finding.symptom)}" present?'
            yield warning("polarity", f"findings.{finding.id}.present", what)
    yield from _at_odds(record)


def _unplaced(finding: Finding, text: str) -> Iterator[Remark]:
    """A finding without offsets: its words should still be the section's."""
    plain = "".join(finding.text.split()).lower()
    if text and plain and plain not in "".join(text.split()).lower():
        what = f'"{short(finding.text)}" is not in {finding.section}; copy its words, with offsets'
        yield warning("polarity", f"findings.{finding.id}.text", what)


def _opposite(
    finding: Finding,
    start: int,
    own: str,
    text: str,
    resplit: tuple[Finding, ...],
    language: Language,
) -> bool:
    """Whether both of our readings of the clause, the splitter's and the negation's, differ.

    Only where the clause names the symptom in its own words: "appetite is fair" is an absent loss
    of appetite, and no negation says so.
    """
    if _TURNS.search(own) or _DENIES.search(finding.symptom if finding.present else own):
        return False
    at = own.lower().find(finding.symptom.lower())
    if at < 0:
        at = _concept_at(finding, own, language)
    if at < 0:
        return False
    place = start + at
    mine = [
        other
        for other in resplit
        if other.section == finding.section
        and other.start is not None
        and other.end is not None
        and other.start <= place < other.end
    ]
    if not mine or any(other.present == finding.present for other in mine):
        return False
    begin = max(0, start - _FAR)
    for sentence in _SENTENCE_END.finditer(text, begin, start):
        begin = sentence.end()
    window = text[begin : start + len(own)]
    if _EXCEPT.search(window[: place - begin]):
        return False
    spans = negated_spans(window, language)
    denial = _DENIES.search(own, 1)
    if denial and load_lexicon().mentions(own[: denial.start()], language):
        return False  # The clause affirms one thing and denies another of it: 曾用青霉素无不适.
    inside = any(a <= place - begin < b for a, b in spans)
    return inside == finding.present


def _plainly_denied(finding: Finding, start: int, own: str, resplit: tuple[Finding, ...]) -> bool:
    """Whether the clause begins with a denial, in whatever words it names the symptom."""
    if not _DENIAL.match(own) or _DENIES.search(finding.symptom):
        return False
    mine = [
        other
        for other in resplit
        if other.section == finding.section
        and other.start is not None
        and other.end is not None
        and other.start < start + len(own)
        and other.end > start
    ]
    return bool(mine) and not any(other.present for other in mine)


def _concept_at(finding: Finding, own: str, language: Language) -> int:
    """Where in its own words a finding names its symptom by another name; -1 if it does not."""
    lexicon = load_lexicon()
    meant = {c.id for m in lexicon.mentions(finding.symptom, language) for c in m.concepts}
    for mention in lexicon.mentions(own, language):
        if meant & {concept.id for concept in mention.concepts}:
            return mention.start
    if language == "en":
        told = {stem: start for stem, start, _ in words(own)}
        asked = [stem for stem, _, _ in words(finding.symptom)]
        if asked and all(stem in told for stem in asked):
            return told[asked[0]]
    return -1


def _at_odds(record: MedicalRecord) -> Iterator[Remark]:
    """A symptom both present and absent without anything that tells the two apart."""
    told = [
        # By the very name: a concept of the lexicon holds what clinicians keep apart (寒战, 畏寒).
        (finding.symptom.strip().lower(), finding)
        for finding in record.findings
        if finding.section != "family_history" and not finding.attributes
    ]
    present: dict[str, Finding] = {}
    for thing, finding in told:
        if finding.present:
            present.setdefault(thing, finding)
    for thing, finding in told:
        if not finding.present and thing in present:
            yield warning(
                "polarity",
                f"findings.{finding.id}",
                f'"{short(finding.symptom)}" is absent here and present in {present[thing].id}; '
                "one of them is wrong or wants its time, place or degree",
            )
