"""The waiting room: who waits, as far as one sees and hears it from the door."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hospital.play.hanging import Hanging
from hospital.play.terminal import Terminal
from hospital.play.words import NEVER_CARE, play_words
from records.medical_record import Demographics, Language, MedicalRecord
from records.views import PatientView

_LEAST = 60
"""Columns for a table."""


def who(person: Demographics, language: Language) -> str:
    """Age, sex and occupation in one phrase; "not stated" if the record has none of them."""
    words = play_words(language)
    parts = []
    if person.age_years is not None:
        parts.append(age(person.age_years, language))
    if person.sex is not None:
        parts.append(words.male if person.sex == "male" else words.female)
    if person.occupation:
        parts.append(person.occupation)
    return ("，" if language == "zh" else ", ").join(parts) or words.unknown


def age(years: float, language: Language) -> str:
    """An age as people say it: in months below two years."""
    if years >= 2:
        return play_words(language).years.format(age=f"{years:g}")
    months = round(12 * years)
    if language == "zh":
        return f"{months}个月" if months else "新生儿"
    return "newborn" if not months else f"{months} month{'s' if months > 1 else ''}"


def show_waiting_room(
    terminal: Terminal, records: Sequence[MedicalRecord], language: Language
) -> None:
    """Show the patients who wait, numbered from 1: demographics and complaint, nothing more."""
    words = play_words(language)
    if terminal.plain:
        terminal.show(words.waiting_room, NEVER_CARE[language])
        for number, record in enumerate(records, start=1):
            person = who(record.demographics, record.language)
            terminal.show(f"{number}. {person}: {_complaint(record)}")
        return
    if terminal.width is not None and terminal.width < _LEAST:
        terminal.show(Text(words.waiting_room, style="bold"), NEVER_CARE[language])
        for number, record in enumerate(records, start=1):
            person = who(record.demographics, record.language)
            terminal.show(Text(f"{number}. {person}", style="bold"), f"   {_complaint(record)}")
        return
    table = Table(box=None, show_header=False, padding=(0, 1), expand=True)
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(style="bold", width=28)
    table.add_column(ratio=1)
    for number, record in enumerate(records, start=1):
        person = who(record.demographics, record.language)
        complaint = Hanging(Text(_complaint(record)), 0)
        table.add_row(str(number), Hanging(Text(person), 0), complaint)
    terminal.show(
        Panel(
            table,
            title=words.waiting_room,
            title_align="left",
            subtitle=NEVER_CARE[language],
            subtitle_align="right",
            box=box.ROUNDED,
        )
    )


def patient_card(record: MedicalRecord) -> RenderableType:
    """Who has come in."""
    words = play_words(record.language)
    person = who(record.demographics, record.language)
    return Text(words.comes_in.format(who=person), style="bold")


def _complaint(record: MedicalRecord) -> str:
    return " ".join(PatientView.of(record).opening.split())
