"""Read every published file of cases and count what is in it; run as a script from the checkout.

    python tests/records/measure_readers.py [DIRECTORY]

Prints a line a file: records, and for each record findings, absent findings, signs and results
(mean, least and most); then the faults and warnings of the lint by kind.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from records.lint import lint_record
from records.medical_record import MedicalRecord
from records.readers import inspect_file

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
FILES = (
    "mvme/patients_full.json",
    "agentclinic/agentclinic_medqa.jsonl",
    "agentclinic/agentclinic_nejm.jsonl",
    "mediq/all_craft_md.jsonl",
    "symptomcheck/avey_vignettes_even.jsonl",
    "triage/semigran_vignettes_most.jsonl",
)


def spread(counts: Sequence[int]) -> str:
    """Mean and range of counts: "12.5 (3-40)"."""
    return f"{sum(counts) / len(counts):.1f} ({min(counts)}-{max(counts)})"


def measure(path: Path) -> None:
    """Print what is in one file."""
    records, refused = inspect_file(path)
    print(f"{path.name}: {len(records)} records, {len(refused)} faults of shape")
    for fault in refused:
        print(f"    {fault}")
    if not records:
        return

    def per_record(name: str, count: list[int]) -> None:
        print(f"    {name} a record: {spread(count)}, in all {sum(count)}")

    per_record("findings", [len(r.findings) for r in records])
    per_record("of them absent", [sum(not f.present for f in r.findings) for r in records])
    per_record("signs", [len(r.physical_examination) for r in records])
    per_record("results", [len(r.auxiliary_examinations) for r in records])
    reach = Counter(d.reach for r in records for d in r.diagnoses)
    print(f"    reach of the diagnoses: {dict(reach.most_common())}")
    print(f"    lint: {dict(remarks(records).most_common())}")


def remarks(records: Sequence[MedicalRecord]) -> Counter[str]:
    """How often the lint objects, by severity and kind."""
    return Counter(f"{r.severity} {r.kind}" for record in records for r in lint_record(record))


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    for file in FILES:
        measure(folder / file)
