"""Presets, what the published code makes of a report, and the fingerprint of a table."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.preset import (
    PRESETS,
    fingerprint,
    has_literal_headings,
    preset,
    published_diagnosis,
)
from records.ledger import RunConfig, SharedSettings
from records.visit import Report

CONFIG = RunConfig(
    shared=SharedSettings(prompts_hash="p"),
    doctors=("checklist",),
    settings=("interaction",),
    cases={"a": "1"},
)
TABLE: dict[str, Any] = {
    "judge": "rubric",
    "convention": "strict",
    "matching": "code",
    "terminology": "t",
}


def test_the_preset_of_the_paper() -> None:
    paper = preset("mvme-2024")
    assert paper is PRESETS["mvme-2024"]
    assert (paper.protocol, paper.unrecorded, paper.max_turns) == ("carried", "normal", 10)
    assert (paper.convention, paper.matching) == ("published", "published")
    with pytest.raises(ValueError, match="there is mvme-2024"):
        preset("mvme")


@pytest.mark.parametrize(
    ("raw", "literal", "diagnosis"),
    [
        ("#诊断结果#\n胃溃疡\n\n#诊断依据#\n腹痛", True, "胃溃疡"),
        ("下面是诊断结果、诊断依据：\n#诊断结果#\n胃溃疡\n#诊断依据#\n腹痛", True, "、"),
        ("#诊断依据#\n腹痛\n#诊断结果#\n胃溃疡", True, "the part"),
        ("### 诊断结果\n胃溃疡\n### 诊断依据\n腹痛", False, "the part"),
        ("#诊断结果#\n胃溃疡", False, "the part"),
    ],
)
def test_what_the_published_code_takes_for_the_diagnosis(
    raw: str, literal: bool, diagnosis: str
) -> None:
    report = Report(diagnosis="the part", raw=raw)
    assert has_literal_headings(report) == literal
    assert published_diagnosis(report) == diagnosis
    assert not has_literal_headings(None)


@pytest.mark.parametrize(
    "changed",
    [
        {"judge": "another"},
        {"convention": "published"},
        {"matching": "published"},
        {"terminology": "u"},
        {"extraction": "rules 2"},
        {"seed": 1},
    ],
)
def test_a_fingerprint_changes_with_all_that_the_numbers_depend_on(
    changed: dict[str, Any],
) -> None:
    once = fingerprint(CONFIG, **TABLE)
    assert len(once) == 12
    assert fingerprint(CONFIG, **TABLE) == once
    assert fingerprint(CONFIG, **(TABLE | changed)) != once


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"cases": {"a": "2"}}, False),
        ({"shared": SharedSettings(prompts_hash="q")}, False),
        ({"sources": {"my:Doctor": "s"}}, False),
        ({"judges": ("another",)}, True),
        ({"doctors": ("checklist", "another")}, True),
    ],
)
def test_a_fingerprint_is_of_the_run_s_cases_and_settings(
    changed: dict[str, Any], same: bool
) -> None:
    other = CONFIG.model_copy(update=changed)
    assert (fingerprint(other, **TABLE) == fingerprint(CONFIG, **TABLE)) == same
