"""The published matcher against exact `rapidfuzz.process.extract`: speed, and equal candidates.

    python tests/records/measure_matching_speed.py [--names N]

Queries are all names in the seven published files of AI Hospital; the exact search is run on every
Nth of them (30 by default; 1 takes several minutes) with the same scorer over the same table in the
same process. Needs the files beside the checkout (../shared/data/mvme); does nothing without them.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from measure_table4 import REFERENCE, TABLE, references, reports
from rapidfuzz import fuzz, process

from records.diseases.listed_names import listed_diseases
from records.diseases.published_matching import CANDIDATES, THRESHOLD, PublishedMatcher
from records.diseases.terminology import Terminology
from records.report_parser import read_report


def queries() -> list[str]:
    """The distinct names of every report and reference."""
    texts = [read_report(r).report.diagnosis for by in reports().values() for r in by.values()]
    texts.extend(references().values())
    return list(dict.fromkeys(name for text in texts for name in listed_diseases(text, "zh")))


def exact(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The candidates by comparing every name, ties by table order."""
    scores = process.cdist([name], names, scorer=fuzz.WRatio, dtype=np.float64)[0]
    kept = np.flatnonzero(scores >= THRESHOLD).tolist()
    return tuple(names[i] for i in sorted(kept, key=lambda i: (-scores[i], i))[:CANDIDATES])


def main() -> None:
    """Print both speeds and how many candidate lists differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--names", type=int, default=30, metavar="N")
    every = parser.parse_args().names
    if not (REFERENCE.is_file() and TABLE.is_file()):
        print("the published files are not here; nothing to measure")
        return
    names, asked = Terminology.of_table(TABLE).names, queries()
    start = time.perf_counter()
    matcher = PublishedMatcher(names)
    built = time.perf_counter()
    ours = [matcher.candidates(name) for name in asked]
    done = time.perf_counter()
    fast = len(asked) / (done - built)
    print(f"{len(asked)} names against {len(names)}; built in {built - start:.2f} s")
    print(f"ours: {fast:.0f} a second")
    sample = asked[::every]
    start = time.perf_counter()
    for name in sample:
        process.extract(name, names, scorer=fuzz.WRatio, limit=CANDIDATES)
    slow = len(sample) / (time.perf_counter() - start)
    print(
        f"process.extract: {slow:.1f} a second over {len(sample)}; {fast / slow:.0f} times slower"
    )
    differ = sum(
        exact(name, names) != found for name, found in zip(sample, ours[::every], strict=True)
    )
    print(f"candidate lists that differ from the exact ones: {differ} of {len(sample)}")


if __name__ == "__main__":
    main()
