"""What a person asks for at the front desk, and whom it sees: the first second of a visit."""

from __future__ import annotations

import asyncio
import importlib
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hospital.play.station import Station
    from hospital.play.terminal import Terminal
    from records.medical_record import Language, MedicalRecord

Chair = Literal["doctor", "patient", "examiner", "chief"]


@dataclass(frozen=True)
class Asked:
    """A person's wishes, as `hospital play` has them."""

    chair: Chair
    case: str | None
    at_random: bool
    sources: tuple[str, ...]
    language: Language | None
    npc: str
    doctor: str
    judge: str
    exam: bool
    minutes: float
    station: str | None
    name: str | None
    max_turns: int
    seed: int | None
    """None: who waits is chance, and the players have 0."""
    out: Path | None

    def case_to_see(self, terminal: Terminal) -> MedicalRecord:
        """The case that was named, or that the person chooses in the waiting room.

        Raises:
            InputError: there is none such, or the station or a source cannot be read.
            BrokenOff: the person leaves.
        """
        from hospital.play.choosing import any_case, chosen_case, find_case

        station = self.osce()
        if station is not None:
            return find_case(station.cases, station.case)
        if self.case is not None:
            return find_case(self.sources, self.case)
        if self.at_random:
            return any_case(self.sources, self.language, self.seed)
        readied = Readied("hospital.play.appointing", "hospital.play.attendance")
        choice = chosen_case(self.sources, self.language, self.seed, terminal, readied.begin)
        record = asyncio.run(choice)
        readied.wait()
        return record

    def osce(self) -> Station | None:
        """The station, if it is one.

        Raises:
            InputError: it cannot be read.
        """
        if not self.station:
            return None
        from hospital.play.station import read_station

        return read_station(self.station)


class Readied:
    """Modules that are imported while the person reads; it would wait for them afterwards.

    Args:
        modules: which.
    """

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Begin."""
        # The line editor is imported first: two threads that import one package hinder each other.
        importlib.import_module("hospital.play.completion")
        # A daemon: whoever leaves at once does not wait for what it will not see.
        self._thread = threading.Thread(target=self._import, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until all is there."""
        if self._thread is not None:
            self._thread.join()

    def _import(self) -> None:
        for module in self._modules:
            importlib.import_module(module)
