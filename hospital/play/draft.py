"""A visit under way with a person in it, kept line by line, so that nothing said is lost.

A file `unfinished/<visit key>.jsonl` in the run: first the order, then each thing as it happens.
It is read back from the start and removed once the visit stands in the ledger.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from records.errors import LedgerError
from records.jsonl import LineFile, read_lines
from records.medical_record import Paper
from records.visit import DOCTOR, HumanNotes, Message, VisitOrder

FOLDER = "unfinished"


class Begun(Paper):
    """How a person's visit was begun: a draft's first line."""

    order: VisitOrder
    human: HumanNotes
    """Where the person sits, under which rules."""
    name: str
    """The person's."""
    sources: tuple[str, ...] = ("library",)
    """Where the case was read from."""
    judge: str = "rubric"
    station: str | None = None
    """As it was typed."""

    @classmethod
    def of(cls, path: Path) -> Begun:
        """Read it.

        Raises:
            LedgerError: the file does not begin so.
        """
        for number, line in _lines(path):
            try:
                return cls.model_validate(line)
            except ValueError:
                raise _damage(path, number) from None
        raise LedgerError(f"{path}: nothing is in it; remove it, and begin the visit anew")


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    try:
        for number, line in read_lines(path):
            yield number, line
    except LedgerError:
        raise _damage(path, number + 1) from None


def _damage(path: Path, number: int) -> LedgerError:
    what = "remove that line to go on without it" if number > 1 else "the visit cannot go on"
    return LedgerError(f"{path}: line {number}: damaged; {what}")


class Draft:
    """What a person's visit is so far.

    Args:
        path: of its file; read if it is there.
        begun: what is to happen; written first into a new file.

    Raises:
        LedgerError: the file is damaged, or another process is at it.
    """

    def __init__(self, path: Path, begun: Begun) -> None:
        self.path = path
        self.order = begun.order
        self.human = begun.human
        self.messages: list[Message] = []
        self.notes: list[str] = []
        """The person's private notes."""
        self.differentials: list[tuple[int, tuple[str, ...]]] = []
        """(turn, names, likeliest first), oldest first."""
        self.report: dict[str, str] = {}
        """The report's parts as far as they are written."""
        self.report_since: float | None = None
        """Seconds into the visit at which the report was begun."""
        self.typing = ""
        """What stood on the line when the person was cut off."""
        self.earlier_seconds = 0.0
        self._began = time.monotonic()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(path.with_suffix(".lock"), timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise LedgerError(f"{path}: this visit goes on in another window") from None
        new = True
        for number, line in _lines(path):
            try:
                self._read(line)
            except (ValueError, TypeError, KeyError):
                raise _damage(path, number) from None
            new = False
        self._file = LineFile(path)
        if new:
            self._file.append(begun.model_dump(mode="json"))

    @property
    def seconds(self) -> float:
        """Spent on the visit, earlier sittings included."""
        return self.earlier_seconds + time.monotonic() - self._began

    def keep(self, message: Message) -> None:
        """Keep a message."""
        self.messages.append(message)
        self._write({"said": message.model_dump(mode="json")})

    def cut(self, length: int) -> None:
        """Take back all messages after the first `length`; counts as an undo."""
        del self.messages[length:]
        self.human = self.human.model_copy(update={"undos": self.human.undos + 1})
        self._write({"cut": length})

    def hinted(self) -> None:
        """Count a hint."""
        self.human = self.human.model_copy(update={"hints": self.human.hints + 1})
        self._write({"hint": 1})

    def start_report(self) -> None:
        """Note when the report was begun; a second time changes nothing."""
        if self.report_since is None:
            self.report_since = self.seconds
            self._write({"report_since": self.report_since})

    def note(self, text: str) -> None:
        """Keep a private note."""
        self.notes.append(text)
        self._write({"note": text})

    def think_of(self, turn: int, names: tuple[str, ...]) -> None:
        """Keep a private list of guesses."""
        self.differentials.append((turn, names))
        self._write({"differential": [turn, list(names)]})

    def write_part(self, part: str, text: str) -> None:
        """Keep a part of the report."""
        if self.report.get(part) == text:
            return
        self.report[part] = text
        self._write({"part": part, "text": text})

    def keep_typing(self, text: str) -> None:
        """Keep what stands on the line, not sent."""
        if text != self.typing:
            self.typing = text
            self._write({"typing": text})

    def before_last_turn(self) -> int | None:
        """How many messages stand before the person's last turn; None if it had none.

        A turn may be several messages; the doctor's greeting is the house's.
        """
        own = [
            i
            for i, message in enumerate(self.messages)
            if message.role == self.human.role and (message.role != DOCTOR or message.turn > 0)
        ]
        if not own:
            return None
        last = own[-1]
        while last - 1 in own and self.messages[last - 1].turn == self.messages[last].turn:
            last -= 1
        return last

    def close(self) -> None:
        """Close the file; it stays for another sitting."""
        self._file.close()
        self._lock.release()
        path = Path(self._lock.lock_file)
        # Where a file that is open cannot be removed, another process has it by now.
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

    def remove(self) -> None:
        """The visit stands in the ledger: the draft has done its work."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.append(line | {"seconds": round(self.seconds, 1)})

    def _read(self, line: dict[str, Any]) -> None:
        self.earlier_seconds = float(line.get("seconds", self.earlier_seconds))
        if "order" in line:
            begun = Begun.model_validate(line)
            if begun.order.key != self.order.key:
                raise ValueError("another order")
            self.human = begun.human
        elif "said" in line:
            self.messages.append(Message.model_validate(line["said"]))
        elif "cut" in line:
            del self.messages[int(line["cut"]) :]
            self.human = self.human.model_copy(update={"undos": self.human.undos + 1})
        elif "hint" in line:
            self.human = self.human.model_copy(update={"hints": self.human.hints + 1})
        elif "note" in line:
            self.notes.append(str(line["note"]))
        elif "differential" in line:
            turn, names = line["differential"]
            self.differentials.append((int(turn), tuple(map(str, names))))
        elif "part" in line:
            self.report[str(line["part"])] = str(line["text"])
        elif "report_since" in line:
            self.report_since = float(line["report_since"])
        elif "typing" in line:
            self.typing = str(line["typing"])
