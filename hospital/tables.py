"""What a run looks like on a terminal: the leaderboard, the list of visits, one visit.

Rich leaves colour out by itself where the output is not a terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from evaluation.leaderboard import Leaderboard, MarkMean, Row
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Mark
from records.medical_record import MedicalRecord
from records.visit import REPORT_PARTS, Message, Report, Visit

_HEADINGS = {
    "symptoms": "Symptoms",
    "examinations": "Exams",
    "diagnosis": "Diagnosis",
    "rationale": "Rationale",
    "treatment": "Treatment",
}
_NONE = "-"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_leaderboard(console: Console, board: Leaderboard, *, title: str) -> None:
    """Print a leaderboard: marks, diseases, and the way from floor to ceiling, in 80 columns."""
    console.print(_text(title, style="bold"))
    if not board.rows:
        console.print("No visits yet.")
        return
    _print_table(
        console,
        _marks_table(board.rows),
        f"Marks by {board.judge or 'nobody yet'}, 0 to 100: mean ±half-width of its 95% bootstrap"
        f" interval over cases ({board.iterations:,} resamples); 'of 90%': the share of visits that"
        " have a grade, where not all have.",
    )
    _print_table(
        console,
        _diseases_table(board.rows),
        "Diseases by ICD-10 category: # predicted a case; recall, precision and F1 in percent,"
        " micro averaged; linked: the share of reference diagnoses that have a code.",
    )
    if any(value is not None for share in board.share for value in share.shares.values()):
        _print_table(
            console,
            _share_table(board),
            "Interaction on the way from the floor (zero-turn, 0%) to the ceiling (one-step, 100%),"
            " on the cases that have all three.",
        )
    _print_remarks(console, board)


def print_visits(console: Console, visits: Sequence[Visit], marks: Iterable[Mark]) -> None:
    """List visits, a line each, with the grades that the first judge gave."""
    every = list(marks)
    first = every[0].judge if every else None
    grades = {mark.visit_key: _grades(mark) for mark in every if mark.judge == first}
    names = _short_names([visit.doctor for visit in visits])
    table = _table("Visit", "Case", "Doctor", "Setting", "Trial", "Ending", "Grades")
    for visit in sorted(visits, key=lambda v: (v.record_id, v.doctor, v.setting, v.trial, v.key)):
        table.add_row(
            visit.key,
            _text(visit.record_id),
            _text(names[visit.doctor]),
            _setting(visit.setting),
            str(visit.trial),
            visit.ending.value,
            grades.get(visit.key, _NONE),
        )
    console.print(table)
    if first is not None:
        console.print(
            _text(f"Grades by {first}: {', '.join(DIMENSIONS)}; - is unscored.", style="dim")
        )


def print_visit(
    console: Console, visit: Visit, record: MedicalRecord, marks: Sequence[Mark]
) -> None:
    """Print one visit: what was said, the report, how it was marked against the record."""
    console.print(_text(f"Visit {visit.key}", style="bold"))
    facts = [
        ("case", f"{record.id} ({record.language})"),
        ("doctor", visit.doctor),
        ("setting", f"{_setting(visit.setting)}, {visit.protocol}, trial {visit.trial}"),
        ("npc", visit.npc),
        ("ending", _ending(visit)),
    ]
    if visit.models_answered:
        answered = (f"{r}: {', '.join(m)}" for r, m in sorted(visit.models_answered.items()))
        facts.append(("models", "; ".join(answered)))
    for name, value in facts:
        console.print(_text(f"{name:<9}{value}"))
    if visit.messages:
        _print_heading(console, "Conversation")
        for message in visit.messages:
            _print_message(console, message, visit.report)
    _print_heading(console, "Report")
    if visit.report is None:
        console.print("There is none.")
    else:
        for part in REPORT_PARTS:
            console.print(_text(_HEADINGS[part], style="bold"))
            console.print(_indented(getattr(visit.report, part).strip() or _NONE))
    for mark in marks:
        _print_mark(console, mark)


def _marks_table(rows: Sequence[Row]) -> Table:
    table = _table("Doctor", "Visits", *(_HEADINGS[d] for d in DIMENSIONS))
    names = _short_names([row.doctor for row in rows])
    for setting, group in groupby(rows, key=lambda row: row.setting):
        table.add_row(_text(_setting(setting), style="italic"))
        for row in group:
            table.add_row(
                _text(names[row.doctor]),
                str(row.visits),
                *(_mean(row.marks[d]) for d in DIMENSIONS),
            )
    return table


def _diseases_table(rows: Sequence[Row]) -> Table:
    table = _table("Doctor", "#", "R", "P", "F1", "Linked")
    names = _short_names([row.doctor for row in rows])
    for setting, group in groupby(rows, key=lambda row: row.setting):
        table.add_row(_text(_setting(setting), style="italic"))
        for row in group:
            scores = row.diseases
            table.add_row(
                _text(names[row.doctor]),
                _number(scores.predicted_mean, 2),
                *(_number(v, 1) for v in (scores.recall, scores.precision, scores.f1)),
                _percent(scores.linked),
            )
    return table


def _share_table(board: Leaderboard) -> Table:
    table = _table("Doctor", "Cases", *(_HEADINGS[d] for d in DIMENSIONS), "F1")
    names = _short_names([share.doctor for share in board.share])
    for share in board.share:
        table.add_row(
            _text(names[share.doctor]),
            str(share.cases),
            *(_percent(share.shares.get(d)) for d in (*DIMENSIONS, "f1")),
        )
    return table


def _print_remarks(console: Console, board: Leaderboard) -> None:
    """What a reader of the tables must know besides: endings out of the ordinary, missing marks."""
    for row in board.endings:
        odd = {ending: n for ending, n in row.counts.items() if ending != "diagnosis_given"}
        if odd:
            told = ", ".join(f"{n} {ending}" for ending, n in odd.items())
            console.print(_text(f"{row.doctor}, {_setting(row.setting)}: {told}", style="dim"))
    if board.unmarked:
        what = "1 visit has" if board.unmarked == 1 else f"{board.unmarked} visits have"
        console.print(_text(f"{what} no mark.", style="yellow"))
    others = [judge for judge in board.judges if judge != board.judge]
    if others:
        console.print(_text(f"There are also marks by {', '.join(others)}.", style="dim"))


def _print_message(console: Console, message: Message, report: Report | None) -> None:
    console.print()
    line = _text(f"{message.turn}  ", style="dim")
    line.append(_clean(message.role), style="bold")
    line.append(_clean(f" to {message.addressee}"), style="dim")
    if message.speaker != message.role:
        line.append(_clean(f"  [{message.speaker}]"), style="dim")
    console.print(line)
    if report is not None and message.text.strip() and message.text.strip() == report.raw.strip():
        console.print(_indented("The report, in its parts below."))
    else:
        console.print(_indented(message.text))
    stated = (*message.facts, *message.examinations)
    if stated:
        console.print(_indented(f"states {' '.join(stated)}", style="dim"))
    for repair in message.repairs:
        detail = f": {repair.detail}" if repair.detail else ""
        console.print(_indented(f"repaired {repair.kind}{detail}", style="yellow"))


def _print_mark(console: Console, mark: Mark) -> None:
    _print_heading(console, f"Marks by {mark.judge}")
    for dimension in DIMENSIONS:
        grade = mark.grades.get(dimension)
        letter = grade.grade if grade is not None and grade.grade is not None else "unscored"
        console.print(_text(f"{_HEADINGS[dimension]:<11}{letter}", style="bold"))
        if grade is not None and (grade.analysis or grade.reason):
            console.print(_indented(grade.analysis or grade.reason or ""))
    _print_diseases(console, mark.diseases)


def _print_diseases(console: Console, scores: DiseaseScores) -> None:
    console.print(_text("Diseases", style="bold"))
    hits = dict(scores.hits)
    reference = scores.reference
    for i, guess in enumerate(scores.predicted):
        what = f"hits {_disease(reference[hits[i]])}" if i in hits else "is not in the reference"
        console.print(_indented(f"{_disease(guess)} {what}"))
    for j, truth in enumerate(reference):
        if j not in hits.values():
            console.print(_indented(f"missed: {_disease(truth)}"))


def _table(*headings: str) -> Table:
    """A borderless table; the columns of numbers are flush right and keep their width."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for heading in headings:
        if heading in ("Doctor", "Case"):
            table.add_column(heading, overflow="fold", min_width=8)
        elif heading in ("Visit", "Setting", "Ending", "Grades"):
            table.add_column(heading, no_wrap=True)
        else:
            table.add_column(heading, no_wrap=True, justify="right")
    return table


