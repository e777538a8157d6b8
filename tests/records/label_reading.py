"""Labelled questions and requests, and which findings and results of a record the labels mean.

The labels are in `labels/`, described in `labels/README.md`. Labels of published records hold
offsets into the source file, so that none of its wording stands here; the source lies outside the
checkout and `shared_data` says whether it is there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from records.library import bundled_records
from records.medical_record import (
    HISTORY_SECTIONS,
    Examination,
    HistorySection,
    Language,
    MedicalRecord,
)
from records.readers import read_records

LABELS = Path(__file__).parent / "labels"
DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SOURCES = {
    "mvme": DATA / "mvme" / "patients_full.json",
    "agentclinic": DATA / "agentclinic" / "agentclinic_medqa.jsonl",
}
HALVES = {"dev": "questions_dev.jsonl", "held_out": "questions_held_out.jsonl"}
_MVME_FIELDS = {
    "persona": ("profile",),
    "chief_complaint": ("medical_record", "主诉"),
    "history_of_present_illness": ("medical_record", "现病史"),
    "past_history": ("medical_record", "既往史"),
    "辅助检查": ("medical_record", "辅助检查"),
    "查体": ("medical_record", "查体"),
}
_AGENTCLINIC_SECTIONS: dict[str, HistorySection] = {
    "History": "history_of_present_illness",
    "Review_of_Systems": "history_of_present_illness",
    "Past_Medical_History": "past_history",
    "Social_History": "personal_history",
    "Current_Medications": "medication_history",
    "Medications": "medication_history",
}


@dataclass(frozen=True)
class Place:
    """A labelled clause: the section it should be in, its words, and the text around them."""

    section: HistorySection
    quote: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class LabelledQuestion:
    """A question to one record, with what an honest and cooperative patient states."""

    n: int
    language: Language
    source: str
    kind: str
    question: str
    record: MedicalRecord
    facts: tuple[tuple[Place, ...], ...]
    """Facts that are asked; stating any one of a fact's places states it."""
    also_fine: tuple[Place, ...]
    """Clauses that an answer may add without stating anything that was not asked."""
    open: bool
    """True if nothing in particular was asked: any fact may be stated."""

    @property
    def fact_ids(self) -> tuple[frozenset[str], ...]:
        """For each asked fact the findings that state it; empty if the record has no such one."""
        return tuple(
            frozenset(i for place in fact for i in findings_at(self.record, place))
            for fact in self.facts
        )

    @property
    def fine_ids(self) -> frozenset[str]:
        """All findings that may be stated: the asked ones and the ones that are also fine."""
        asked = {i for ids in self.fact_ids for i in ids}
        return frozenset(
            asked.union(i for p in self.also_fine for i in findings_at(self.record, p))
        )


@dataclass(frozen=True)
class LabelledRequest:
    """A published request to the examiner, with the recorded results that a right answer gives."""

    place: str
    text: str
    record: MedicalRecord
    results: tuple[frozenset[str], ...]
    """Ids for each labelled result line."""
    not_on_record: tuple[str, ...]
    also_fine: frozenset[str]
    vague: bool
    refusal_fine: bool


def shared_data() -> bool:
    """Whether the published case files are there."""
    return all(path.exists() for path in SOURCES.values())


def load_questions(half: Literal["dev", "held_out"]) -> list[LabelledQuestion]:
    """The labelled questions of one half; those to published records only if these are there."""
    questions = []
    for row in _rows(LABELS / HALVES[half]):
        source = row["source"]
        if source != "bundled" and not SOURCES[source].exists():
            continue
        open_question = bool(row.get("open"))
        questions.append(
            LabelledQuestion(
                n=row["n"],
                language=row["language"],
                source=source,
                kind=row["kind"],
                question=row["question"],
                record=_record(source, row["record"]),
                facts=tuple(
                    tuple(_place(source, row["record"], entry) for entry in fact["any_of"])
                    for fact in row["facts"]
                ),
                also_fine=()
                if open_question
                else tuple(_place(source, row["record"], entry) for entry in row["also_fine"]),
                open=open_question,
            )
        )
    return questions


def load_requests() -> list[LabelledRequest]:
    """The 44 published requests; empty where the published files are not there."""
    if not shared_data():
        return []
    requests = []
    for row in _rows(LABELS / "requests.jsonl"):
        record = _record("mvme", row["record"])
        index = row["message_index"]
        dialogue = _dialogues(row["file"])[row["line"]]
        requests.append(
            LabelledRequest(
                place=f"{row['file']}:{row['line']}:{index}",
                text=dialogue["dialog_history"][index]["content"],
                record=record,
                results=tuple(
                    _results_at(record, row["record"], entry) for entry in row.get("results", [])
                ),
                not_on_record=tuple(row.get("not_on_record", [])),
                also_fine=frozenset(
                    i
                    for entry in row.get("also_fine", [])
                    for i in _results_at(record, row["record"], entry)
                ),
                vague=bool(row.get("vague")),
                refusal_fine=bool(row.get("refusal_fine")),
            )
        )
    return requests


