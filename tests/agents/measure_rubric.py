"""Measures the rubric against published judgements; run it as a script, it is no test.

    python tests/agents/measure_rubric.py

Prints, on the 506 one-step reports that GPT-4 judged (AI Hospital): the quadratic-weighted kappa of
rubric and GPT-4 as the mean over 20 seeded splits, once with the bars as they are and once with
bars placed on one half and measured on the other; how many of the reports get D against another
patient's reference; and the mean marks of the published systems beside the paper's.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from agents.offline import rubric
from agents.offline.rubric_diagnosis import score_diagnosis
from agents.offline.rubric_reasons import score_rationale, score_treatment
from records.diseases.icd10 import default_terminology
from records.medical_record import MedicalRecord
from records.readers.reference import reference_diagnoses
from records.report_parser import read_report
from records.views import MarkingView
from records.visit import Report

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"
SPLITS = 20
CHOICES = {
    "diagnosis": "diagnosis_choice",
    "rationale": "basis_choice",
    "treatment": "treatment_choice",
}
LETTERS = "DCBA"
PAPER = {"one-step": 58.89, "2 doctors": 38.06, "GPT-4": 29.36, "Qwen-Max": 26.46}
PAPER |= {"Wenxin-4.0": 26.23, "GPT-3.5": 23.90}
FILES = {"GPT-4": "gpt4", "Qwen-Max": "qwen_max", "Wenxin-4.0": "wenxin", "GPT-3.5": "gpt3"}
CONFERENCES = "doctors_2_agent_gpt3_gpt4_parallel_with_critique_discussion_history.jsonl"

Case = tuple[MedicalRecord, Report]
Ranks = dict[str, list[int | None]]


def kappa(one: Sequence[int], other: Sequence[int]) -> float:
    """Quadratic-weighted kappa of two lists of ranks 0 to 3."""
    size = len(LETTERS)
    seen = np.zeros((size, size))
    np.add.at(seen, (np.array(one), np.array(other)), 1)
    weights = (np.arange(size)[:, None] - np.arange(size)[None]) ** 2
    by_chance = np.outer(seen.sum(1), seen.sum(0)) / seen.sum()
    return float(1 - (weights * seen).sum() / (weights * by_chance).sum())


def lines(name: str) -> list[dict[str, Any]]:
    """A published file."""
    text = (DATA / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def judged(row: dict[str, Any]) -> Case:
    """The record and the report of one published judgement."""
    reference = row["reference_diagnosis"]
    record = MedicalRecord(
        id=str(row["patient_id"]),
        language="zh",
        chief_complaint="-",
        diagnoses=reference_diagnoses(reference["diagnosis"], "zh"),
        rationale=(reference["basis"] or "").strip() or None,
        treatment=(reference["treatment"] or "").strip() or None,
    )
    return record, read_report(row["doctor_diagnosis"]["diagnosis"]).report


def graded(cases: Sequence[Case]) -> Ranks:
    """The rubric's ranks by dimension; None where it is unscored."""
    judge = rubric.RubricChiefPhysician()

    async def all_of_them() -> Ranks:
        ranks: Ranks = {dimension: [] for dimension in CHOICES}
        for record, report in cases:
            opinion = await judge.judge(MarkingView(record=record), report)
            for dimension, found in ranks.items():
                letter = opinion.grades[dimension].grade
                found.append(None if letter is None else LETTERS.index(letter))
        return ranks

    return asyncio.run(all_of_them())


def scores(cases: Sequence[Case]) -> dict[str, list[float]]:
    """The rubric's scores by dimension; not a number where it is unscored."""
    found: dict[str, list[float]] = {dimension: [] for dimension in CHOICES}
    for record, report in cases:
        diagnosis = score_diagnosis(report.diagnosis, record, default_terminology())
        rationale = score_rationale(report.rationale, record, diagnosis.value)
        treatment = score_treatment(report.treatment, record, diagnosis.value)
        for dimension, score in zip(CHOICES, (diagnosis, rationale, treatment), strict=True):
            found[dimension].append(score.value if score else float("nan"))
    return found


