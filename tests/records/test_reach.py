"""How a diagnosis can be reached: by rules, correctable by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from records.findings.splitter import split_findings
from records.library import bundled_records
from records.medical_record import (
    HISTORY_SECTIONS,
    Diagnosis,
    Examination,
    Language,
    MedicalRecord,
    Reach,
)
from records.reach import tag_reach
from records.readers import read_records

MVME = (
    Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme" / "patients_full.json"
)


def reach_of(
    name: str, language: Language, results: tuple[tuple[str, str], ...] = (), **history: Any
) -> Reach:
    record = MedicalRecord(
        id="a",
        language=language,
        diagnoses=(Diagnosis(id="d1", name=name),),
        auxiliary_examinations=tuple(
            Examination(id=f"e{i}", name=study, value=value)
            for i, (study, value) in enumerate(results, 1)
        ),
        **history,
    )
    sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    findings = split_findings(sections, language)
    return tag_reach(record.model_copy(update={"findings": findings})).diagnoses[0].reach


@pytest.mark.parametrize(
    ("name", "language", "past_history"),
    [
        ("高血压病（3级，高危）", "zh", "高血压病史9年，未规律服药。"),
        ("胃癌术后", "zh", "5年前行胃窦癌手术。"),
        ("陈旧性脑梗死", "zh", "2年前患脑梗塞。"),
        ("Chronic gout", "en", "Gout for six years."),
        ("Essential hypertension", "en", "She has high blood pressure."),
    ],
)
def test_known_history(name: str, language: Language, past_history: str) -> None:
    assert reach_of(name, language, past_history=past_history) == "known_history"


@pytest.mark.parametrize(
    ("name", "language", "past_history"),
    [
        ("高血压病", "zh", "否认高血压、糖尿病史。"),
        ("高血压病", "zh", "头晕，父亲有高血压病史。"),
        ("Migraine", "en", "Headaches. Denies migraine."),
        ("Gout", "en", "Her father has a history of gout. Her toe hurts."),
    ],
)
def test_what_is_denied_or_a_relatives_is_not_known(
    name: str, language: Language, past_history: str
) -> None:
    assert reach_of(name, language, past_history=past_history) == "inferable"


@pytest.mark.parametrize(
    ("name", "language", "value"),
    [
        ("急性阑尾炎", "zh", "阑尾增粗，考虑阑尾炎"),
        (
            "Testicular torsion (left)",
            "en",
            "No flow on the left, suggestive of testicular torsion.",
        ),
    ],
)
def test_named_in_a_result(name: str, language: Language, value: str) -> None:
    assert reach_of(name, language, (("CT", value),)) == "named_in_result"


def test_a_result_that_excludes_a_diagnosis_does_not_name_it() -> None:
    told = {"chief_complaint": "Abdominal pain"}
    results = (("Ultrasound", "No evidence of pancreatitis."),)
    assert reach_of("Pancreatitis", "en", results, **told) == "inferable"


def test_unreachable_where_nothing_bears_on_the_organ() -> None:
    told = {"chief_complaint": "右手外伤1小时", "past_history": "无咳嗽、气短。"}
    assert reach_of("肺炎", "zh", (("胸片", "未见异常"),), **told) == "unreachable"
    assert reach_of("肺炎", "zh", (("胸片", "右下片状影"),), **told) == "inferable"
    assert reach_of("肺炎", "zh", chief_complaint="咳嗽3天") == "inferable"


@pytest.mark.parametrize(
    ("name", "complaint", "reach"),
    [
        ("Acute cholecystitis", "Constant RUQ pain after a meal", "inferable"),
        ("Cystitis", "Dysuria for three days", "inferable"),
        ("Acute cholecystitis", "A sprained ankle", "unreachable"),
        ("Urticarial vasculitis", "Wheals that last for days", "inferable"),
        ("Urticarial vasculitis", "Hoarseness", "unreachable"),
        ("Hypothyroidism", "Tired all day", "inferable"),
        ("Aortic dissection", "Tearing chest pain", "inferable"),
        ("Plexiform neurofibroma", "A soft lump on the cheek", "inferable"),
    ],
)
def test_what_bears_on_an_organ_beyond_its_name(name: str, complaint: str, reach: Reach) -> None:
    assert reach_of(name, "en", chief_complaint=complaint) == reach


def test_unreachable_while_the_only_result_is_awaited() -> None:
    assert reach_of("IgG4相关性疾病", "zh", (("血清IgG4", "待结果"),)) == "unreachable"
    assert reach_of("IgG4相关性疾病", "zh", (("血清IgG4", "3.2g/L"),)) == "inferable"


def test_what_names_no_known_organ_is_never_called_unreachable() -> None:
    assert reach_of("Nightmare", "en", chief_complaint="Wrist fracture") == "inferable"


def test_a_reach_given_by_hand_is_kept() -> None:
    given = Diagnosis(id="d1", name="Gout", reach="unreachable")
    record = MedicalRecord(id="a", language="en", diagnoses=(given,))
    assert tag_reach(record).diagnoses == (given,)


def test_rules_agree_with_the_hand_on_the_bundled_records() -> None:
    by_hand, by_rule = [], []
    for record in bundled_records():
        bare = tuple(Diagnosis(id=d.id, name=d.name) for d in record.diagnoses)
        by_hand += [d.reach for d in record.diagnoses]
        by_rule += [
            d.reach for d in tag_reach(record.model_copy(update={"diagnoses": bare})).diagnoses
        ]
    agreed = sum(rule == hand for rule, hand in zip(by_rule, by_hand, strict=True))
    assert agreed >= 0.9 * len(by_hand)


@pytest.mark.skipif(not MVME.exists(), reason="the published cases are not here")
def test_rules_come_close_to_the_human_count_of_the_published_cases() -> None:
    reached = [d.reach for record in read_records(MVME) for d in record.diagnoses]
    assert reached.count("unreachable") == 3
    assert abs(reached.count("known_history") - 14) <= 1
