"""The history of a rebuilt record: its sections' texts, and the findings with their places in them.

A section's text is made of the patients' own words, clause by clause; only a negation that a clause
shares with one left out is written anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from records.findings.chinese_clauses import chinese_clauses
from records.medical_record import HISTORY_SECTIONS, Finding, HistorySection
from records.rebuild.facts import Fact
from records.rebuild.provenance import Provenance, said_in, support_of
from records.rebuild.spoken_clauses import is_denied_in_words
from records.rebuild.statement import Statement

_NO = "没有"


@dataclass(frozen=True)
class History:
    """Texts by section and all findings, in the order of the sections."""

    sections: dict[str, str]
    findings: tuple[Finding, ...]


@dataclass
class _Text:
    """A section's text as it grows, and where each fact stands in it."""

    text: str = ""
    last: Statement | None = None
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, number: int, statement: Statement) -> None:
        """Write a statement behind what is there."""
        same = self.last is not None and (
            (self.last.place, self.last.sentence) == (statement.place, statement.sentence)
        )
        listed = same and self.last is not None and self.last.present == statement.present
        denied = not statement.present and not is_denied_in_words(statement)
        if self.text:
            self.text += ("、" if listed and denied else "，") if same else "。"
        if denied and not listed:
            self.text += _NO
        own = statement.sentence[statement.start : statement.end]
        self.spans[number] = (len(self.text), len(self.text) + len(own))
        self.text += own
        self.last = statement


def history_of(complaint: str, facts: Sequence[Fact]) -> History:
    """Place every fact: in the complaint, in its section's text, or beside it if told only once."""
    placed = _in_complaint(complaint, facts)
    texts: dict[HistorySection, _Text] = {}
    sections: list[tuple[HistorySection, int]] = [("persona", number) for number in placed]
    order = sorted(
        (n for n in range(len(facts)) if n not in placed), key=lambda n: _position(facts[n].first)
    )
    for number in order:
        fact = facts[number]
        section = fact.first.section
        sections.append((section, number))
        if support_of(fact.places, opening=fact.opening) != "single":
            texts.setdefault(section, _Text()).add(number, fact.first)
    spans = dict(placed)
    for text in texts.values():
        spans |= text.spans
    sections.sort(key=lambda pair: HISTORY_SECTIONS.index(pair[0]))
    ids = {number: f"f{i}" for i, (_, number) in enumerate(sections, 1)}
    return History(
        {section: f"{text.text}。" for section, text in texts.items()},
        tuple(
            _finding(ids, section, facts[number], number, spans.get(number))
            for section, number in sections
        ),
    )


def _in_complaint(complaint: str, facts: Sequence[Fact]) -> dict[int, tuple[int, int]]:
    """The facts that the chosen complaint tells, with their places in it."""
    placed: dict[int, tuple[int, int]] = {}
    openings = [(n, f) for n, f in enumerate(facts) if f.opening and f.first.opening]
    for clause in chinese_clauses(complaint):
        for number, fact in openings:
            own = fact.first.sentence[fact.first.start : fact.first.end]
            if number not in placed and own == complaint[clause.start : clause.end]:
                placed[number] = (clause.start, clause.end)
                break
    return placed


def _position(statement: Statement) -> tuple[bool, str, int, int]:
    return (not statement.opening, statement.place.dialogue, statement.order, statement.start)


def _finding(
    ids: dict[int, str],
    section: HistorySection,
    fact: Fact,
    number: int,
    span: tuple[int, int] | None,
) -> Finding:
    provenance = Provenance(
        said_in(fact.places),
        support_of(fact.places, opening=fact.opening),
        tuple(_in_order(ids[i] for i in fact.contradicts)),
    )
    return Finding(
        id=ids[number],
        symptom=fact.first.symptom,
        present=fact.present,
        attributes=dict(fact.first.attributes) | provenance.fields(),
        section=section,
        text=fact.first.text,
        start=span[0] if span else None,
        end=span[1] if span else None,
    )


def _in_order(ids: Iterable[str]) -> list[str]:
    return sorted(ids, key=lambda id_: int(id_[1:]))
