"""The ledger of a run: one directory that holds all that marking, reporting and replaying need.

`config.json` and `records.jsonl` (a snapshot of the cases) are written first; then `visits.jsonl`
and `marks.jsonl` grow a synced line at a time, and `journal.jsonl` holds every paid reply. While a
process writes, it holds the directory's lock.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from filelock import FileLock, Timeout
from pydantic import Field, ValidationError

from records.conference import is_conference
from records.errors import LedgerError
from records.journal import Journal
from records.jsonl import LineFile, as_line, read_lines, write_whole
from records.mark import Mark
from records.medical_record import MedicalRecord, Paper, canonical_hash
from records.visit import Protocol, Setting, Unrecorded, Visit, VisitOrder

SCHEMA_VERSION = 1

Line = TypeVar("Line", MedicalRecord, Visit, Mark)


class SharedSettings(Paper):
    """What all visits of a run have in common; a run is never continued under others."""

    npc: str = "grounded"
    protocol: Protocol = "carried"
    unrecorded: Unrecorded = "unavailable"
    max_turns: int = Field(default=10, ge=1)
    seed: int = 0
    prompts_hash: str


class RunConfig(Paper):
    """A run's configuration, resolved. Doctors, cases, settings and trials may grow later."""

    schema_version: int = SCHEMA_VERSION
    shared: SharedSettings
    doctors: tuple[str, ...]
    settings: tuple[Setting, ...]
    trials: int = Field(default=1, ge=1)
    judges: tuple[str, ...] = ("rubric",)
    cases: dict[str, str]
    """Record id to the hash of its content."""
    sources: dict[str, str] = Field(default_factory=dict)
    """Spec to the hash of what it stands for, where that may change: the source of a user's own
    Doctor, the model behind a name of the model table."""
    imported: str | None = None
    """Whose published logs it is (`mvme`): nothing of it can be held again. None: our own."""

    @property
    def name(self) -> str:
        """The run's default name: the same configuration has the same name."""
        return canonical_hash(self.model_dump(mode="json", exclude={"imported"}))

    def extended(self, other: RunConfig) -> RunConfig:
        """This run with what another configuration adds to it.

        Raises:
            LedgerError: the two differ in what all visits share; names each field and both values.
                Or only one of them was imported.
        """
        if self.imported != other.imported:
            raise LedgerError(
                f"it was imported from published logs ({self.imported}), and its visits cannot be"
                " held again; name another directory"
                if self.imported
                else "it was held here, not imported; name another directory"
            )
        ours, theirs = self.shared.model_dump(), other.shared.model_dump()
        differing = [
            f"{field} is {ours[field]!r} there and {theirs[field]!r} here"
            for field in ours
            if ours[field] != theirs[field]
        ]
        differing += [
            f"record {record_id} has changed since that run began"
            for record_id, content in other.cases.items()
            if self.cases.get(record_id, content) != content
        ]
        differing += [
            f"{spec} has changed since that run began"
            for spec, source in other.sources.items()
            if self.sources.get(spec, source) != source
        ]
        if differing:
            raise LedgerError("; ".join(differing))
        return self.model_copy(
            update={
                "doctors": _union(self.doctors, other.doctors),
                "settings": _union(self.settings, other.settings),
                "judges": _union(self.judges, other.judges),
                "trials": max(self.trials, other.trials),
                "cases": {**self.cases, **other.cases},
                "sources": {**self.sources, **other.sources},
            }
        )

    def orders(self, records: Sequence[MedicalRecord]) -> list[VisitOrder]:
        """Every visit asked for, a case at a time, so that a partial run compares.

        A conference is held in the setting of that name, and a single Doctor in the others.
        """
        hashes = {record.id: record.content_hash for record in records}
        return [
            VisitOrder(
                record_id=record.id,
                record_hash=hashes[record.id],
                language=record.language,
                setting=setting,
                doctor=doctor,
                npc=self.shared.npc,
                protocol=self.shared.protocol,
                unrecorded=self.shared.unrecorded,
                prompts_hash=self.shared.prompts_hash,
                max_turns=self.shared.max_turns,
                seed=self.shared.seed,
                trial=trial,
            )
            for trial in range(1, self.trials + 1)
            for record in records
            for setting in self.settings
            for doctor in self.doctors
            if is_conference(doctor) == (setting == "conference")
        ]


class Ledger:
    """A run's directory, to be read; `writing` opens it for a run."""

    def __init__(self, directory: Path) -> None:
        """Name a run's directory; nothing is read yet."""
        self.directory = directory

    def config(self) -> RunConfig:
        """The run's configuration.

        Raises:
            LedgerError: no run is here, or its configuration is damaged or of another version.
        """
        path = self.directory / "config.json"
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
            found = value.get("schema_version") if isinstance(value, dict) else None
            if found != SCHEMA_VERSION:
                raise LedgerError(
                    f"{path}: schema_version is {found!r}; this program reads {SCHEMA_VERSION}"
                )
            return RunConfig.model_validate(value)
        except FileNotFoundError:
            raise LedgerError(f"{self.directory}: no run here; it has no config.json") from None
        except OSError as error:
            raise LedgerError(f"{path}: {error.strerror}") from None
        except (ValueError, UnicodeDecodeError) as error:
            raise LedgerError(f"{path}: {_first_line(error)}") from None

    def records(self) -> dict[str, MedicalRecord]:
        """The run's cases by id, as they were when it began."""
        return {record.id: record for record in self._read("records.jsonl", MedicalRecord)}

    def visits(self) -> dict[str, Visit]:
        """The last line of each visit by key: one that failed and was held again counts once."""
        return {visit.key: visit for visit in self._read("visits.jsonl", Visit)}

    def marks(self) -> list[Mark]:
        """All marks, oldest first; a later one of the same visit and judge supersedes."""
        return list(self._read("marks.jsonl", Mark))

    def _read(self, name: str, model: type[Line]) -> Iterable[Line]:
        path = self.directory / name
        for number, value in read_lines(path):
            try:
                yield model.model_validate(value)
            except ValidationError as error:
                raise LedgerError(f"{path}: line {number}: {_first_line(error)}") from None


