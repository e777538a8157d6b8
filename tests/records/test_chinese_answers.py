"""Which facts of a Chinese record answer which question: the wanted ones and no others."""

from __future__ import annotations

import pytest

from agents.offline.first_person import denied, in_own_words
from records.facts.matching import match_question
from records.findings.splitter import split_findings
from records.medical_record import Diagnosis, HistorySection, MedicalRecord
from records.views import PatientView

SECTIONS: dict[HistorySection, str] = {
    "chief_complaint": "反复胸闷5年，加重3天。",
    "history_of_present_illness": (
        "5年前爬山后出现胸闷，劳累后加重，休息后可缓解。3天前受凉后症状加重，伴咳嗽，咳黄痰。"
        "近日大便呈黑色，夜间可平卧。无胸痛、晕厥，无尿频。"
        "当地医院胸片示双肺纹理增多，服用止咳药物后咳嗽未见改善。"
    ),
    "past_history": (
        "有高血压病史8年，口服氨氯地平，近半月未规律服药。无肝炎、结核等传染病史。体重变化不详。"
    ),
    "family_history": "父亲患脑梗死，母亲体健。",
    "personal_history": "家中养信鸽。",
}
VIEW = PatientView.of(
    MedicalRecord.model_validate(
        {
            "id": "case",
            "language": "zh",
            "findings": split_findings(SECTIONS, "zh"),
            "diagnoses": (Diagnosis(id="d1", name="x"),),
            **SECTIONS,
        }
    )
)


def answer(question: str) -> str:
    """The words of the facts that answer a question, in the record's order."""
    asked = {i for part in match_question(question, VIEW) for i in part.findings}
    return "；".join(f.text for f in VIEW.findings if f.id in asked)


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("胸闷有多少年了？", "5年", "咳嗽"),
        ("歇一歇能缓过来吗？", "休息后可缓解", "咳嗽"),
        ("大便是什么颜色的？", "黑色", "胸闷"),
        ("夜里睡觉能放平躺着吗？", "可平卧", "胸闷"),
        ("降压药按时吃没有？", "未规律服药", "止咳"),
        ("人瘦了没有？", "体重变化不详", "胸闷"),
        ("尿频不频？", "尿频", "胸闷"),
        ("你爸有什么病？", "脑梗", "母亲"),
        ("家里养不养鸽子？", "信鸽", "父亲"),
        ("拍过片子没有？", "胸片", "高血压"),
        ("有没有咳嗽？", "咳嗽", "未见改善"),
    ],
)
def test_what_is_asked_is_told_and_no_more(question: str, told: str, not_told: str) -> None:
    said = answer(question)
    assert told in said
    assert not_told not in said


def test_when_a_discomfort_began_is_asked_of_the_complaint() -> None:
    assert "胸闷" in answer("这个不舒服是什么时候开始的？")


@pytest.mark.parametrize(
    ("symptom", "clause", "said"),
    [
        ("食欲减退", "无食欲减退", "没觉得没胃口"),
        ("乏力", "无乏力", "没觉得没力气"),
        ("寒战", "无寒战", "没有寒战"),
        ("休息后缓解", "休息后无缓解", "休息后没见好"),
    ],
)
def test_a_denial_is_denied_once(symptom: str, clause: str, said: str) -> None:
    assert denied(symptom, clause, "zh") == said


def test_a_degree_stays_with_its_number() -> None:
    assert in_own_words("最高体温39.6\n℃", "zh") == "最高体温39.6℃"
