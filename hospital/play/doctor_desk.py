"""The doctor's desk: what a person in the Doctor's chair types becomes what the doctor says."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from functools import partial

from autogen_agentchat.messages import BaseChatMessage
from rich.text import Text

from agents.human import Words
from agents.leaving import BrokenOff, TakenBack
from hospital.play.chart import show_chart
from hospital.play.commands import Typed, read_line
from hospital.play.completion import offered
from hospital.play.draft import Draft
from hospital.play.hanging import labelled, spoken
from hospital.play.help import show_help
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
    PATIENT,
    REPORT_PARTS,
    Candidate,
    Message,
    Trace,
)

_PRACTICE = ("/hint", "/undo", "/提示", "/撤回")
"""Commands that an examination lacks."""
_OF_THE_CONSULTATION = ("/examine", "/order")
_LIST = re.compile(r"[,，、;；\n]+")
_EXAMPLES = {
    "/examine": ("/examine abdomen", "/查体 腹部"),
    "/order": ("/order CBC", "/检查 血常规"),
}


class TimeOver(Exception):  # noqa: N818 - an event of an examination, no error
    """The time of the consultation or of the report is over."""


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
        self.live = Live(terminal, self._words.roles, self._words.still_waiting)
        self._offered = offered(record.language, exam=draft.human.exam)

    def begin(self) -> None:
        """Show who has come in."""
        words = self._words
        hello = words.resumed if self._draft.messages else words.welcome
        if not self._terminal.plain:
            self._terminal.show("")
        if self._task:
            self._terminal.show(" ".join(self._task.split()), "")
        self._terminal.show(patient_card(self._record), Text(hello, style="dim"), "")

    async def ask(self, heard: Sequence[BaseChatMessage]) -> Words:
        """The doctor's next words; asked by the chief physician, the report.

        Raises:
            TakenBack: the person takes back its last turn.
            BrokenOff: it leaves.
        """
        self.live.rest()
        if not self._terminal.plain:
            self._terminal.show("")
        if any(message.source == CHIEF_PHYSICIAN for message in heard):
            return await self._report()
        while True:
            try:
                line = await self._line(
                    f"{self._words.you}> ",
                    complete=self._offered,
                    default=self._draft.typing,
                    keep=self._draft.keep_typing,
                )
                self._draft.keep_typing("")
            except TimeOver:
                self._draft.keep_typing("")
                self._terminal.show(Text(self._words.time_over, style="bold"))
                return self._close()
            if (words := await self._do(read_line(line))) is not None:
                return words

    def hear(self, message: Message) -> None:
        """Show what was said; the doctor's own words stand on the terminal already."""
        if message.role == DOCTOR:
            return
        role = self._words.roles.get(message.role, message.role)
        if message.role != CHIEF_PHYSICIAN and not self.live.has_shown(message.role, message.text):
            style = "bold cyan" if message.role == EXAMINER else "bold green"
            plain = self._terminal.plain
            self._terminal.show(*spoken(role, message.text, plain=plain, style=style))

    def hear_again(self, message: Message) -> None:
        """Show a message of an earlier sitting."""
        role = self._words.roles.get(message.role, message.role)
        style = "dim" if message.role == DOCTOR else "bold dim"
        plain = self._terminal.plain
        self._terminal.show(*spoken(role, message.text, plain=plain, style=style))

    async def _do(self, typed: Typed) -> Words | None:
        """Words to say, or None if the line was for the desk alone."""
        words, rest = self._words, typed.rest
        match typed.command:
            case None:
                return self._say(f"{TAGS[self._language][PATIENT]} {rest}") if rest else None
            case "/examine" | "/order" as command:
                if not rest:
                    example = _EXAMPLES[command][self._language == "zh"]
                    self._terminal.show(words.needs.format(example=example))
                    return None
                request = words.physical.format(what=rest) if command == "/examine" else rest
                return self._say(f"{TAGS[self._language][EXAMINER]} {request}")
            case "/report":
                self._edit_report = rest.lower() in ("edit", "编辑")
                return self._close()
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
                exam = self._draft.human.exam
                show_help(self._terminal, words.help, without=_PRACTICE if exam else ())
            case _:
                unknown = words.near_command if typed.near else words.unknown_command
                self._terminal.show(unknown.format(command=rest, near=typed.near))
                # What was meant for the patient is there to be mended, not typed again.
                self._again = typed.whole
        return None

    _edit_report = False
    _again = ""

    def _close(self) -> Words:
        return Words(
            f"{TAGS[self._language][PATIENT]} {self._words.closing}", self._trace(end=True)
        )

    def _say(self, text: str) -> Words:
        return Words(text, self._trace())

    def _trace(self, end: bool = False) -> Trace | None:
        names = self._draft.differentials[-1][1] if self._draft.differentials else ()
        if not names and not end:
            return None
        # A list without numbers: the place is all that it says.
        guesses = tuple(Candidate(name=n, score=1 / (i + 1)) for i, n in enumerate(names))
        return Trace(differential=guesses, end=end)

    async def _line(
        self,
        prompt: str,
        *,
        complete: Sequence[str] = (),
        default: str = "",
        keep: Callable[[str], None] | None = None,
    ) -> str:
        left = self._seconds_left()
        right = ""
        if left is not None:
            if left <= 0:
                raise TimeOver
            right = self._words.time_left.format(minutes=math.ceil(left / 60))
        limit = asyncio.timeout(left)
        default, self._again = self._again or default, ""
        try:
            async with limit:
                return await self._terminal.ask(
                    prompt, default=default, complete=complete, right=right, keep=keep
                )
        except (BrokenOff, TimeoutError) as leaving:
            if keep is not None and leaving.args and isinstance(leaving, BrokenOff):
                keep(str(leaving.args[0]))
            if limit.expired():
                raise TimeOver from None
            raise

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
        ask, examine = Insight(self._language, self._record.demographics).hint(self._draft.messages)
        if ask:
            self._terminal.show(words.hint_ask.format(what=words.separator.join(ask)))
        if examine:
            self._terminal.show(words.hint_examine.format(what=words.separator.join(examine)))
        if not ask and not examine:
            self._terminal.show(words.no_hint)

    async def _report(self) -> Words:
        """The report in five parts, written in an editor or part by part; its draft is kept."""
        words, exam = self._words, self._draft.human.exam
        begins = words.report_begins_exam if exam else words.report_begins
        self._terminal.show(Text(begins, style="bold"))
        self._draft.start_report()
        try:
            if not (self._edit_report and self._write_in_editor()):
                await self._write_parts(REPORT_PARTS)
            while await self._changes():
                pass
        except TimeOver:
            # What is written is handed in, be it nothing.
            self._terminal.show(Text(words.report_time_over, style="bold"))
        return Words(write_report(self._draft.report, self._language))

    async def _write_parts(self, parts: Sequence[str]) -> None:
        for part in parts:
            name = f"{REPORT_PARTS.index(part) + 1}. {labelled(self._words.parts[part])}"
            keep = partial(self._draft.write_part, part)
            typed = Typed("", "")
            while typed.command is not None:
                line = await self._line(name, default=self._draft.report.get(part, ""), keep=keep)
                typed = read_line(line)
                if typed.command == "/report":
                    if self._write_in_editor():
                        return
                elif typed.command in _OF_THE_CONSULTATION:
                    self._terminal.show(self._words.closed)
                elif typed.command is not None:
                    await self._do(typed)
            keep(line)

    async def _changes(self) -> bool:
        """Ask whether the report is done; False once it is."""
        typed = (await self._line(self._words.hand_in)).strip()
        if typed.isdecimal() and 1 <= int(typed) <= len(REPORT_PARTS):
            await self._write_parts((REPORT_PARTS[int(typed) - 1],))
        elif typed.startswith(("/", "／")):
            await self._do(read_line(typed))
        elif not any(part.strip() for part in self._draft.report.values()):
            self._terminal.show(self._words.report_empty)
        elif typed.lower() in self._words.yes:
            return False
        return True

    def _write_in_editor(self) -> bool:
        """Write the report in the person's editor; False if it has none."""
        from records.report_parser import read_report

        self._edit_report = False
        earlier = {p: self._draft.report.get(p, "") for p in REPORT_PARTS}
        written = self._terminal.edit(write_report(earlier, self._language))
        if written is None:
            self._terminal.show(self._words.no_editor)
            return False
        report = read_report(written).report
        for part in REPORT_PARTS:
            self._draft.write_part(part, getattr(report, part))
        return True