def load_vague_requests() -> list[tuple[Language, str]]:
    """Requests that name no examination: language and text."""
    return [(row["language"], row["text"]) for row in _rows(LABELS / "vague_requests.jsonl")]


def findings_at(record: MedicalRecord, place: Place) -> frozenset[str]:
    """Findings that share at least half of the shorter of their own words and the place's."""
    for section, quote in _candidates(place):
        start = _locate(record.section_text(section), quote, place)
        if start is None:
            continue
        end = start + len(quote)
        return frozenset(
            f.id
            for f in record.findings
            if f.section == section
            and f.start is not None
            and f.end is not None
            and 2 * (min(end, f.end) - max(start, f.start)) >= min(end - start, f.end - f.start)
        )
    return frozenset()


def _candidates(place: Place) -> list[tuple[HistorySection, str]]:
    """Where to look: the labelled section first, then wherever the reader may have put it."""
    others = [section for section in HISTORY_SECTIONS if section != place.section]
    return [(section, place.quote) for section in (place.section, *others)]


def _locate(text: str, quote: str, place: Place) -> int | None:
    """The occurrence whose surroundings agree most with those in the source."""
    starts = [m.start() for m in re.finditer(re.escape(quote), text)]
    if not starts:
        return None

    def agreement(start: int) -> int:
        before, after = text[:start], text[start + len(quote) :]
        return _shared(before[::-1], place.before[::-1]) + _shared(after, place.after)

    return max(starts, key=agreement)


def _shared(one: str, other: str) -> int:
    """Length of the common beginning."""
    n = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        n += 1
    return n


def _place(source: str, record: int | str, entry: list[Any]) -> Place:
    if source == "bundled":
        section, quote = entry
        return Place(section, quote)
    name, start, end = entry
    if source == "mvme":
        text, section = _mvme_text(int(record), name), name
    else:
        text, section = _agentclinic_text(int(record), name), _agentclinic_section(name)
    return Place(section, text[start:end], text[:start], text[end:])


def _results_at(record: MedicalRecord, number: int, entry: list[Any]) -> frozenset[str]:
    """Examinations that a labelled result line belongs to, by the words of both."""
    field, start, end = entry
    quote = _bare(_mvme_text(number, field)[start:end])
    pool = record.physical_examination if field == "查体" else record.auxiliary_examinations
    named = frozenset(e.id for e in pool if _within(quote, _bare(_words(e))))
    return named or frozenset(e.id for e in pool if _within(quote, _bare(e.value)))


def _words(examination: Examination) -> str:
    return f"{examination.name}{examination.value}{examination.unit or ''}"


def _within(one: str, other: str) -> bool:
    return one in other or other in one


def _bare(text: str) -> str:
    """Letters, digits and signs that carry a value; case and punctuation dropped."""
    return re.sub(r"[^\w+%#×*^]|_", "", text).lower()


def _mvme_text(number: int, name: str) -> str:
    value: Any = _cases("mvme")[number]
    for key in _MVME_FIELDS[name]:
        value = value[key]
    return str(value).strip()


def _agentclinic_text(number: int, path: str) -> str:
    value: Any = _cases("agentclinic")[number]["OSCE_Examination"]
    for key, index in re.findall(r"([A-Za-z_]+)|\[(\d+)\]", path):
        value = value[key] if key else value[int(index)]
    return str(value)


def _agentclinic_section(path: str) -> HistorySection:
    if path.startswith("Patient_Actor.Symptoms."):
        primary = path.endswith(".Primary_Symptom")
        return "chief_complaint" if primary else "history_of_present_illness"
    return _AGENTCLINIC_SECTIONS[re.split(r"[.\[]", path)[1]]


@cache
def _records(source: str) -> tuple[MedicalRecord, ...]:
    return tuple(read_records(SOURCES[source]))


def _record(source: str, which: int | str) -> MedicalRecord:
    if source == "bundled":
        return next(r for r in bundled_records() if r.id == which)
    return _records(source)[int(which)]


@cache
def _cases(source: str) -> list[Any]:
    path = SOURCES[source]
    if path.suffix == ".jsonl":
        return _rows(path)
    cases: list[Any] = json.loads(path.read_text(encoding="utf-8"))
    return cases


@cache
def _dialogues(file: str) -> list[Any]:
    return _rows(DATA / "mvme" / f"dialog_history_{file}.jsonl")


def _rows(path: Path) -> list[Any]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
