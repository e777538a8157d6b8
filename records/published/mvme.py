"""The published logs of AI Hospital (arXiv 2402.09742) as a run: cases, visits, judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from records.conference import Facts, Minutes, Participant
from records.ending import Ending
from records.ledger import RunConfig, SharedSettings
from records.mark import Grade, Letter
from records.medical_record import MedicalRecord, canonical_hash
from records.message import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, REPORT_PARTS, Report
from records.program import program_version
from records.published.cases import Cases, read_cases
from records.published.consultations import Stated, read_talk
from records.published.directory import (
    CONFERENCES,
    DIALOGUES,
    JUDGEMENTS,
    ONE_STEP,
    Entry,
    PublishedDirectory,
)
from records.published.names import doctor_named, published
from records.report_parser import ReportReading, read_report
from records.visit import Setting, Visit

Stage = Literal["cases", "visits"]

_NPC = published("gpt-3.5-turbo")
_PROMPTS = "published"
_ROUND_LIMIT = 4
_ASKED_IN_ONE_STEP = ("diagnosis", "rationale", "treatment")
_CHOICES = {
    "symptoms": "sympton",
    "examinations": "test",
    "diagnosis": "diagnosis",
    "rationale": "basis",
    "treatment": "treatment",
}
"""By dimension, how a judgement's fields begin, as they are spelt."""
_LETTERS: tuple[Letter, ...] = get_args(Letter)


@dataclass(frozen=True)
class Judgement:
    """A published judge's grades of a visit, without disease scores, which are counted anew."""

    visit_key: str
    judge: str
    grades: dict[str, Grade]
    """By dimension, those that the judge was asked for; an unreadable choice is unscored."""


@dataclass
class PublishedRun:
    """All that a directory of published logs holds."""

    cases: Cases
    visits: list[Visit] = field(default_factory=list)
    """By file, in the files' order."""
    judgements: list[Judgement] = field(default_factory=list)
    without_case: Counter[str] = field(default_factory=Counter)
    """By patient without a reference, how many logs were left out."""
    without_visit: int = 0
    """Judgements of reports that are in none of the other files."""

    @property
    def config(self) -> RunConfig:
        """The configuration of the imported run."""
        settings = tuple(dict.fromkeys(visit.setting for visit in self.visits))
        return RunConfig(
            shared=SharedSettings(
                npc=_NPC, protocol="carried", unrecorded="normal", prompts_hash=_PROMPTS
            ),
            doctors=tuple(dict.fromkeys(visit.doctor for visit in self.visits)),
            settings=settings,
            trials=max((visit.trial for visit in self.visits), default=1),
            judges=tuple(dict.fromkeys(judgement.judge for judgement in self.judgements)),
            cases={r.id: r.content_hash for r in self.cases.records.values()},
            imported="mvme",
        )


def read_mvme(
    directory: Path, on_progress: Callable[[Stage, int, int], None] = lambda *_: None
) -> PublishedRun:
    """Read whichever of the published files a directory holds.

    Args:
        directory: with `dialog_history_*.jsonl`, `onestep_*.jsonl`, `evaluation_*.jsonl`,
            `*_discussion_history.jsonl`, `patients_full.json`.
        on_progress: called with the stage, the number done and the number of all.

    Raises:
        InputError: there is nothing to read, or a line is not what it should be; holds every fault.
    """
    files = PublishedDirectory(Path(directory))
    run = PublishedRun(read_cases(files, lambda done, total: on_progress("cases", done, total)))
    reader = _Reader(run)
    jobs = (
        (files.dialogues, "dialog_history", list, reader.consultation),
        (files.one_step, "diagnosis", str, reader.one_step),
        (files.conferences, "diagnosis", str, reader.conference),
        (files.judgements, "doctor_diagnosis", dict, reader.judgement),
    )
    entries = [
        (read, entry)
        for paths, name, kind, read in jobs
        for path in paths
        for entry in files.entries(path, name, kind)
    ]
    files.raise_if_wrong()
    for done, (read, entry) in enumerate(entries, 1):
        record = run.cases.records.get(entry.patient)
        if record is None:
            run.without_case[entry.patient] += 1
        else:
            read(entry, record)
        on_progress("visits", done, len(entries))
    return run


