"""Rows 19 to 22 of the table of providers: the shapes of reports and of marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from records.mark import DIMENSIONS
from records.medical_record import Language
from records.visit import REPORT_PARTS, Ending
from tests.providers.clinic import LANGUAGES, Faulty, clinic, faultless
from tests.scripted_endpoint import Answer, completion, error
from tests.scripted_hospital import REPORTS

HEADS: dict[Language, tuple[str, ...]] = {
    "en": ("Symptoms", "Auxiliary examinations", "Diagnosis", "Rationale", "Treatment plan"),
    "zh": ("症状", "辅助检查", "诊断结果", "诊断依据", "治疗方案"),
}


def parts_of(language: Language) -> dict[str, str]:
    """By heading, what the scripted report says."""
    lines = REPORTS[language].split("\n")
    return {head.strip("#"): text for head, text in zip(lines[::2], lines[1::2], strict=True)}


def _json(parts: dict[str, str]) -> str:
    return json.dumps(parts, ensure_ascii=False, indent=1)


def _lines(form: str) -> Callable[[dict[str, str]], str]:
    return lambda parts: "\n".join(
        form.format(n=n, head=head, text=text) for n, (head, text) in enumerate(parts.items(), 1)
    )


SHAPES: dict[str, Callable[[dict[str, str]], str]] = {
    "#…#": _lines("#{head}#\n{text}\n"),
    "### …": _lines("### {head}\n{text}\n"),
    "# … #": _lines("# {head} #\n{text}"),
    "**…**：": _lines("**{head}**：{text}"),
    "1. …:": _lines("{n}. {head}: {text}"),
    "JSON": _json,
    "JSON in a fence": lambda parts: f"Here it is.\n```json\n{_json(parts)}\n```\nAll the best.",
    "a table": lambda parts: (
        "| | |\n|---|---|\n" + "\n".join(f"| {head} | {text} |" for head, text in parts.items())
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shape", SHAPES)
async def test_row_19_a_report_is_read_whatever_its_headings(
    tmp_path: Path, shape: str, language: Language
) -> None:
    parts = parts_of(language)
    assert tuple(parts) == HEADS[language]
    script = Faulty("doctor", lambda said, body: SHAPES[shape](parts))
    async with clinic(tmp_path, script, language=language, setting="one_step") as run:
        held = await run.hold()
    report = held.visit.report
    assert report is not None
    assert [getattr(report, part) for part in REPORT_PARTS] == list(parts.values())
    assert held.visit.ending is Ending.DIAGNOSIS_GIVEN
    assert held.mark.diseases.hits == ((0, 0),)
    # The judge is told the parts alone, in our own order.
    told = run.asked("judge")[0]["messages"][-1]["content"]
    assert all(text in told for text in parts.values())
    assert "All the best" not in told


@pytest.mark.parametrize("shape", ["**…**：", "JSON in a fence", "a table"])
async def test_row_19_a_moderator_s_final_report_is_read_as_well(
    tmp_path: Path, shape: str
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return SHAPES[shape](parts_of("en")) if said == REPORTS["en"] else said

    async with clinic(tmp_path, Faulty("moderator", how)) as run:
        held = await run.hold()
    report = held.visit.report
    assert report is not None
    assert [getattr(report, part) for part in REPORT_PARTS] == list(parts_of("en").values())
    assert held.progress.all_marked


REFUSALS: list[tuple[Language, str]] = [
    ("en", "I'm sorry, but as an AI I cannot provide a medical diagnosis. See a doctor."),
    ("en", "There is not enough information, so I am unable to determine a diagnosis."),
    ("en", "#Symptoms#\nBelly ache\n#Diagnosis#\nI cannot give a diagnosis as an AI model."),
    ("zh", "作为一个人工智能语言模型，我无法提供诊断。"),
    ("zh", "由于没有提供任何检查结果，无法诊断。"),
    ("zh", "#症状#\n腹痛\n#诊断结果#\n由于没有提供检查结果，无法诊断。"),
]


@pytest.mark.parametrize(("language", "refusal"), REFUSALS)
async def test_row_20_a_refusal_is_kept_and_counts_as_no_diagnosis(
    tmp_path: Path, language: Language, refusal: str
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return refusal if said == REPORTS[language] else said

    async with clinic(tmp_path, Faulty("doctor", how), language=language) as run:
        held = await run.hold()
        assert not run.asked("judge")
        assert (await run.hold()).visits == held.visits
    assert held.visit.ending is Ending.DOCTOR_DECLINED
    assert held.visit.report is not None
    assert held.visit.report.raw == refusal
    assert {grade.grade for grade in held.mark.grades.values()} == {"D"}
    assert held.mark.diseases.predicted == ()
    # In every denominator, and at nothing.
    (row,) = held.board.rows
    assert {(mean.mean, mean.coverage) for mean in row.marks.values()} == {(0, 1)}
    assert (row.diseases.cases, row.diseases.recall) == (1, 0)
    assert held.board.endings[0].counts == {"doctor_declined": 1}


@pytest.mark.parametrize(("language", "refusal"), [REFUSALS[0], REFUSALS[3]])
async def test_row_20_a_doctor_that_declines_stays_out_of_the_conference(
    tmp_path: Path, language: Language, refusal: str
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return refusal if body["model"] == "a" and said.startswith("#") else said

    script = Faulty("doctor", how)
    async with clinic(tmp_path, script, language=language, setting="conference") as run:
        held = await run.hold()
    assert held.visit.conference is not None
    out = [participant.out for participant in held.visit.conference.participants]
    assert out == ["doctor_declined", None]
    assert held.visit.ending is Ending.DIAGNOSIS_GIVEN


ANALYSIS = "I would downgrade it from A to C, were it not for option D."


def in_json(grade: object) -> str:
    return json.dumps({d: {"analysis": ANALYSIS, "grade": grade} for d in DIMENSIONS})


def in_lines(line: str) -> str:
    return "\n\n".join(f"{d.title()}\n{ANALYSIS}\n{line}" for d in DIMENSIONS)


@pytest.mark.parametrize(
    "reply",
    [
        in_json("b"),
        in_json("(B)"),
        in_json("B. 相当部分一致"),
        in_json("\u200bB"),
        f"```json\n{in_json('B')}\n```",
        f"Here.\n{in_json('B')}\nA and C would both have been wrong.",
        in_lines("选项：B"),
        in_lines("Grade: (b)"),
        in_lines("**B**"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_21_the_grade_in_its_own_field_wins(
    tmp_path: Path, reply: str, language: Language
) -> None:
    script = Faulty("judge", lambda said, body: reply)
    async with clinic(tmp_path, script, language=language, setting="zero_turn") as run:
        held = await run.hold()
        assert len(run.asked("judge")) == 1
    assert {grade.grade for grade in held.mark.grades.values()} == {"B"}
    assert held.mark.repairs == ()


UNREADABLE = [
    (in_json("B or C"), "different grades"),
    (in_lines("Grade: B\nGrade: C"), "different grades"),
    (in_json("E"), "not one of A to D"),
    ("All in all a good report.", "no grade"),
    ('{"symptoms": {"analysis": "…', "no grade"),
]


@pytest.mark.parametrize(("reply", "reason"), UNREADABLE)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_21_what_cannot_be_read_is_asked_for_once_more_and_then_unscored(
    tmp_path: Path, reply: str, reason: str, language: Language
) -> None:
    script = Faulty("judge", lambda said, body: reply)
    async with clinic(tmp_path / "a", script, language=language, setting="zero_turn") as run:
        held = await run.hold()
        await run.hold()
        assert len(run.asked("judge")) == 2
    grades = held.mark.grades.values()
    # What the record has no reference for is unscored anyway, and this record has all.
    assert {grade.grade for grade in grades} == {None}
    assert all(reason in (grade.reason or "") for grade in grades)
    assert held.repairs("judge") == {"asked_again": 1}
    assert held.progress.all_marked
    assert {mean.coverage for mean in held.board.rows[0].marks.values()} == {0}
    script = Faulty("judge", lambda said, body: reply, times=1)
    async with clinic(tmp_path / "b", script, language=language, setting="zero_turn") as run:
        held = await run.hold()
    assert {grade.grade for grade in held.mark.grades.values()} == {"B"}
    assert held.repairs("judge") == {"asked_again": 1}


CUT = "Symptoms\nGood.\nGrade: B\n\nExaminations\nMost of wh"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_22_a_cut_analysis_is_asked_for_with_a_larger_limit(
    tmp_path: Path, language: Language
) -> None:
    cut = completion(CUT, finish_reason="length")
    script = Faulty("judge", lambda said, body: cut, times=1)
    async with clinic(tmp_path / "a", script, language=language, setting="zero_turn") as run:
        held = await run.hold()
        first, second = run.asked("judge")
    assert first["messages"] == second["messages"]
    assert "max_tokens" not in first
    assert second["max_tokens"] > 4096
    assert {grade.grade for grade in held.mark.grades.values()} == {"B"}
    script = Faulty("judge", lambda said, body: cut)
    async with clinic(tmp_path / "b", script, language=language, setting="zero_turn") as run:
        held = await run.hold()
        await run.hold()
        assert len(run.asked("judge")) == 2
    grades = {d: grade.grade for d, grade in held.mark.grades.items()}
    assert grades == dict.fromkeys(DIMENSIONS) | {"symptoms": "B"}
    assert "cut" in (held.mark.grades["treatment"].reason or "")
    assert held.progress.all_marked


async def test_row_22_a_larger_limit_that_is_refused_leaves_what_was_read(tmp_path: Path) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if "max_tokens" in body or "max_completion_tokens" in body:
            return error(400, "max_tokens is too large: this model takes at most 4096")
        return completion(CUT, finish_reason="length")

    async with clinic(tmp_path, Faulty("judge", how), setting="zero_turn") as run:
        held = await run.hold()
    assert held.mark.grades["symptoms"].grade == "B"
    assert held.progress.all_marked


async def test_row_22_a_cut_ruling_of_a_moderator_too(tmp_path: Path) -> None:
    cut = completion('{"agreement": tr', finish_reason="length")
    script = Faulty("moderator", lambda said, body: cut, times=1)
    async with clinic(tmp_path / "a", script) as run:
        held = await run.hold()
        first, second = run.asked("moderator")[:2]
    assert first["messages"] == second["messages"]
    assert second["max_tokens"] > 4096
    assert held.essence == await faultless(tmp_path, role="moderator")
    async with clinic(tmp_path / "b", Faulty("moderator", lambda said, body: cut)) as run:
        held = await run.hold()
        assert len(run.asked("moderator")) == 2
    assert (held.visit.ending, held.marks) == (Ending.MODERATOR_FAILED, ())