def halves(count: int, seed: int) -> tuple[list[int], list[int]]:
    """Indices of a seeded split: to fit on, to measure on."""
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order[: count // 2], order[count // 2 :]


def split_kappa(truth: Sequence[int | None], ranks: Sequence[int | None], half: list[int]) -> float:
    """Kappa over the cases of a half that both graded."""
    pairs = [(t, r) for t, r in ((truth[i], ranks[i]) for i in half) if None not in (t, r)]
    return kappa([int(t or 0) for t, _ in pairs], [int(r or 0) for _, r in pairs])


def refitted(cases: Sequence[Case], truth: Ranks, values: dict[str, list[float]]) -> None:
    """Print the kappas with A's and B's bars placed on one half by GPT-4's shares of grades."""
    bars = dict(rubric._CUTS)
    held: dict[str, list[float]] = {dimension: [] for dimension in CHOICES}
    for seed in range(SPLITS):
        fit, rest = halves(len(cases), seed)
        for dimension in CHOICES:
            known = [(values[dimension][i], truth[dimension][i]) for i in fit]
            both = [(v, t) for v, t in known if t is not None and v == v]
            place = [
                float(np.quantile([v for v, _ in both], fmean(t <= rank for _, t in both)))
                for rank in (2, 1, 0)
            ]
            least = place[2] if dimension == "treatment" else bars[dimension][2]
            rubric._CUTS[dimension] = (place[0], place[1], least)
        ranks = graded([cases[i] for i in rest])
        for dimension in CHOICES:
            ours = dict(zip(rest, ranks[dimension], strict=True))
            there = [ours.get(i) for i in range(len(cases))]
            held[dimension].append(split_kappa(truth[dimension], there, rest))
    rubric._CUTS.update(bars)
    print("bars placed on one half, measured on the other:", told(held))


def told(kappas: dict[str, list[float]]) -> str:
    """Means over the splits, in words."""
    return ", ".join(f"{dimension} {fmean(found):.3f}" for dimension, found in kappas.items())


def swapped(cases: Sequence[Case]) -> None:
    """Print the share of D against another patient's reference, over three seeded shuffles."""
    shares: dict[str, list[float]] = {dimension: [] for dimension in CHOICES}
    for seed in range(3):
        order = list(range(len(cases)))
        random.Random(seed).shuffle(order)
        following = dict(zip(order, order[1:] + order[:1], strict=True))
        ranks = graded([(cases[following[i]][0], case[1]) for i, case in enumerate(cases)])
        for dimension, found in ranks.items():
            shares[dimension].append(fmean(r == 0 for r in found if r is not None))
    print("swapped references graded D:", told(shares))


def systems(cases: Sequence[Case]) -> None:
    """Print the rubric's mean marks of the published systems, and how their order agrees."""
    records = {record.id: record for record, _ in cases}
    reports = {"one-step": list(cases)}
    reports["2 doctors"] = [
        (records[str(row["patient_id"])], read_report(row["diagnosis"]).report)
        for row in lines(CONFERENCES)
    ]
    for name, file in FILES.items():
        reports[name] = [
            (
                records[str(row["patient_id"])],
                read_report(row["dialog_history"][-1]["content"]).report,
            )
            for row in lines(f"dialog_history_{file}.jsonl")
        ]
    means = {}
    for name, these in reports.items():
        ranks = graded(these)
        marks = {d: 100 * fmean(r or 0 for r in found) / 3 for d, found in ranks.items()}
        means[name] = marks["diagnosis"]
        words = ", ".join(f"{d} {mark:.1f}" for d, mark in marks.items())
        print(f"{name} ({len(these)}): {words}; the paper's diagnosis {PAPER[name]}")
    order = sorted(means, key=lambda name: -means[name])
    paper = sorted(PAPER, key=lambda name: -PAPER[name])
    apart = sum((order.index(name) - paper.index(name)) ** 2 for name in order)
    count = len(order)
    print(f"Spearman of diagnosis: {1 - 6 * apart / (count * (count**2 - 1)):.2f}")


def main() -> int:
    """Measure all; 0 also without the data."""
    if not (DATA / "evaluation_iiyi_gpt4_onestep.jsonl").exists():
        print(f"skipped: there is no {DATA}")
        return 0
    rows = lines("evaluation_iiyi_gpt4_onestep.jsonl")
    cases = [judged(row) for row in rows]
    truth: Ranks = {
        dimension: [LETTERS.index(row[key]) if row[key] in tuple(LETTERS) else None for row in rows]
        for dimension, key in CHOICES.items()
    }
    ranks = graded(cases)
    fixed = {
        dimension: [
            split_kappa(truth[dimension], ranks[dimension], halves(len(cases), seed)[1])
            for seed in range(SPLITS)
        ]
        for dimension in CHOICES
    }
    print(f"rubric version {rubric.RubricChiefPhysician.version}; kappa, mean of {SPLITS} splits")
    print("bars as they are:", told(fixed))
    refitted(cases, truth, scores(cases))
    swapped(cases)
    systems(cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
