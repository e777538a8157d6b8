"""The debriefing: the marks, what was missed, when the diagnosis was within reach, and others."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from hospital.play.calibration import tell
from hospital.play.chart import Chart
from hospital.play.chief_desk import letters, show_agreement
from hospital.play.draft import Draft
from hospital.play.hanging import Hanging, labelled
from hospital.play.insight import Insight
from hospital.play.station import Station, total
from hospital.play.terminal import Terminal
from hospital.play.words import PlayWords, play_words
from records.mark import DIMENSIONS, DiseaseLink, Mark
from records.medical_record import MedicalRecord
from records.visit import Visit

_MOST = 12
"""Missed things that are named."""


def show_debrief(
    terminal: Terminal,
    record: MedicalRecord,
    visit: Visit,
    draft: Draft,
    marks: Sequence[Mark],
    others: Sequence[tuple[str, Mark]],
) -> None:
    """Show how a visit went.

    Args:
        terminal: where.
        record: the case, now to be seen.
        visit: as it ended.
        draft: its private lists.
        marks: of this visit, by whichever judges.
        others: (doctor, mark) of others on the same case.
    """
    words = play_words(record.language)
    for mark in marks:
        _show_mark(terminal, mark, words)
    show_agreement(terminal, marks, words)
    if marks:
        _show_diseases(terminal, marks[0], words)
    _show_missed(terminal, record, visit, words)
    turn = Insight(record.language, record.demographics).within_reach(record, visit.messages)
    reach = words.never_within_reach if turn is None else words.within_reach.format(turn=turn)
    terminal.show("", reach)
    if told := tell(record, draft.differentials, words):
        terminal.show(told)
    if others:
        terminal.show("", Text(words.others, style="bold underline"))
        for doctor, mark in others:
            terminal.show(f"{labelled(doctor)}{letters(mark, words)}")


def show_checklist(terminal: Terminal, station: Station, done: Sequence[bool]) -> None:
    """Show which items of a station's checklist a visit has."""
    words = play_words(station.language)
    points = f"{total(station, done):g}"
    heading = words.checklist.format(points=points, of=f"{station.points:g}")
    terminal.show("", Text(heading, style="bold underline"))
    for item, yes in zip(station.checklist, done, strict=True):
        terminal.show(f"[{'x' if yes else ' '}] {item.item} ({item.points:g})")


def _show_mark(terminal: Terminal, mark: Mark, words: PlayWords) -> None:
    terminal.show("", Text(words.marks.format(judge=mark.judge), style="bold underline"))
    for dimension in DIMENSIONS:
        grade = mark.grades.get(dimension)
        letter = grade.grade if grade is not None and grade.grade is not None else "-"
        why = (grade.analysis or grade.reason or "") if grade is not None else ""
        name = words.parts[dimension]
        line = Text(f"{letter}  {labelled(name) if why else name}", style="bold")
        line = Text.assemble(line, (why, "dim"))
        terminal.show(Hanging(line, 3) if not terminal.plain else line)


def _show_diseases(terminal: Terminal, mark: Mark, words: PlayWords) -> None:
    terminal.show("", Text(words.linked, style="bold underline"))
    scores = mark.diseases
    hits = dict(scores.hits)
    for i, guess in enumerate(scores.predicted):
        said = words.hit if i in hits else words.extra
        terminal.show(said.format(name=_disease(guess)))
    for j, truth in enumerate(scores.reference):
        if j not in hits.values():
            terminal.show(words.not_found.format(name=_disease(truth)))


def _show_missed(terminal: Terminal, record: MedicalRecord, visit: Visit, words: PlayWords) -> None:
    chart = Chart.of(record, visit.messages)
    known = {f.id for f in (*chart.said, *chart.denied)}
    found = {e.id for e in (*chart.signs, *chart.results)}
    # Of the complaint the patient tells unasked, in its own words.
    told = [f for f in record.findings if f.section != "chief_complaint"]
    facts = [f.text for f in told if f.present and f.id not in known]
    examined = (*record.physical_examination, *record.auxiliary_examinations)
    missed = [e for e in examined if e.id not in found]
    abnormal = [e.name for e in missed if e.abnormal]
    terminal.show("", Text(words.missed, style="bold underline"))
    terminal.show(words.facts_missed.format(items=_listed(facts, words)))
    terminal.show(words.examinations_missed.format(items=_listed(abnormal, words)))
    terminal.show(words.unremarkable_missed.format(n=len(missed) - len(abnormal)))


def _listed(items: Sequence[str], words: PlayWords) -> str:
    names = list(dict.fromkeys(" ".join(item.split()) for item in items))
    more = f"{words.separator}… +{len(names) - _MOST}" if len(names) > _MOST else ""
    return (words.separator.join(names[:_MOST]) or words.nothing) + more


def _disease(link: DiseaseLink) -> str:
    return f"{link.name} ({link.icd10 or '-'})"