class LedgerWriter(Ledger):
    """A run's directory held by this process; a context manager.

    Raises (on entering):
        LedgerError: another process holds the directory, its run was made with other settings, or
            it is damaged.
    """

    def __init__(
        self, directory: Path, config: RunConfig, records: Sequence[MedicalRecord]
    ) -> None:
        """Prepare to write a run with this configuration on these cases.

        Attributes:
            wanted: the configuration as given; the one on disk may hold more from earlier.
        """
        super().__init__(directory)
        self.wanted = config
        self._records = records
        self._lock = FileLock(directory / ".lock")
        self._visits = LineFile(directory / "visits.jsonl")
        self._marks = LineFile(directory / "marks.jsonl")
        self.journal: Journal

    def __enter__(self) -> LedgerWriter:
        """Take the lock, then write or extend the configuration and the snapshot of the cases."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except Timeout:
            raise LedgerError(f"{self.directory}: in use by {self._holder()}") from None
        except FileExistsError:
            raise LedgerError(f"{self.directory}: is a file; a run is a directory") from None
        except OSError as error:
            raise LedgerError(f"{self.directory}: {error.strerror}") from None
        try:
            self._begin()
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the files and let go of the lock."""
        self.journal.close()
        self._visits.close()
        self._marks.close()
        self._leave()

    def _leave(self) -> None:
        (self.directory / "holder.json").unlink(missing_ok=True)
        self._lock.release()

    def add_visit(self, visit: Visit) -> None:
        """Append a visit; it is on disk before this returns."""
        self._visits.append(visit.model_dump(mode="json"))

    def add_mark(self, mark: Mark) -> None:
        """Append a mark; it is on disk before this returns."""
        self._marks.append(mark.model_dump(mode="json"))

    async def keep_visit(self, visit: Visit) -> None:
        """As `add_visit`, but others go on meanwhile, and their visits are synced along with it."""
        await self._visits.keep(visit.model_dump(mode="json"))

    async def keep_mark(self, mark: Mark) -> None:
        """As `add_mark`, but others go on meanwhile, and their marks are synced along with it."""
        await self._marks.keep(mark.model_dump(mode="json"))

    def _begin(self) -> None:
        holder = {"pid": os.getpid(), "host": socket.gethostname()}
        write_whole(self.directory / "holder.json", json.dumps(holder))
        config = self.wanted
        if (self.directory / "config.json").exists():
            held = self.config()
            try:
                config = held.extended(self.wanted)
            except LedgerError as error:
                what = "" if held.imported else "this run has other settings: "
                raise LedgerError(f"{self.directory}: {what}{error}") from None
        text = json.dumps(config.model_dump(mode="json"), ensure_ascii=False, indent=2)
        write_whole(self.directory / "config.json", text + "\n")
        known = self.records()
        snapshot = LineFile(self.directory / "records.jsonl")
        for record in self._records:
            if record.id not in known:
                snapshot.append(record.model_dump(mode="json"))
        snapshot.close()
        self.journal = Journal(self.directory / "journal.jsonl")

    def _holder(self) -> str:
        try:
            holder: dict[str, Any] = json.loads(
                (self.directory / "holder.json").read_text(encoding="utf-8")
            )
            return f"process {holder['pid']} on {holder['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"


def write_run(
    directory: Path,
    config: RunConfig,
    records: Iterable[MedicalRecord],
    visits: Iterable[Visit],
    marks: Iterable[Mark],
) -> None:
    """Write a whole run at once; its configuration comes last, so that half a run is none.

    Raises:
        LedgerError: another process holds the directory, there is a run already, or it is a file.
        OSError: the disk refused it.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise LedgerError(f"{directory}: is a file; a run is a directory") from None
    try:
        with FileLock(directory / ".lock", timeout=0):
            if (directory / "config.json").exists():
                raise LedgerError(f"{directory}: is a run already; name another directory")
            for name, lines in (("records", records), ("visits", visits), ("marks", marks)):
                text = "".join(f"{as_line(line.model_dump(mode='json'))}\n" for line in lines)
                write_whole(directory / f"{name}.jsonl", text)
            text = json.dumps(config.model_dump(mode="json"), ensure_ascii=False, indent=2)
            write_whole(directory / "config.json", text + "\n")
    except Timeout:
        raise LedgerError(f"{directory}: in use by another process") from None


def _union(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    return first + tuple(item for item in second if item not in first)


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        fault = error.errors(include_url=False)[0]
        return f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
    return str(error).splitlines()[0]
