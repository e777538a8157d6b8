"""The desk of a person in the Chief Physician's chair: grades a report against the record."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from agents.human import HUMAN
from agents.npc import Opinion
from hospital.play.hanging import spoken
from hospital.play.terminal import Terminal
from hospital.play.words import PlayWords, play_words
from records.mark import DIMENSIONS, Grade, Letter, Mark
from records.medical_record import MedicalRecord
from records.views import MarkingView
from records.visit import Report

_LETTERS: dict[str, Letter] = {"a": "A", "b": "B", "c": "C", "d": "D"}
_ABSTAINS = ("-", "－", "—")


class ChiefDesk:
    """Asks the person for its grades; `ask` is what a `HumanChiefPhysician` is made with."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    async def ask(self, view: MarkingView, report: Report) -> Opinion:
        """The person's grades, part by part, each with the record's part beside the report's.

        Raises:
            BrokenOff: the person leaves; nothing is marked.
        """
        record = view.record
        words = play_words(record.language)
        self._terminal.show(words.chief_welcome)
        reference = references(record)
        grades = {}
        for part in DIMENSIONS:
            name = words.parts[part]
            self._terminal.show(
                "",
                Text(name, style="bold underline"),
                *self._says(words.record_has, reference[part] or words.nothing),
                *self._says(words.report_says, getattr(report, part) or words.nothing),
            )
            grades[part] = await self._grade(name, words)
        return Opinion(grades=grades)

    def _says(self, who: str, text: str) -> Iterable[RenderableType]:
        return spoken(who, text, plain=self._terminal.plain, style="bold")

    async def _grade(self, part: str, words: PlayWords) -> Grade:
        while True:
            line = await self._terminal.ask(words.grade.format(part=part))
            # A Chinese keyboard may type wide letters.
            typed = unicodedata.normalize("NFKC", line).strip().lower()
            if typed in _ABSTAINS:
                return Grade(grade=None, reason="abstained")
            if typed in _LETTERS:
                analysis = await self._terminal.ask(words.analysis)
                return Grade(grade=_LETTERS[typed], analysis=analysis.strip())
            self._terminal.show(words.grade_menu)


def letters(mark: Mark, words: PlayWords) -> str:
    """A mark's grades in one line."""
    return words.comma.join(f"{words.parts[d]} {_letter(mark, d) or '-'}" for d in DIMENSIONS)


def show_agreement(terminal: Terminal, marks: Sequence[Mark], words: PlayWords) -> None:
    """Show the letters of two judges or more side by side, and how far a person agrees with each.

    Nothing where there are no two, or no person among them.
    """
    own = next((mark for mark in marks if mark.judge.startswith(f"{HUMAN}:")), None)
    others = [mark for mark in marks if own is not None and mark.judge != own.judge]
    if own is None or not others:
        return
    judges = [own, *others]
    terminal.show("", Text(" | ".join(mark.judge for mark in judges), style="bold underline"))
    for dimension in DIMENSIONS:
        given = " | ".join(_letter(mark, dimension) or "-" for mark in judges)
        part = words.parts[dimension]
        terminal.show(words.letters_of.format(part=part, letters=given))
    for other in others:
        apart = [
            abs(ord(first) - ord(second))
            for dimension in DIMENSIONS
            if (first := _letter(own, dimension)) and (second := _letter(other, dimension))
        ]
        told = words.agreement.format(same=apart.count(0), of=len(apart), near=apart.count(1))
        terminal.show(f"{other.judge}: {told}")


def _letter(mark: Mark, dimension: str) -> str | None:
    grade = mark.grades.get(dimension)
    return grade.grade if grade is not None else None


def references(record: MedicalRecord) -> dict[str, str]:
    """By part of the report, what the record has in its place."""
    separator = "；" if record.language == "zh" else "; "
    return {
        "symptoms": "\n".join(
            dict.fromkeys(
                t for t in (record.chief_complaint, record.history_of_present_illness) if t
            )
        ),
        "examinations": separator.join(
            f"{e.name} {e.reading}" for e in record.auxiliary_examinations
        ),
        "diagnosis": separator.join(d.name for d in record.diagnoses),
        "rationale": record.rationale or "",
        "treatment": record.treatment or "",
    }