def _print_table(console: Console, table: Table, legend: str) -> None:
    console.print()
    console.print(table)
    console.print(_text(legend, style="dim"))


def _short_names(doctors: Iterable[str]) -> dict[str, str]:
    """By doctor: the model's name alone for an endpoint's, where no other doctor is named so."""
    every = dict.fromkeys(doctors)
    short = {
        doctor: doctor.partition("#")[2].partition("?")[0] if "://" in doctor else doctor
        for doctor in every
    }
    times = Counter(short.values())
    return {d: name if name and times[name] == 1 else d for d, name in short.items()}


def _mean(mark: MarkMean) -> str:
    if mark.mean is None or mark.half_width is None:
        return _NONE
    text = f"{mark.mean:.1f} ±{mark.half_width:.1f}"
    # Never rounded up to all: a share of 0.999 is not 100%.
    return text if mark.coverage >= 1 else f"{text}\nof {int(100 * mark.coverage)}%"


def _grades(mark: Mark) -> str:
    grades = (mark.grades.get(d) for d in DIMENSIONS)
    return "".join(g.grade if g is not None and g.grade is not None else _NONE for g in grades)


def _ending(visit: Visit) -> str:
    by = f" by {visit.failed_by}" if visit.failed_by else ""
    why = f": {visit.failure}" if visit.failure else ""
    return f"{visit.ending.value}{by}{why}"


def _disease(link: DiseaseLink) -> str:
    return f"{link.name} ({link.icd10 or 'not linked'})"


def _setting(setting: str) -> str:
    return setting.replace("_", "-")


def _number(value: float | None, digits: int) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{100 * share:.0f}%"


def _print_heading(console: Console, heading: str) -> None:
    console.print()
    console.print(_text(heading, style="bold underline"))


def _indented(text: str, style: str = "") -> Padding:
    return Padding(_text(text, style=style), (0, 0, 0, 3), expand=False)


def _text(text: str, style: str = "") -> Text:
    """Text as it is: no markup is read in it, and no control character reaches the terminal."""
    return Text(_clean(text), style=style)


def _clean(text: str) -> str:
    return _CONTROL.sub("�", text.replace("\r\n", "\n"))
