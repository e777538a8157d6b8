"""Table 4 of AI Hospital (arXiv 2402.09742) recomputed from its published files, without a model.

    python tests/records/measure_table4.py [--terminology FILE]

Prints `#`, recall, precision and F1 of each published system beside the paper's: under the paper's
preset (matching by shared candidate names; reports without its literal headings left out), and
under ours (every report counts; matching by ICD-10 category). Needs the published files and the
ICD-10 table beside the checkout (../shared/data/mvme); does nothing without them.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from records.diseases.disease_overlap import overlap, predicted_links
from records.diseases.listed_names import listed_diseases
from records.diseases.published_matching import PublishedMatcher
from records.diseases.terminology import Terminology
from records.mark import DiseaseLink
from records.report_parser import read_report

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"
TABLE = DATA / "icd10_beijing_clinical_v601.xls"
REFERENCE = DATA / "evaluation_iiyi_gpt4_onestep.jsonl"
_HEADED = re.compile(r"#诊断结果#(.*?)#诊断依据#", re.S)

PAPER: dict[str, tuple[float, float, float, float]] = {
    "one-step": (2.30, 38.90, 58.97, 46.88),
    "2 doctors": (2.41, 29.51, 43.62, 35.21),
    "GPT-4": (1.52, 21.64, 50.26, 30.26),
    "Qwen-Max": (1.77, 22.42, 43.38, 29.56),
    "Wenxin": (2.50, 22.03, 31.44, 25.91),
    "GPT-3.5": (1.81, 19.19, 37.39, 25.37),
}
"""By system: `#`, recall, precision, F1 as printed."""


@dataclass(frozen=True)
class Row:
    """Micro averages over patients, in percent; `number` is the mean number of predictions."""

    cases: int
    number: float
    recall: float
    precision: float
    f1: float

    @classmethod
    def of(cls, cases: int, predicted: int, reference: int, hits: int) -> Row:
        """From sums over the cases."""
        return cls(
            cases=cases,
            number=predicted / cases,
            recall=100 * hits / reference,
            precision=100 * hits / predicted,
            f1=200 * hits / (predicted + reference),
        )


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def reports() -> dict[str, dict[str, str]]:
    """By system and patient, the report as published."""
    found: dict[str, dict[str, str]] = {
        "one-step": _texts(DATA / "onestep_gpt4_iiyi_patients.jsonl", "diagnosis"),
        "2 doctors": _texts(
            DATA / "doctors_2_agent_gpt3_gpt4_parallel_with_critique_discussion_history.jsonl",
            "diagnosis",
        ),
    }
    for system, file in (
        ("GPT-4", "gpt4"),
        ("Qwen-Max", "qwen_max"),
        ("Wenxin", "wenxin"),
        ("GPT-3.5", "gpt3"),
    ):
        found[system] = _texts(DATA / f"dialog_history_{file}.jsonl", "dialog_history")
    return found


def _texts(path: Path, field: str) -> dict[str, str]:
    texts = {}
    for line in _lines(path):
        value = line[field]
        last = value[-1]["content"] if isinstance(value, list) else value
        texts[str(line["patient_id"])] = str(last)
    return texts


def references() -> dict[str, str]:
    """By patient, the reference diagnosis."""
    found = {}
    for line in _lines(REFERENCE):
        given = line["reference_diagnosis"]
        assert isinstance(given, dict)
        found[str(line["patient_id"])] = str(given["diagnosis"])
    return found


def headed_diagnosis(report: str) -> str | None:
    """The diagnosis of a report that has the paper's headings; None if it has not."""
    found = _HEADED.search(report)
    return found.group(1) if found else None


class Names:
    """Extraction as a protocol has it, each text once."""

    def __init__(self, terminology: Terminology) -> None:
        self._terminology = terminology
        self._links: dict[str, tuple[DiseaseLink, ...]] = {}
        self._listed: dict[str, tuple[str, ...]] = {}

    def listed(self, text: str) -> tuple[str, ...]:
        """For `published`: everything that a Chinese diagnosis text lists."""
        if text not in self._listed:
            self._listed[text] = listed_diseases(text, "zh")
        return self._listed[text]

    def links(self, text: str) -> tuple[DiseaseLink, ...]:
        """For `code`: the diseases that it claims, linked."""
        if text not in self._links:
            self._links[text] = predicted_links(text, "zh", self._terminology)
        return self._links[text]


def table(names: Names, matcher: PublishedMatcher | None, *, headed: bool) -> dict[str, Row]:
    """By system, its row; matched by category without a matcher.

    `headed` leaves out reports without the paper's headings; else they count as what they say.
    """
    truth = references()
    rows = {}
    for system, texts in reports().items():
        cases = predicted = reference = hits = 0
        for patient, report in texts.items():
            diagnosis = headed_diagnosis(report) if headed else read_report(report).report.diagnosis
            if diagnosis is None:
                continue
            cases += 1
            if matcher is not None:
                listed, wanted = names.listed(diagnosis), names.listed(truth[patient])
                found, counts = matcher.overlap(listed, wanted), (len(listed), len(wanted))
            else:
                links, truly = names.links(diagnosis), names.links(truth[patient])
                found, counts = overlap(links, truly), (len(links), len(truly))
            predicted, reference = predicted + counts[0], reference + counts[1]
            hits += len(found)
        rows[system] = Row.of(cases, predicted, reference, hits)
    return rows


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--terminology", type=Path, default=TABLE)
    path = parser.parse_args().terminology
    if not REFERENCE.is_file() or not path.is_file():
        print(f"{DATA} is not here; nothing to measure")
        return
    terminology = Terminology.of_table(path)
    names, matcher = Names(terminology), PublishedMatcher(terminology.names)
    print(f"terminology {terminology.hash}, {len(matcher)} names")
    settings: tuple[tuple[str, PublishedMatcher | None, bool], ...] = (
        ("published matching, the paper's headings only (its preset)", matcher, True),
        ("published matching, every report", matcher, False),
        ("code matching, every report", None, False),
    )
    for title, matching, headed in settings:
        print(f"\n{title}\n{'':10}{'n':>5}{'#':>13}{'R':>15}{'P':>15}{'F1':>15}")
        for system, row in table(names, matching, headed=headed).items():
            ours = (row.number, row.recall, row.precision, row.f1)
            cells = (f"{o:6.2f} ({p:5.2f})" for o, p in zip(ours, PAPER[system], strict=True))
            print(f"{system:10}{row.cases:5} " + "  ".join(cells))


if __name__ == "__main__":
    main()
