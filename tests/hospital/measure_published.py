"""Table 4 of AI Hospital (arXiv 2402.09742) through the commands, counted as there and as here.

    python tests/hospital/measure_published.py [RUN]

Imports the published logs, marks them with the paper's preset and ICD-10 table, and prints the
disease scores of each published system under each way of counting, best F1 first. RUN keeps the
run. Needs the published files beside the checkout (../shared/data/mvme); does nothing without them.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hospital.command_line import run

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"
TABLE = DATA / "icd10_beijing_clinical_v601.xls"
COUNTINGS: dict[str, tuple[str, ...]] = {
    "the paper's preset": ("--preset", "mvme-2024"),
    "strict, shared candidate names": ("--matching", "published"),
    "published, ICD-10 category": ("--convention", "published"),
    "strict, ICD-10 category": (),
}


def board(directory: str, *options: str) -> dict[str, Any]:
    """The leaderboard as JSON."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run(["leaderboard", directory, "--judge", "rubric", "--json", *options])
    found: dict[str, Any] = json.loads(printed.getvalue())
    return found


def measure(directory: str) -> None:
    """Import, mark, and print."""
    if not (Path(directory) / "config.json").exists():
        run(["import", "mvme", str(DATA), "--out", directory])
    run(["mark", directory, "--preset", "mvme-2024", "--icd-table", str(TABLE)])
    for title, options in COUNTINGS.items():
        rows = board(directory, *options)["rows"]
        print(f"\n{title}\n{'':42}{'n':>5}{'#':>7}{'R':>7}{'P':>7}{'F1':>7}")
        for row in sorted(rows, key=lambda row: -float(row["diseases"]["f1"])):
            scores = row["diseases"]
            name = f"{row['doctor'].removesuffix(' (published)')}, {row['setting']}"
            numbers = (scores[field] for field in ("predicted_mean", "recall", "precision", "f1"))
            print(f"{name:42}{scores['cases']:5}" + "".join(f"{n:7.2f}" for n in numbers))


if __name__ == "__main__":
    if not TABLE.is_file():
        print(f"{DATA} is not here; nothing to measure")
    elif len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as place:
            measure(str(Path(place) / "run"))