class _Reader:
    """Turns entries into visits and judgements of a run."""

    def __init__(self, run: PublishedRun) -> None:
        self._run = run
        self._tried: Counter[tuple[str, str]] = Counter()
        self._by_text: dict[tuple[str, str], str] = {}
        self._consultations: dict[tuple[str, str], str] = {}
        self._stated: dict[str, Stated] = {}

    def consultation(self, entry: Entry, record: MedicalRecord) -> None:
        name = entry.file.stem.removeprefix(DIALOGUES)
        stated = self._stated.setdefault(record.id, Stated(record))
        talk = read_talk(name, entry.value["dialog_history"], stated)
        reading = read_report(talk.report) if talk.report is not None else None
        models = {
            DOCTOR: entry.names("doctor_engine_name"),
            PATIENT: entry.names("patient_engine_name"),
            EXAMINER: entry.names("reporter_engine_name"),
        }
        self._add(
            entry,
            record,
            doctor=published(doctor_named(name)),
            setting="interaction",
            reading=reading,
            ending=Ending.DIAGNOSIS_GIVEN if talk.ended else Ending.ROUND_LIMIT,
            messages=talk.messages,
            models_answered={role: names for role, names in models.items() if names},
        )

    def one_step(self, entry: Entry, record: MedicalRecord) -> None:
        name = entry.file.stem.removeprefix(ONE_STEP)
        self._add_one_step(entry, record, doctor_named(name), entry.value["diagnosis"])

    def conference(self, entry: Entry, record: MedicalRecord) -> None:
        engines = [e for e in entry.value.get("doctor_engine_names") or () if isinstance(e, str)]
        names = [doctor_named(engine) for engine in engines]
        disputes = "critique" in entry.file.stem.removesuffix(CONFERENCES)
        settings = "" if disputes else "; disputes=off"
        host = entry.text("host_engine_name")
        facts = read_report(entry.text("symptom_and_examination")).report
        held = entry.value.get("final_turn")
        rounds = held if isinstance(held, int) and not isinstance(held, bool) and held >= 0 else 0
        minutes = Minutes(
            moderator=published(host) if host else "",
            round_limit=_ROUND_LIMIT,
            disputes=disputes,
            participants=tuple(
                Participant(
                    speaker=f"doctor_{number}",
                    doctor=published(name),
                    visit_key=self._consultations.get((published(name), record.id)),
                )
                for number, name in enumerate(names, 1)
            ),
            facts=Facts(symptoms=facts.symptoms, examinations=facts.examinations),
            rounds_held=rounds,
            # Whether the last round that is allowed ended in agreement is not in the log.
            ended_by="agreement" if rounds < _ROUND_LIMIT else "round_limit",
        )
        reading = read_report(entry.value["diagnosis"])
        update = {"symptoms": facts.symptoms, "examinations": facts.examinations}
        models = {DOCTOR: tuple(engines), CHIEF_PHYSICIAN: (host,) if host else ()}
        self._add(
            entry,
            record,
            doctor=published(f"conference({', '.join(names)}{settings})"),
            setting="conference",
            reading=reading,
            report=reading.report.model_copy(update=update),
            ending=Ending.DIAGNOSIS_GIVEN,
            conference=minutes,
            models_answered={role: names for role, names in models.items() if names},
        )

    def judgement(self, entry: Entry, record: MedicalRecord) -> None:
        text = entry.value["doctor_diagnosis"].get("diagnosis")
        if not isinstance(text, str):
            self._run.without_visit += 1
            return
        if (record.id, text) not in self._by_text and ONE_STEP.strip("_") in entry.file.stem:
            self._add_one_step(entry, record, doctor_named(entry.text("doctor_name")), text)
        key = self._by_text.get((record.id, text))
        if key is None:
            self._run.without_visit += 1
            return
        judge = entry.text("model_name") or entry.file.stem.removeprefix(JUDGEMENTS)
        grades = dict(_grades(entry.value))
        self._run.judgements.append(Judgement(key, published(judge), grades))

    def _add_one_step(self, entry: Entry, record: MedicalRecord, name: str, text: str) -> None:
        reading = read_report(text)
        self._add(
            entry,
            record,
            doctor=published(name),
            setting="one_step",
            reading=reading,
            report=reading.report.model_copy(update={"asked": _ASKED_IN_ONE_STEP}),
            ending=Ending.DIAGNOSIS_GIVEN,
        )

    def _add(
        self,
        entry: Entry,
        record: MedicalRecord,
        *,
        doctor: str,
        setting: Setting,
        reading: ReportReading | None,
        ending: Ending,
        report: Report | None = None,
        **others: Any,
    ) -> None:
        self._tried[entry.file.stem, record.id] += 1
        trial = self._tried[entry.file.stem, record.id]
        failure = None
        if reading is None:
            ending, failure = Ending.DOCTOR_FAILED, "the log ends without a report"
        elif reading.declined:
            ending = Ending.DOCTOR_DECLINED
        visit = Visit(
            key=canonical_hash([_PROMPTS, entry.file.stem, record.id, setting, trial]),
            record_id=record.id,
            record_hash=record.content_hash,
            doctor=doctor,
            setting=setting,
            protocol="carried",
            npc=_NPC,
            language="zh",
            seed=0,
            trial=trial,
            prompts_hash=_PROMPTS,
            ending=ending,
            failed_by=DOCTOR if failure else None,
            failure=failure,
            report=report or (reading.report if reading else None),
            version=program_version(),
            **others,
        )
        self._run.visits.append(visit)
        if setting == "interaction":
            self._consultations.setdefault((doctor, record.id), visit.key)
        if visit.report is not None:
            self._by_text.setdefault((record.id, visit.report.raw), visit.key)


def _grades(value: dict[str, Any]) -> Iterator[tuple[str, Grade]]:
    """The grades of a judgement, for the dimensions that it has a field for."""
    for dimension in REPORT_PARTS:
        name = _CHOICES[dimension]
        if f"{name}_choice" not in value:
            continue
        choice = value[f"{name}_choice"]
        told = next(
            (value[f] for e in ("analyis", "analysis") if (f := f"{name}_{e}") in value), ""
        )
        analysis = told.strip() if isinstance(told, str) else ""
        letter = choice.strip() if isinstance(choice, str) else ""
        if letter in _LETTERS:
            yield dimension, Grade(grade=letter, analysis=analysis)
        else:
            reason = "the published choice is none of A to D"
            yield dimension, Grade(grade=None, reason=reason, analysis=analysis)
