from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.conclusion import names_disease_or_treatment
from records.addressing import has_end_token

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"


@pytest.mark.parametrize(
    "text",
    [
        "You have appendicitis.",
        "This looks like gout.",
        "Take ibuprofen 400 mg three times a day.",
        "I recommend surgery.",
        "Get rest and drink.",
        "您得的是阑尾炎。",
        "考虑2型糖尿病。",
        "建议尽快手术。",
        "请口服布洛芬，每日三次。",
        "请注意休息，清淡饮食。",
    ],
)
def test_a_disease_or_a_treatment_is_a_conclusion(text: str) -> None:
    assert names_disease_or_treatment(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hello, what brings you in?",
        "Since when does it hurt, and where?",
        "Please have a complete blood count and a chest X-ray done.",
        "您好，有哪里不舒服？",
        "这样多久了？疼在什么部位？",
        "请去做血常规和胸部X线检查。",
        "请说说您的病情和既往病史。",
    ],
)
def test_asking_is_none(text: str) -> None:
    assert not names_disease_or_treatment(text)


def test_nearly_all_published_visits_end_after_a_conclusion() -> None:
    if not PUBLISHED.exists():
        pytest.skip("the published dialogues are not here")
    ends = concluded = 0
    for path in sorted(PUBLISHED.glob("dialog_history_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            doctor = ""
            for message in json.loads(line)["dialog_history"]:
                if message["role"] == "Doctor":
                    doctor += message["content"]
                elif message["role"] == "Patient" and has_end_token(message["content"]):
                    ends += 1
                    concluded += names_disease_or_treatment(doctor)
    assert ends == 1890
    assert concluded >= 0.99 * ends
