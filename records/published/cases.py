"""The cases of published logs: complete where they are published, rebuilt or bare where not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from records.medical_record import MedicalRecord
from records.published.directory import PublishedDirectory
from records.readers import read_records
from records.readers.reference import reference_diagnoses
from records.rebuild import rebuild_records


@dataclass(frozen=True)
class Cases:
    """The records by id, and how much of each there is."""

    records: dict[str, MedicalRecord]
    complete: int
    """Published as they are."""
    rebuilt: int
    """Made of what was said in the dialogues, and the reference."""
    bare: int
    """The reference alone: diagnoses, rationale, treatment."""


def read_cases(
    published: PublishedDirectory, on_record: Callable[[int, int], None] | None = None
) -> Cases:
    """Gather the best record there is of every patient that has a reference.

    Args:
        published: the directory.
        on_record: called after each rebuilt record with the number done and the number of all.

    Raises:
        InputError: a file is not what it should be.
    """
    complete = {r.id: r for r in read_records(published.patients)} if published.patients else {}
    bare = _bare(published)
    published.raise_if_wrong()
    rebuilt: dict[str, MedicalRecord] = {}
    if published.dialogues and published.judgements:
        rebuilt = {r.id: r for r in rebuild_records(published.path, on_record).records}
    records = {**bare, **rebuilt, **complete}
    order = sorted(records, key=lambda p: (not p.isdigit(), p.zfill(12)))
    return Cases(
        records={patient: records[patient] for patient in order},
        complete=len(complete),
        rebuilt=len(rebuilt.keys() - complete.keys()),
        bare=len(bare.keys() - rebuilt.keys() - complete.keys()),
    )


def _bare(published: PublishedDirectory) -> dict[str, MedicalRecord]:
    found: dict[str, MedicalRecord] = {}
    for path in published.judgements:
        for entry in published.entries(path, "reference_diagnosis", dict):
            given = entry.value["reference_diagnosis"]
            diagnosis, basis, treatment = (
                text.strip() if isinstance(text := given.get(name), str) else ""
                for name in ("diagnosis", "basis", "treatment")
            )
            diagnoses = reference_diagnoses(diagnosis, "zh")
            if not diagnoses:
                continue
            # Its reach stays open: a record without any fact would make every disease unreachable.
            found[entry.patient] = MedicalRecord(
                id=entry.patient,
                language="zh",
                diagnoses=diagnoses,
                rationale=basis or None,
                treatment=treatment or None,
                source=f"MVME {entry.patient}, published reference",
            )
    return found
