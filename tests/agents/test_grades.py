from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.grades import read_grades
from records.mark import DIMENSIONS

ANALYSIS = "Good on the whole; I would downgrade it from A to C, were it not for the X-ray."


def in_json(grade: object) -> str:
    return json.dumps(
        {d: {"analysis": ANALYSIS, "grade": grade} for d in DIMENSIONS}, ensure_ascii=False
    )


def in_lines(line: str) -> str:
    return "\n\n".join(f"{d.title()}\n{ANALYSIS}\n{line}" for d in DIMENSIONS)


@pytest.mark.parametrize(
    "reply",
    [
        in_json("B"),
        in_json("b"),
        in_json("(B)"),
        in_json("B. 相当部分一致"),
        in_json("\u200bB\u200b"),
        in_json("选项：B"),
        in_json("Ｂ"),
        f"```json\n{in_json('B')}\n```",
        f"Here is my view.\n{in_json('B')}\nI hope that A or C is not expected.",
        json.dumps({"grades": json.loads(in_json("B"))}),
        json.dumps(dict.fromkeys(DIMENSIONS, "B")),
        json.dumps([{"dimension": d, "analysis": ANALYSIS, "grade": "B"} for d in DIMENSIONS])
        .removeprefix("[")
        .removesuffix("]"),
        in_lines("Grade: B"),
        in_lines("**Grade:** b"),
        in_lines("Choice: (B)"),
        in_lines("选项：B"),
        in_lines("等级：B. 相当部分一致"),
        in_lines("(B)"),
        in_lines("**B**"),
        in_lines("B. 大部分一致"),
        in_lines("\u200bB\u200b"),
        "症状掌握：\n分析：由A降级。\n选项：B\n\n检查完整：\n选项：B\n诊断一致：\n选项：B\n"
        "诊断依据：\n选项：B\n治疗方案：\n选项：B",
        "1. Symptoms: B\n2. Auxiliary examinations: B\n3. Diagnosis: B\n4. Rationale: B\n"
        "5. Treatment plan: B",
        "### 1. Symptoms (mastery)\nGrade: B\n### 2. Examinations\nGrade: B\n### 3. Diagnosis\n"
        "Grade: B\n### 4. Diagnostic rationale\nGrade: B\n### 5. Treatment\nGrade: B",
    ],
)
def test_row_21_the_grade_in_its_own_field_wins(reply: str) -> None:
    assert {d: g.grade for d, g in read_grades(reply).items()} == dict.fromkeys(DIMENSIONS, "B")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (in_json("E"), "not one of A to D"),
        (in_json("3"), "not one of A to D"),
        (in_json("Excellent"), "not one of A to D"),
        (in_json("B/C"), "different grades"),
        (in_json("B or C"), "different grades"),
        (in_json(None), "no grade"),
        (in_lines("Grade: B\nGrade: C"), "different grades"),
        (in_lines("B\n(C)"), "different grades"),
        (in_lines("Not bad at all."), "no grade"),
        ("", "no grade"),
        ("I give it a B.", "no grade"),
    ],
)
def test_row_21_two_grades_none_or_one_off_the_menu_are_unscored(reply: str, reason: str) -> None:
    for grade in read_grades(reply).values():
        assert grade.grade is None
        assert grade.reason is not None
        assert reason in grade.reason


def test_the_analysis_is_kept() -> None:
    assert read_grades(in_json("B"))["symptoms"].analysis == ANALYSIS
    assert read_grades(in_lines("Grade: B"))["symptoms"].analysis == ANALYSIS


def test_a_reply_cut_in_its_middle_gives_what_it_holds() -> None:
    whole = in_lines("Grade: B")
    cut = whole[: whole.index("Diagnosis") + 20]
    grades = read_grades(cut)
    assert [grades[d].grade for d in DIMENSIONS] == ["B", "B", None, None, None]


@given(st.text())
def test_any_text_is_read_to_five_grades(text: str) -> None:
    assert set(read_grades(text)) == set(DIMENSIONS)


@given(st.text(alphabet='{}[]":,ABCD\n grade:symptoms选项诊断', max_size=300))
def test_any_near_json_is_read_to_five_grades(text: str) -> None:
    assert set(read_grades(text)) == set(DIMENSIONS)


@pytest.mark.parametrize("piece", ["*", " ", "\n", "- ", "1. ", "{", '{"a":', "[", "Symptoms: "])
def test_row_23_one_piece_repeated_without_end_is_read(piece: str) -> None:
    # With an unbounded repetition in any expression this would not come to an end.
    grades = read_grades(piece * (100_000 // len(piece)))
    assert all(grade.grade is None for grade in grades.values())
