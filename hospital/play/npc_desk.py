"""The desk of a person in the Patient's or the Examiner's chair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from rich.text import Text

from agents.leaving import BrokenOff, TakenBack
from agents.npc import Npc
from hospital.play.commands import NPC_COMMANDS, read_line
from hospital.play.draft import Draft
from hospital.play.hanging import spoken
from hospital.play.help import show_help
from hospital.play.live import Live
from hospital.play.terminal import Terminal
from hospital.play.waiting_room import who
from hospital.play.words import play_words
from records.examinations.stated_examinations import stated_examinations
from records.facts.matching import stated_findings
from records.medical_record import Examination
from records.views import ExaminerView, PatientView
from records.visit import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, Message, Trace

Seen = TypeVar("Seen", bound=PatientView | ExaminerView)


class NpcDesk(Generic[Seen]):
    """Asks the person for its replies; `ask` is what a `HumanNpc` is made with.

    Args:
        terminal: where the person is.
        role: `patient` or `examiner`.
        view: all that this role knows: its card.
        draft: where everything is kept.
        grounded: suggests replies.
    """

    def __init__(
        self, terminal: Terminal, role: str, view: Seen, draft: Draft, grounded: Npc[Seen]
    ) -> None:
        self._terminal = terminal
        self._role = role
        self._view = view
        self._draft = draft
        self._grounded = grounded
        self._words = play_words(view.language)
        self.live = Live(terminal, self._words.roles, self._words.still_waiting)
        offered = [name for command in NPC_COMMANDS for name in (command, *NPC_COMMANDS[command])]
        self._offered = tuple(offered)

    _again = ""

    def begin(self) -> None:
        """Show the person its card."""
        self.show_card()
        hello = self._words.npc_welcome[self._role]
        hello = self._words.resumed if self._draft.messages else hello
        self._terminal.show("", Text(hello, style="dim"), "")

    async def ask(self, view: Seen, transcript: Sequence[Message]) -> tuple[Message, ...]:
        """The role's reply to the last message.

        Raises:
            TakenBack: the person takes back its last turn.
            BrokenOff: it leaves.
        """
        self.live.rest()
        if not self._terminal.plain:
            self._terminal.show("")
        while True:
            line = await self._line(f"{self._words.roles[self._role]}> ")
            typed = read_line(line, NPC_COMMANDS)
            match typed.command:
                case None if typed.rest:
                    return (self._message(transcript, typed.rest),)
                case "/end" if self._role == PATIENT:
                    words = typed.rest or self._words.leave
                    return (self._message(transcript, words, end=True),)
                case "/card":
                    self.show_card()
                case "/suggest":
                    await self._suggest(view, transcript)
                case "/undo":
                    if self._draft.before_last_turn() is not None:
                        raise TakenBack
                    self._terminal.show(self._words.nothing_to_take_back)
                case "/quit":
                    raise BrokenOff
                case "/help":
                    show_help(self._terminal, self._words.npc_help[self._role])
                case None:
                    pass
                case _:
                    near = typed.near
                    said = self._words.near_command if near else self._words.unknown_command
                    command = typed.rest or typed.command or ""
                    self._terminal.show(said.format(command=command, near=near))
                    self._again = typed.whole

    def hear(self, message: Message) -> None:
        """Show what others said."""
        if message.role in (self._role, CHIEF_PHYSICIAN):
            return
        if not self.live.has_shown(message.role, message.text):
            self._show(message, "bold green")

    def hear_again(self, message: Message) -> None:
        """Show a message of an earlier sitting."""
        self._show(message, "dim")

    def show_card(self) -> None:
        """Show all that the role knows."""
        words = self._words
        self._terminal.show(Text(words.card, style="bold underline"))
        for name, text in self._card():
            plain = self._terminal.plain
            self._terminal.show(*spoken(name, " ".join(text.split()), plain=plain, style="bold"))

    def _card(self) -> list[tuple[str, str]]:
        words, view = self._words, self._view
        if isinstance(view, ExaminerView):
            return [(e.name, f"{e.reading}{self._range(e)}") for e in view.examinations]
        persona = view.persona
        lines = [
            (words.patient, who(view.demographics, view.language)),
            (words.background, persona.background),
            (words.way_of_speaking, persona.way_of_speaking),
            (words.emotion, persona.emotion),
            (words.said, view.opening),
        ]
        sections = (
            view.chief_complaint,
            view.history_of_present_illness,
            view.past_history,
            view.personal_history,
            view.family_history,
            view.medication_history,
        )
        lines += [(words.history, section) for section in sections]
        return [(name, text) for name, text in lines if text]

    def _range(self, examination: Examination) -> str:
        usual = examination.reference_range
        return f" ({self._words.reference_range.format(range=usual)})" if usual else ""

    async def _line(self, prompt: str) -> str:
        try:
            line = await self._terminal.ask(
                prompt,
                default=self._draft.typing or self._again,
                complete=self._offered,
                keep=self._draft.keep_typing,
            )
        except BrokenOff as leaving:
            self._draft.keep_typing(str(leaving.args[0]) if leaving.args else self._draft.typing)
            raise
        self._draft.keep_typing("")
        self._again = ""
        return line

    async def _suggest(self, view: Seen, transcript: Sequence[Message]) -> None:
        self._draft.hinted()
        replies = await self._grounded.reply(view, transcript, self._draft.order.visit_seed)
        self._terminal.show(self._words.suggestion, *(Text(reply.text) for reply in replies))

    def _message(self, transcript: Sequence[Message], text: str, end: bool = False) -> Message:
        view = self._view
        facts: tuple[str, ...] = ()
        results: tuple[str, ...] = ()
        if isinstance(view, PatientView):
            facts = stated_findings(text, view.findings, view.language)
        else:
            results = stated_examinations(text, view.examinations, view.language)
        return Message(
            turn=transcript[-1].turn,
            role=self._role,
            speaker=self._role,
            addressee=DOCTOR,
            text=text,
            facts=facts,
            examinations=results,
            trace=Trace(end=True) if end else None,
        )

    def _show(self, message: Message, style: str) -> None:
        names = self._words.roles
        role = names.get(message.role, message.role)
        to = ""
        if message.addressee in (PATIENT, EXAMINER) and message.addressee != self._role:
            to = f" → {names[message.addressee]}"
        plain = self._terminal.plain
        self._terminal.show(*spoken(f"{role}{to}", message.text, plain=plain, style=style))
