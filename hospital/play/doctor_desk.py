"""The doctor's desk: what a person in the Doctor's chair types becomes what the doctor says."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence

from autogen_agentchat.messages import BaseChatMessage
from rich.text import Text

from agents.human import BrokenOff, TakenBack, Words
from hospital.play.chart import show_chart
from hospital.play.commands import COMMANDS, Typed, read_line
from hospital.play.completion import examination_names
from hospital.play.draft import Draft
from hospital.play.insight import Insight
from hospital.play.live import Live
from hospital.play.terminal import Terminal
from hospital.play.waiting_room import patient_card
from hospital.play.words import play_words
from records.addressing import TAGS
from records.medical_record import MedicalRecord
from records.report_text import write_report
from records.visit import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    REPORT_PARTS,
    Candidate,
    Message,
    Trace,
)

_LIST = re.compile(r"[,，、;；\n]+")
_EXAMPLES = {
    "/examine": ("/examine abdomen", "/examine 腹部"),
    "/order": ("/order CBC", "/order 血常规"),
}


class TimeOver(Exception):  # noqa: N818 - an event of an examination, no error
    """The time of the consultation or of the report is over; holds what stood on the line."""


class DoctorDesk:
    """Asks the person for its turns; `ask` is what a `HumanDoctor` is made with.

    Args:
        terminal: where the person is.
        record: the case; only what was said and found of it is ever shown.
        draft: where everything is kept.
        task: what an OSCE station asks of its candidate.
    """

    def __init__(
        self, terminal: Terminal, record: MedicalRecord, draft: Draft, task: str = ""
    ) -> None:
        self._terminal = terminal
        self._task = task
        self._record = record
        self._draft = draft
        self._language = record.language
        self._words = play_words(record.language)
        self.live = Live(terminal, self._words.roles)
        self._insight = Insight(record.language)
        offered = [name for command in COMMANDS for name in (command, *COMMANDS[command])]
        for command, bedside in (("/examine", True), ("/order", False)):
            names = examination_names(record.language, bedside=bedside)
            offered += [f"{c} {n}" for c in (command, *COMMANDS[command]) for n in names]
        self._offered = tuple(offered)

    def begin(self) -> None:
        """Show who has come in."""
        words = self._words
        hello = words.resumed if self._draft.messages else words.welcome
        if self._task:
            self._terminal.show(self._task.strip(), "")
        self._terminal.show(patient_card(self._record), hello)

    async def ask(self, heard: Sequence[BaseChatMessage]) -> Words:
        """The doctor's next words; asked by the chief physician, the report.

        Raises:
            TakenBack: the person takes back its last turn.
            BrokenOff: it leaves.
        """
        if any(message.source == CHIEF_PHYSICIAN for message in heard):
            return await self._report()
        while True:
            try:
                line = await self._line(f"{self._words.you}> ", complete=self._offered)
            except TimeOver:
                self._terminal.show(Text(self._words.time_over, style="bold"))
                return Words(self._words.closing, self._trace(end=True))
            if (words := await self._do(read_line(line))) is not None:
                return words

    def hear(self, message: Message) -> None:
        """Show what was said; the doctor's own words stand on the terminal already."""
        if message.role == DOCTOR:
            return
        role = self._words.roles.get(message.role, message.role)
        if message.role != CHIEF_PHYSICIAN and not self.live.has_shown(message.role, message.text):
            self._terminal.show(Text.assemble((f"{role}: ", "bold green"), message.text))

    def hear_again(self, message: Message) -> None:
        """Show a message of an earlier sitting."""
        role = self._words.roles.get(message.role, message.role)
        self._terminal.show(Text.assemble((f"{role}: ", "bold"), message.text, style="dim"))

    async def _do(self, typed: Typed) -> Words | None:
        """Words to say, or None if the line was for the desk alone."""
        words, rest = self._words, typed.rest
        match typed.command:
            case None:
                return self._say(rest) if rest else None
            case "/examine" | "/order" as command:
                if not rest:
                    example = _EXAMPLES[command][self._language == "zh"]
                    self._terminal.show(words.needs.format(example=example))
                    return None
                request = words.physical.format(what=rest) if command == "/examine" else rest
                return self._say(f"{TAGS[self._language][EXAMINER]} {request}")
            case "/report":
                self._edit_report = rest.lower() in ("edit", "编辑")
                return Words(words.closing, self._trace(end=True))
            case "/undo":
                self._undo()
            case "/quit":
                raise BrokenOff
            case "/chart":
                tell = not self._draft.human.exam
                show_chart(self._terminal, self._record, self._draft.messages, tell_abnormal=tell)
            case "/notes":
                self._note(rest)
            case "/differential":
                self._think_of(rest)
            case "/hint":
                self._hint()
            case "/save":
                self._terminal.show(words.saved.format(path=self._draft.path))
            case "/help":
                self._terminal.show(words.help)
            case _:
                unknown = words.near_command if typed.near else words.unknown_command
                self._terminal.show(unknown.format(command=rest, near=typed.near))
        return None

    _edit_report = False

    def _say(self, text: str) -> Words:
        return Words(text, self._trace())

    def _trace(self, end: bool = False) -> Trace | None:
        names = self._draft.differentials[-1][1] if self._draft.differentials else ()
        if not names and not end:
            return None
        # A list without numbers: the place is all that it says.
        guesses = tuple(Candidate(name=n, score=1 / (i + 1)) for i, n in enumerate(names))
        return Trace(differential=guesses, end=end)

    async def _line(self, prompt: str, *, complete: Sequence[str] = (), default: str = "") -> str:
        left = self._seconds_left()
        right = ""
        if left is not None:
            if left <= 0:
                raise TimeOver
            right = self._words.time_left.format(minutes=math.ceil(left / 60))
        limit = asyncio.timeout(left)
        default = default or self._draft.typing
        try:
            async with limit:
                line = await self._terminal.ask(
                    prompt,
                    default=default,
                    complete=complete,
                    right=right,
                    keep=self._draft.keep_typing,
                )
        except (BrokenOff, TimeoutError) as leaving:
            typed = str(leaving.args[0]) if isinstance(leaving, BrokenOff) and leaving.args else ""
            if limit.expired():
                raise TimeOver(typed) from None
            self._draft.keep_typing(typed)
            raise
        self._draft.keep_typing("")
        return line

    def _seconds_left(self) -> float | None:
        """Of the consultation, or of the report once it is begun; None without a limit."""
        since = self._draft.report_since
        limit = self._draft.human.minutes if since is None else self._draft.human.report_minutes
        return None if limit is None else 60 * limit - (self._draft.seconds - (since or 0.0))

    def _undo(self) -> None:
        if self._draft.human.exam:
            self._terminal.show(self._words.not_in_exam)
        elif self._draft.before_last_turn() is None:
            self._terminal.show(self._words.nothing_to_take_back)
        else:
            raise TakenBack

    def _note(self, text: str) -> None:
        if text:
            self._draft.note(text)
            self._terminal.show(self._words.noted)
        elif self._draft.notes:
            self._terminal.show(self._words.notes, *(f"- {note}" for note in self._draft.notes))
        else:
            self._terminal.show(self._words.no_notes)

    def _think_of(self, text: str) -> None:
        names = tuple(name.strip() for name in _LIST.split(text) if name.strip())
        if names:
            turn = self._draft.messages[-1].turn if self._draft.messages else 0
            self._draft.think_of(turn, names)
        if not self._draft.differentials:
            self._terminal.show(self._words.no_differential)
            return
        latest = self._draft.differentials[-1][1]
        lines = (f"{i}. {name}" for i, name in enumerate(latest, start=1))
        self._terminal.show(self._words.differential, *lines)

    def _hint(self) -> None:
        words = self._words
        if self._draft.human.exam:
            self._terminal.show(words.not_in_exam)
            return
        self._draft.hinted()
        ask, examine = self._insight.hint(self._draft.messages)
        if ask:
            self._terminal.show(words.hint_ask.format(what=words.separator.join(ask)))
        if examine:
            self._terminal.show(words.hint_examine.format(what=words.separator.join(examine)))
        if not ask and not examine:
            self._terminal.show(words.no_hint)

    async def _report(self) -> Words:
        """The report in five parts, written in an editor or part by part; its draft is kept."""
        self._terminal.show(Text(self._words.report_begins, style="bold"))
        self._draft.start_report()
        while True:
            if self._edit_report:
                self._edit_report = False
                self._write_in_editor()
            else:
                try:
                    await self._write_by_parts()
                except TimeOver:
                    # What is written is handed in, be it nothing.
                    return Words(write_report(self._draft.report, self._language))
            if any(part.strip() for part in self._draft.report.values()):
                return Words(write_report(self._draft.report, self._language))
            self._terminal.show(self._words.report_empty)

    async def _write_by_parts(self) -> None:
        for part in REPORT_PARTS:
            prompt = f"{self._words.parts[part]}: "
            try:
                line = await self._line(prompt, default=self._draft.report.get(part, ""))
            except TimeOver as over:
                if over.args and over.args[0]:
                    self._draft.write_part(part, str(over.args[0]))
                raise
            typed = read_line(line)
            if typed.command == "/undo":
                self._undo()
            elif typed.command == "/quit":
                raise BrokenOff
            elif typed.command is None:
                self._draft.write_part(part, line)

    def _write_in_editor(self) -> None:
        from records.report_parser import read_report

        written = self._terminal.edit(
            write_report({p: self._draft.report.get(p, "") for p in REPORT_PARTS}, self._language)
        )
        if written is not None:
            report = read_report(written).report
            for part in REPORT_PARTS:
                self._draft.write_part(part, getattr(report, part))
