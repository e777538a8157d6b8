"""An appointment: whose visit with whom, under which rules, and how it comes into its run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from hospital.play.draft import FOLDER, Begun, Draft
from hospital.play.station import Station, write_results
from records.errors import LedgerError
from records.journal import Journal
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.mark import Mark
from records.medical_record import MedicalRecord
from records.visit import Visit, VisitOrder


@dataclass(frozen=True)
class Appointment:
    """A person's visit before it begins, or where it was left."""

    directory: Path
    """Of the run."""
    begun: Begun
    record: MedicalRecord
    station: Station | None = None

    @property
    def config(self) -> RunConfig:
        """The run's configuration with this visit in it."""
        order = self.begun.order
        return RunConfig(
            shared=SharedSettings(
                npc=order.npc,
                protocol=order.protocol,
                unrecorded=order.unrecorded,
                max_turns=order.max_turns,
                seed=order.seed,
                prompts_hash=order.prompts_hash,
            ),
            doctors=(order.doctor,),
            settings=("interaction",),
            trials=order.trial,
            judges=(self.begun.judge,),
            cases={self.record.id: self.record.content_hash},
        )

    @property
    def path(self) -> Path:
        """Of the draft."""
        return self.directory / FOLDER / f"{self.begun.order.key}.jsonl"

    @property
    def is_kept(self) -> bool:
        """True while there is a draft to go on with."""
        return self.path.exists()

    def draft(self) -> Draft:
        """What is kept of the visit while it goes on."""
        return Draft(self.path, self.begun)


def next_order(
    directory: Path, shared: SharedSettings, record: MedicalRecord, doctor: str
) -> VisitOrder:
    """The order of this doctor's next visit with this patient; earlier ones count as trials."""
    ledger = Ledger(directory)
    held: Iterable[Visit] = ledger.visits().values() if (directory / "config.json").exists() else ()
    trials = [v.trial for v in held if (v.doctor, v.record_id) == (doctor, record.id)]
    order = VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language=record.language,
        setting="interaction",
        doctor=doctor,
        trial=max(trials, default=0) + 1,
        **shared.model_dump(),
    )
    while (directory / FOLDER / f"{order.key}.jsonl").exists():
        order = order.model_copy(update={"trial": order.trial + 1})
    return order


class Keeping:
    """Holds the run while a person's visit goes on; a context manager.

    A run has its records in it, diagnoses and all. In an examination it is therefore written, and
    held, only once the visit is over.
    """

    def __init__(self, appointment: Appointment) -> None:
        self._appointment = appointment
        self._ledger = LedgerWriter(appointment.directory, appointment.config, [appointment.record])
        self._open = False

    @property
    def journal(self) -> Journal | None:
        """Of the run; None in an examination."""
        return self._ledger.journal if self._open else None

    def __enter__(self) -> Keeping:
        """Take the run, but for an examination."""
        if not self._appointment.begun.human.exam:
            self._take()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the run."""
        if self._open:
            self._ledger.__exit__(kind, error, trace)

    async def keep(self, visit: Visit, marks: Sequence[Mark]) -> None:
        """Write the visit and its marks; a station's results too."""
        if not self._open:
            self._take()
        self._ledger.add_visit(visit)
        for mark in marks:
            self._ledger.add_mark(mark)
        station = self._appointment.station
        if station is not None:
            results = self._appointment.directory / "results.csv"
            visits, record = self._ledger.visits().values(), self._appointment.record
            await write_results(results, station, record, visits, self._ledger.marks())

    def _take(self) -> None:
        try:
            self._ledger.__enter__()
        except LedgerError as fault:
            raise LedgerError(f"{fault}; --out DIRECTORY gives the visit another run") from None
        self._open = True
