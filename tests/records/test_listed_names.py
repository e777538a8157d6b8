"""What protocol `published` counts: everything that a diagnosis text lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.diseases.listed_names import listed_diseases


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1. 胃溃疡并出血\n2. 肺炎", ["胃溃疡", "出血", "肺炎"]),
        ("硬膜下及硬膜外血肿", ["硬膜下", "硬膜外血肿"]),
        ("慢性阻塞性肺疾病（COPD）", ["慢性阻塞性肺疾病", "COPD"]),
        ("右肺腺癌（T2N1M0，左侧）", ["右肺腺癌"]),
        ("高血压3级，很高危", ["高血压"]),
        ("考虑肺炎，排除肺结核", ["肺炎"]),
        ("急性胃炎。鉴别诊断：胃溃疡、胰腺炎", ["急性胃炎"]),
        ("目前无法确定具体的诊断", []),
        ("根据您的症状，初步诊断为感冒", ["感冒"]),
        ("", []),
    ],
)
def test_every_item_of_a_chinese_list_counts(text: str, names: list[str]) -> None:
    assert list(listed_diseases(text, "zh")) == names


def test_english_texts_are_read_as_everywhere() -> None:
    assert listed_diseases("Gout, pneumonia ruled out", "en") == ("Gout",)


@given(st.text(max_size=60))
def test_names_are_distinct_and_on_one_line(text: str) -> None:
    names = listed_diseases(text, "zh")
    assert len(set(names)) == len(names)
    assert all(name and "\n" not in name for name in names)
