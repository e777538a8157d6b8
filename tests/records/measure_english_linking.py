"""English names to their 3-character category: first choice, and among 10 distinct categories.

    python tests/records/measure_english_linking.py

On the pairs of SymptomCheck Bench beside the checkout (../shared/data/symptomcheck) and on the
everyday names of `everyday_diagnoses_en.txt`, with the WHO titles alone, with our names, and with
the synonyms of ICD-10-CM where the extra `icd` is installed.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

from records.diseases.icd10 import named_terminology
from records.diseases.icd10_terms import who_titles
from records.diseases.terminology import Terminology

PAIRS = (
    Path(__file__).resolve().parents[2].parent
    / "shared"
    / "data"
    / "symptomcheck"
    / "icd10_pairs_even.jsonl"
)
EVERYDAY = Path(__file__).with_name("everyday_diagnoses_en.txt")


def everyday() -> Iterator[tuple[str, list[str]]]:
    """Our own list: a name and its categories."""
    for line in EVERYDAY.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, categories = line.rpartition(" = ")
            yield name, categories.split()


def pairs() -> Iterator[tuple[str, list[str]]]:
    """The published pairs."""
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        yield pair["name"], [code[:3] for code in pair["codes"]]


def shares(terminology: Terminology, data: list[tuple[str, list[str]]]) -> tuple[float, float]:
    """Right at once, and right within 10 distinct categories, in percent."""
    first = among = 0
    for name, right in data:
        found = [str(link.icd10)[:3] for link in terminology.candidates(name, "en")]
        chosen = terminology.link(name, "en").icd10
        first += chosen is not None and chosen[:3] in right
        among += not set(found).isdisjoint(right)
    return 100 * first / len(data), 100 * among / len(data)


def main() -> None:
    """Print the shares."""
    terminologies = {"WHO titles": Terminology(who_titles()), "who": named_terminology("who")}
    if importlib.util.find_spec("simple_icd_10_cm") is not None:
        terminologies["who+cm"] = named_terminology("who+cm")
    lists = {"everyday": list(everyday())}
    if PAIRS.is_file():
        lists["pairs"] = list(pairs())
    for name, terminology in terminologies.items():
        for which, data in lists.items():
            first, among = shares(terminology, data)
            print(f"{name:11} {which:9} {len(data):4} names: {first:5.1f}% {among:5.1f}%")


if __name__ == "__main__":
    main()
