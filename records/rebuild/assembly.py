"""A patient's messages and reference put together into one partial record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from records.medical_record import Examination, MedicalRecord, Persona
from records.reach import tag_reach
from records.readers.reference import reference_diagnoses
from records.rebuild.answers import told
from records.rebuild.dialogues import Published, Reference, Said, read_published
from records.rebuild.facts import merge
from records.rebuild.history import history_of
from records.rebuild.people import demographics_of
from records.rebuild.provenance import Provenance, said_in, support_of
from records.rebuild.reports import reported
from records.rebuild.results import Result, merge_results
from records.rebuild.spoken_clauses import statements_of


@dataclass(frozen=True)
class Rebuilt:
    """The records of a directory, and the patients that none could be made of."""

    records: tuple[MedicalRecord, ...]
    without_reference: tuple[str, ...]
    """Patients with dialogues but no reference diagnosis, which a record must have."""


def rebuild_records(
    directory: Path, on_record: Callable[[int, int], None] | None = None
) -> Rebuilt:
    """Rebuild the record of every patient of a directory, in the order of their ids.

    Args:
        directory: the published dialogue files and the reference file.
        on_record: called after each patient with the number done and the number of all.

    Raises:
        InputError: the directory or a file in it is not what it should be.
    """
    published = read_published(Path(directory))
    records: list[MedicalRecord] = []
    without: list[str] = []
    patients = sorted(published.messages, key=lambda p: (not p.isdigit(), p.zfill(12)))
    for done, patient in enumerate(patients, 1):
        record = _record(patient, published)
        if record is None:
            without.append(patient)
        else:
            records.append(record)
        if on_record:
            on_record(done, len(patients))
    return Rebuilt(tuple(records), tuple(without))


def _record(patient: str, published: Published) -> MedicalRecord | None:
    reference = published.references.get(patient, Reference("", "", ""))
    diagnoses = reference_diagnoses(reference.diagnosis, "zh")
    if not diagnoses:
        return None
    messages = published.messages[patient]
    spoken = [m for m in messages if m.role == "patient"]
    complaint = _complaint(spoken)
    history = history_of(complaint, merge(statements_of(spoken)))
    given = [m for m in messages if m.role == "examiner"]
    results = merge_results([r for m in given for r in reported(m)], given)
    physical, auxiliary = _examinations(results)
    record = MedicalRecord(
        id=patient,
        language="zh",
        demographics=demographics_of(spoken),
        persona=Persona(chief_complaint=complaint or None),
        **history.sections,
        findings=history.findings,
        physical_examination=physical,
        auxiliary_examinations=auxiliary,
        diagnoses=diagnoses,
        rationale=reference.rationale or None,
        treatment=reference.treatment or None,
        source=f"MVME {patient}, rebuilt from published dialogues",
    )
    return tag_reach(record)


def _complaint(spoken: Sequence[Said]) -> str:
    """The opening complaint that most dialogues have, the first of them at a tie."""
    openings = ["。".join(told(message)) for message in spoken if message.opening]
    counted = Counter(opening for opening in openings if opening)
    most = max(counted.values(), default=0)
    text = next((opening for opening in openings if opening and counted[opening] == most), "")
    return f"{text}。" if text else ""


def _examinations(
    results: Sequence[Result],
) -> tuple[tuple[Examination, ...], tuple[Examination, ...]]:
    """The results as signs p1, p2, … and auxiliary results e1, e2, …, provenance in the note."""
    counts: Counter[str] = Counter()
    ids = []
    for result in results:
        prefix = "p" if result.physical else "e"
        counts[prefix] += 1
        ids.append(f"{prefix}{counts[prefix]}")
    examinations = []
    for id_, result in zip(ids, results, strict=True):
        provenance = Provenance(
            said_in(result.places),
            support_of(result.places),
            tuple(ids[i] for i in sorted(result.contradicts)),
        )
        update = {"id": id_, "provenance": provenance.in_one_line()}
        examinations.append(result.examination.model_copy(update=update))
    return (
        tuple(e for e in examinations if e.id.startswith("p")),
        tuple(e for e in examinations if e.id.startswith("e")),
    )
