from __future__ import annotations

from collections import Counter

import pytest

from agents.offline.rubric import RubricChiefPhysician
from evaluation.audit import Audit, sum_up
from evaluation.marking import mark
from evaluation.probes import PLANTED, REWRITES, Probe, faithful, probes
from records.library import bundled_records
from records.mark import DIMENSIONS, Grade, Letter, Mark
from records.medical_record import Language, MedicalRecord
from records.views import MarkingView
from records.visit import REPORT_PARTS, Ending, Report, Visit

RECORDS = [r for lang in ("zh", "en") for r in bundled_records() if r.language == lang]
FEW = [r for lang in ("zh", "en") for r in [r for r in RECORDS if r.language == lang][:4]]


def visit(probe: Probe) -> Visit:
    return Visit(
        key=probe.key,
        record_id=probe.record.id,
        record_hash=probe.record.content_hash,
        doctor=probe.kind,
        setting="one_step",
        protocol="carried",
        npc="grounded",
        language=probe.record.language,
        seed=0,
        trial=1,
        prompts_hash="p",
        ending=Ending.DIAGNOSIS_GIVEN,
        report=probe.report,
    )


async def marked(tried: tuple[Probe, ...]) -> list[Mark]:
    judge = RubricChiefPhysician()
    return [await mark(visit(p), MarkingView(record=p.record), judge) for p in tried]


def content(text: str) -> Counter[str]:
    return Counter(c for c in text if c.isalnum())


def test_equal_records_and_seeds_give_equal_probes() -> None:
    assert probes(FEW, 3) == probes(FEW, 3)
    assert probes(FEW, 3) != probes(FEW, 4)
    keys = [probe.key for probe in probes(RECORDS)]
    assert len(set(keys)) == len(keys)


def test_every_case_is_tried_in_every_way() -> None:
    kinds: Counter[tuple[str, str]] = Counter((p.kind, p.record.language) for p in probes(RECORDS))
    for language in ("zh", "en"):
        for kind in ("faithful", *REWRITES, "swapped", *PLANTED):
            assert kinds[kind, language] == (60 if kind == "swapped" else 20), kind


@pytest.mark.parametrize("record", FEW, ids=lambda r: r.id)
def test_rewrites_keep_what_is_said(record: MedicalRecord) -> None:
    made: dict[str, Report] = {p.kind: p.report for p in probes([record])}
    plain = made["faithful"]
    assert made["again"] == plain
    for part in REPORT_PARTS:
        before = content(getattr(plain, part))
        for kind in ("length", "politeness"):
            assert not before - content(getattr(made[kind], part)), (kind, part)
        for kind in ("order", "markdown"):
            # Numbers of lists may go; nothing comes.
            assert not content(getattr(made[kind], part)) - before, (kind, part)
    assert len(made["length"].symptoms) > 1.5 * len(plain.symptoms)
    assert made["order"].diagnosis == plain.diagnosis
    assert made["order"].treatment != plain.treatment
    assert "**" in made["markdown"].diagnosis


def test_a_swapped_report_is_of_a_case_that_has_nothing_to_do_with_it() -> None:
    by_id = {record.id: record for record in RECORDS}
    for probe in probes(RECORDS):
        if probe.kind != "swapped":
            continue
        other = by_id[probe.of]
        assert other.language == probe.record.language
        assert probe.report.diagnosis == faithful(other).diagnosis
        mine, theirs = (
            {d.icd10[:2] for d in r.diagnoses if d.icd10} for r in (probe.record, other)
        )
        assert not mine & theirs


def test_a_planted_error_changes_one_part_alone() -> None:
    for probe in probes(FEW):
        if probe.kind in PLANTED:
            source = next(r for r in FEW if r.id == probe.of)
            plain = faithful(source)
            changed = [p for p in REPORT_PARTS if getattr(plain, p) != getattr(probe.report, p)]
            assert changed == [PLANTED[probe.kind]]


async def test_the_rubric_is_steady_blind_to_manner_and_awake() -> None:
    tried = probes(FEW)
    audit = sum_up("rubric", tried, await marked(tried))
    assert (audit.cases, audit.judge_version) == (8, str(RubricChiefPhysician.version))
    for dimension in DIMENSIONS:
        assert audit.share("faithful", dimension) == 1.0
        for kind in REWRITES:
            assert audit.share(kind, dimension) == 1.0, (kind, dimension)
    languages: tuple[Language, ...] = ("zh", "en")
    for kind, dimension in PLANTED.items():
        for language in languages:
            assert (audit.share(kind, dimension, language) or 0) >= 0.9, (kind, language)


async def test_the_rubric_grades_another_case_s_report_d() -> None:
    tried = tuple(probe for probe in probes(RECORDS) if probe.kind == "swapped")
    audit = sum_up("rubric", tried, await marked(tried))
    for dimension in ("diagnosis", "rationale", "treatment"):
        assert (audit.share("swapped", dimension) or 0) >= 0.95, dimension


def judged(tried: tuple[Probe, ...], letters: dict[str, Letter | None]) -> Audit:
    """An audit of a judge that gives every probe of a kind one letter throughout; else A."""
    marks = []
    for probe in tried:
        letter = letters.get(probe.kind, "A")
        grade = Grade(grade=letter, reason=None if letter else "unreadable")
        grades = dict.fromkeys(DIMENSIONS, grade)
        marks.append(Mark(visit_key=probe.key, judge="j", grades=grades))
    return sum_up("j", tried, marks)


def test_what_the_figures_mean() -> None:
    tried = probes(FEW)
    audit = judged(tried, {"length": "B", "swapped": "D", "wrong_disease": "C", "order": None})
    rows = {(row.kind, row.language): row for row in audit.rows}
    padded = rows["length", "all"].findings["symptoms"]
    assert (padded.reports, padded.share) == (len(FEW), 0.0)
    assert padded.shift == pytest.approx(-100 / 3)
    assert audit.share("swapped", "treatment") == 1.0
    assert audit.share("wrong_disease", "diagnosis", "zh") == 1.0
    assert set(rows["wrong_disease", "en"].findings) == {"diagnosis"}
    assert audit.share("contraindicated", "treatment") == 0.0
    unread = rows["order", "all"].findings["symptoms"]
    assert (unread.reports, unread.unscored, unread.share) == (0, len(FEW), None)
    assert audit.share("markdown", "rationale") == 1.0


def test_one_language_alone() -> None:
    tried = probes([r for r in FEW if r.language == "en"])
    audit = judged(tried, {"swapped": "C"})
    assert {row.language for row in audit.rows} == {"en", "all"}
    assert audit.share("swapped", "diagnosis") == audit.share("swapped", "diagnosis", "en") == 0.0
