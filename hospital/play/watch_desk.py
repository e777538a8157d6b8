"""The place of someone who only watches: hears everything, says nothing."""

from __future__ import annotations

from hospital.play.hanging import spoken
from hospital.play.live import Live
from hospital.play.terminal import Terminal
from hospital.play.waiting_room import patient_card
from hospital.play.words import play_words
from records.medical_record import MedicalRecord
from records.visit import CHIEF_PHYSICIAN, EXAMINER, PATIENT, Message

_STYLES = {PATIENT: "bold green", EXAMINER: "bold cyan"}


class WatchDesk:
    """Shows a visit between agents as it goes.

    Args:
        terminal: where.
        record: the case; only who the patient is is shown of it.
        report: show the report too; who grades it sees it part by part.
    """

    def __init__(self, terminal: Terminal, record: MedicalRecord, *, report: bool = True) -> None:
        self._report = report
        self._terminal = terminal
        self._record = record
        words = play_words(record.language)
        self._names = words.roles
        self.live = Live(terminal, self._names, words.still_waiting)

    def begin(self) -> None:
        """Show who has come in."""
        self._terminal.show(patient_card(self._record), "")

    def hear(self, message: Message) -> None:
        """Show what was said, and to whom where it is not plain."""
        if message.role == CHIEF_PHYSICIAN:
            return
        if message.addressee == CHIEF_PHYSICIAN and not self._report:
            return
        if self.live.has_shown(message.role, message.text):
            self._terminal.show("")
            return
        role = self._names.get(message.role, message.role)
        to = f" → {self._names[EXAMINER]}" if message.addressee == EXAMINER else ""
        style = _STYLES.get(message.role, "bold")
        plain = self._terminal.plain
        self._terminal.show(*spoken(f"{role}{to}", message.text, plain=plain, style=style))
        if not plain:
            self._terminal.show("")

    def hear_again(self, message: Message) -> None:
        """What was said in an earlier sitting is shown alike."""
        self.hear(message)
