"""What a run looks like on a terminal: the leaderboard, the list of visits, one visit.

Rich leaves colour out by itself where the output is not a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from rich.console import Console
from rich.padding import Padding

from evaluation import leaderboard
from evaluation.leaderboard import Leaderboard, MarkMean
from evaluation.remarks import Endings
from hospital.columns import Row, Sheet, clean, names_in_sheets, shortened, text
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Mark
from records.medical_record import MedicalRecord
from records.visit import REPORT_PARTS, Ending, Message, Report, Visit

_HEADINGS = {
    "symptoms": "Symptoms",
    "examinations": "Exams",
    "diagnosis": "Diagnosis",
    "rationale": "Rationale",
    "treatment": "Treatment",
}
_NONE = "-"
_LONGEST_REASON = 120


def print_leaderboard(console: Console, board: Leaderboard, *, title: str) -> None:
    """Print a leaderboard: marks, diseases, and the way from floor to ceiling, in any width."""
    console.print(text(title, style="bold"))
    if not board.rows:
        console.print("No visits yet.")
        return
    sheets = [
        (
            _marks_sheet(board.rows),
            f"Marks by {board.judge or 'nobody yet'}, 0 to 100: mean ±half-width of its 95%"
            f" bootstrap interval over cases ({board.iterations:,} resamples); 'of 90%': the share"
            " of visits that have a grade, where not all have.",
        ),
        (
            _diseases_sheet(board.rows),
            "Diseases by ICD-10 category: # predicted a case; recall, precision and F1 in percent,"
            " micro averaged; linked: the share of reference diagnoses that have a code.",
        ),
    ]
    if any(value is not None for share in board.share for value in share.shares.values()):
        legend = (
            "Interaction on the way from the floor (zero-turn, 0%) to the ceiling (one-step, 100%),"
            " on the cases that have all three; - where there is no way up, or one of less than"
            f" {leaderboard.SHORT_WAY:.0f} points that the share would leave."
        )
        sheets.append((_share_sheet(board), legend))
    names = names_in_sheets(
        (row.doctor for row in board.rows), [sheet for sheet, _ in sheets], console.width
    )
    for sheet, legend in sheets:
        console.print()
        sheet.print(console, names)
        console.print(text(legend, style="dim"))
    _print_remarks(console, board, names)
    _print_full_names(console, names)


def print_visits(console: Console, visits: Sequence[Visit], marks: Iterable[Mark]) -> None:
    """List visits with the grades that the first judge gave, and why one failed."""
    every = list(marks)
    first = every[0].judge if every else None
    grades = {mark.visit_key: _grades(mark) for mark in every if mark.judge == first}
    headings = ("Visit", "Case", "Doctor", "Setting", "Trial", "Ending", "Grades")
    rows = [
        Row(
            (
                visit.key,
                visit.record_id,
                visit.doctor,
                _setting(visit.setting),
                str(visit.trial),
                visit.ending.value,
                grades.get(visit.key, _NONE),
            ),
            visit.failure or "",
        )
        for visit in sorted(
            visits, key=lambda v: (v.record_id, v.doctor, v.setting, v.trial, v.key)
        )
    ]
    sheet = Sheet(headings, tuple(rows), "Doctor", frozenset(headings) - {"Trial"})
    names = names_in_sheets(sheet.names, [sheet], console.width)
    sheet.print(console, names)
    if first is not None:
        console.print(
            text(f"Grades by {first}: {', '.join(DIMENSIONS)}; - is unscored.", style="dim")
        )
    _print_full_names(console, names)


def print_visit(
    console: Console, visit: Visit, record: MedicalRecord, marks: Sequence[Mark]
) -> None:
    """Print one visit: what was said, the report, how it was marked against the record."""
    console.print(text(f"Visit {visit.key}", style="bold"))
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
        console.print(text(f"{name:<9}{value}"))
    if visit.messages:
        _print_heading(console, "Conversation")
        for message in visit.messages:
            _print_message(console, message, visit.report)
    _print_heading(console, "Report")
    if visit.report is None:
        console.print("There is none.")
    else:
        for part in REPORT_PARTS:
            console.print(text(_HEADINGS[part], style="bold"))
            console.print(_indented(getattr(visit.report, part).strip() or _NONE))
    for mark in marks:
        _print_mark(console, mark)


def _marks_sheet(rows: Sequence[leaderboard.Row]) -> Sheet:
    def cells(row: leaderboard.Row) -> tuple[str, ...]:
        return (row.doctor, str(row.visits), *(_mean(row.marks[d]) for d in DIMENSIONS))

    return _sheet(("Doctor", "Visits", *(_HEADINGS[d] for d in DIMENSIONS)), rows, cells)


def _diseases_sheet(rows: Sequence[leaderboard.Row]) -> Sheet:
    def cells(row: leaderboard.Row) -> tuple[str, ...]:
        scores = row.diseases
        return (
            row.doctor,
            _number(scores.predicted_mean, 2),
            *(_number(v, 1) for v in (scores.recall, scores.precision, scores.f1)),
            _percent(scores.linked),
        )

    return _sheet(("Doctor", "#", "R", "P", "F1", "Linked"), rows, cells)


def _sheet(
    headings: tuple[str, ...],
    rows: Sequence[leaderboard.Row],
    cells: Callable[[leaderboard.Row], tuple[str, ...]],
) -> Sheet:
    """One row for each of the leaderboard's, under the titles of their settings."""
    lines: list[Row | str] = []
    for setting, group in groupby(rows, key=lambda row: row.setting):
        lines += [_setting(setting), *(Row(cells(row)) for row in group)]
    return Sheet(headings, tuple(lines), "Doctor")


