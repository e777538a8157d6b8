"""What a run's visits look like on a terminal: the list of them, and one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding

from evaluation.chosen_marks import main_judge
from hospital.columns import Row, Sheet, clean, names_in_sheets, text
from hospital.conference_tables import print_minutes
from hospital.shown import HEADINGS, NONE, setting_name
from hospital.tables import print_full_names
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Mark
from records.medical_record import MedicalRecord
from records.visit import REPORT_PARTS, HumanNotes, Message, Repair, Report, Visit


def print_visits(console: Console, visits: Sequence[Visit], marks: Iterable[Mark]) -> None:
    """List visits with the latest grades of who marked the most, and why one failed."""
    every = list(marks)
    judge = main_judge(every)
    grades = {mark.visit_key: _grades(mark) for mark in every if mark.judge == judge}
    headings = ("Visit", "Case", "Doctor", "Setting", "Trial", "Ending", "Grades")
    rows = [
        Row(
            (
                visit.key,
                visit.record_id,
                visit.doctor,
                setting_name(visit.setting),
                str(visit.trial),
                visit.ending.value,
                grades.get(visit.key, NONE),
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
    if judge is not None:
        console.print(
            text(f"Grades by {judge}: {', '.join(DIMENSIONS)}; - is unscored.", style="dim")
        )
    print_full_names(console, names)


def print_visit(
    console: Console, visit: Visit, record: MedicalRecord, marks: Sequence[Mark]
) -> None:
    """Print one visit: what was said, the report, how it was marked against the record."""
    console.print(text(f"Visit {visit.key}", style="bold"))
    facts = [
        ("case", f"{record.id} ({record.language})"),
        ("doctor", visit.doctor),
        ("setting", f"{setting_name(visit.setting)}, {visit.protocol}, trial {visit.trial}"),
        ("npc", visit.npc),
        ("ending", _ending(visit)),
    ]
    if visit.human is not None:
        facts.append(("person", _person(visit.human)))
    if visit.models_answered:
        answered = (f"{r}: {', '.join(m)}" for r, m in sorted(visit.models_answered.items()))
        facts.append(("models", "; ".join(answered)))
    for name, value in facts:
        console.print(text(f"{name:<9}{value}"))
    if visit.messages:
        _print_heading(console, "Conversation")
        for message in visit.messages:
            _print_message(console, message, visit.report)
    if visit.conference is not None:
        print_minutes(console, visit.conference, record, visit)
    _print_heading(console, "Report")
    if visit.report is None:
        console.print("There is none.")
    else:
        for part in REPORT_PARTS:
            console.print(text(HEADINGS[part], style="bold"))
            console.print(_indented(getattr(visit.report, part).strip() or NONE))
    for judge in dict.fromkeys(mark.judge for mark in marks):
        *earlier, latest = (mark for mark in marks if mark.judge == judge)
        _print_mark(console, latest, len(earlier))


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
    _print_repairs(console, message.repairs)


def _print_repairs(console: Console, repairs: Sequence[Repair]) -> None:
    for repair in repairs:
        detail = f": {repair.detail}" if repair.detail else ""
        console.print(_indented(f"repaired {repair.kind}{detail}", style="yellow"))


def _print_mark(console: Console, mark: Mark, earlier: int) -> None:
    """Print a judge's latest mark; the dimensions that it was not asked for are left out."""
    _print_heading(console, f"Marks by {mark.judge}")
    for dimension in DIMENSIONS:
        grade = mark.grades.get(dimension)
        if grade is None:
            continue
        console.print(text(f"{HEADINGS[dimension]:<11}{grade.grade or 'unscored'}", style="bold"))
        if grade.analysis or grade.reason:
            console.print(_indented(grade.analysis or grade.reason or ""))
    _print_repairs(console, mark.repairs)
    if mark.naming is not None:
        _print_repairs(console, mark.naming.repairs)
    _print_diseases(console, mark.diseases)
    if mark.diseases_published is not None:
        scores = mark.diseases_published
        told = f"{len(scores.hits)} of {len(scores.reference)} hit"
        line = f"by shared candidate names: {told}, {len(scores.predicted)} predicted"
        console.print(_indented(line, style="dim"))
    facts = [f"terminology {mark.terminology}"] if mark.terminology else []
    facts += [f"extraction {mark.extraction}"] if mark.extraction else []
    facts += [f"graded {mark.version} times"] if mark.version > 1 else []
    facts += [f"{earlier} earlier in marks.jsonl"] if earlier else []
    if facts:
        console.print(_indented("; ".join(facts), style="dim"))


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


def _grades(mark: Mark) -> str:
    grades = (mark.grades.get(d) for d in DIMENSIONS)
    return "".join(g.grade if g is not None and g.grade is not None else NONE for g in grades)


def _ending(visit: Visit) -> str:
    by = f" by {visit.failed_by}" if visit.failed_by else ""
    why = f": {visit.failure}" if visit.failure else ""
    return f"{visit.ending.value}{by}{why}"


def _person(human: HumanNotes) -> str:
    """The chair that a person sat in, what helped it, and whether it was examined."""
    told = [human.role.replace("_", " "), f"hints {human.hints}", f"turns taken back {human.undos}"]
    if human.exam:
        station = f" (station {human.station})" if human.station else ""
        told.append(f"an examination{station}")
    if human.minutes is not None:
        told.append(f"{human.minutes:g} min to consult, {human.report_minutes or 0:g} to report")
    return ", ".join(told)


def _disease(link: DiseaseLink) -> str:
    return f"{link.name} ({link.icd10 or 'not linked'})"


def _print_heading(console: Console, heading: str) -> None:
    console.print()
    console.print(text(heading, style="bold underline"))


def _indented(words: str, style: str = "") -> Padding:
    return Padding(text(words, style=style), (0, 0, 0, 3), expand=False)