def _share_sheet(board: Leaderboard) -> Sheet:
    rows = [
        Row(
            (
                share.doctor,
                str(share.cases),
                *(_percent(share.shares.get(d)) for d in (*DIMENSIONS, "f1")),
            )
        )
        for share in board.share
    ]
    headings = ("Doctor", "Cases", *(_HEADINGS[d] for d in DIMENSIONS), "F1")
    return Sheet(headings, tuple(rows), "Doctor")


def _print_remarks(console: Console, board: Leaderboard, names: Mapping[str, str]) -> None:
    """What a reader of the tables must know besides: endings out of the ordinary, missing marks."""
    for row in board.endings:
        if set(row.counts) - {Ending.DIAGNOSIS_GIVEN.value}:
            style = "dim" if Ending.DIAGNOSIS_GIVEN.value in row.counts else "yellow"
            line = f"{names[row.doctor]}, {_setting(row.setting)}: {_odd_endings(row)}"
            console.print(text(line, style=style))
    if board.unmarked:
        what = "1 visit has" if board.unmarked == 1 else f"{board.unmarked} visits have"
        console.print(text(f"{what} no mark.", style="yellow"))
    others = [judge for judge in board.judges if judge != board.judge]
    if others:
        console.print(text(f"There are also marks by {', '.join(others)}.", style="dim"))


def _odd_endings(row: Endings) -> str:
    """How many ended otherwise than with a diagnosis, and the commonest reason for each ending."""
    held = sum(row.counts.values())
    told = []
    for ending, n in row.counts.items():
        if ending == Ending.DIAGNOSIS_GIVEN.value:
            continue
        line = f"{n} of {held} {ending}"
        for reason, times in list(row.failures.get(ending, {}).items())[:1]:
            mostly = "" if times == n else f" ({times} times)"
            line += f": {shortened(reason, _LONGEST_REASON)}{mostly}"
        told.append(line)
    return "; ".join(told)


def _print_full_names(console: Console, names: Mapping[str, str]) -> None:
    for doctor, shown in names.items():
        if shown != clean(doctor):
            console.print(text(f"{shown} is {doctor}", style="dim"))


def _print_message(console: Console, message: Message, report: Report | None) -> None:
    console.print()
    line = text(f"{message.turn}  ", style="dim")
    line.append(clean(message.role), style="bold")
    line.append(clean(f" to {message.addressee}"), style="dim")
    if message.speaker != message.role:
        line.append(clean(f"  [{message.speaker}]"), style="dim")
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
        console.print(text(f"{_HEADINGS[dimension]:<11}{letter}", style="bold"))
        if grade is not None and (grade.analysis or grade.reason):
            console.print(_indented(grade.analysis or grade.reason or ""))
    _print_diseases(console, mark.diseases)


def _print_diseases(console: Console, scores: DiseaseScores) -> None:
    console.print(text("Diseases", style="bold"))
    hits = dict(scores.hits)
    reference = scores.reference
    for i, guess in enumerate(scores.predicted):
        what = f"hits {_disease(reference[hits[i]])}" if i in hits else "is not in the reference"
        console.print(_indented(f"{_disease(guess)} {what}"))
    for j, truth in enumerate(reference):
        if j not in hits.values():
            console.print(_indented(f"missed: {_disease(truth)}"))


def _mean(mark: MarkMean) -> str:
    if mark.mean is None or mark.half_width is None:
        return _NONE
    mean = f"{mark.mean:.1f} ±{mark.half_width:.1f}"
    # Never rounded up to all: a share of 0.999 is not 100%.
    return mean if mark.coverage >= 1 else f"{mean}\nof {int(100 * mark.coverage)}%"


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
    console.print(text(heading, style="bold underline"))


def _indented(words: str, style: str = "") -> Padding:
    return Padding(text(words, style=style), (0, 0, 0, 3), expand=False)
