from __future__ import annotations

import json
from pathlib import Path

import pytest

from hospital.command_line import run
from records.ledger import Ledger
from tests.scripted_endpoint import ScriptedEndpoint

DIMENSIONS = ("symptoms", "examinations", "diagnosis", "rationale", "treatment")


def grades(letter: str) -> str:
    return json.dumps({d: {"analysis": "seen", "grade": letter} for d in DIMENSIONS})


def audit(out: Path, *arguments: str) -> int:
    return run(["audit", "judge", "--out", str(out), "--limit", "2", *arguments])


def test_the_rubric_is_tried_and_the_marks_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit(tmp_path / "a") == 0
    told = capsys.readouterr().out
    assert "Audit of rubric, version" in told
    assert "4 cases" in told
    for name in ("faithful", "padded", "another's", "wrong disease", "contraindicated"):
        assert name in told
    marks = Ledger(tmp_path / "a").marks()
    assert audit(tmp_path / "a", "--json") == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert figures["judge"] == "rubric"
    assert Ledger(tmp_path / "a").marks() == marks
    assert run(["leaderboard", str(tmp_path / "a")]) == 0
    assert "wrong_disease" in capsys.readouterr().out


def test_a_table_fits_a_narrow_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert audit(tmp_path / "a") == 0
    assert all(len(line) <= 80 for line in capsys.readouterr().out.splitlines())


async def test_a_model_is_asked_once_for_each_report_and_twice_for_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    async with ScriptedEndpoint(lambda body: grades("B")) as endpoint:
        spec = endpoint.spec("judge")
        code = await asyncio.to_thread(audit, tmp_path / "a", "--judge", spec, "--json")
        (figures,) = json.loads(capsys.readouterr().out)
        asked = len(endpoint.requests)
        marks = Ledger(tmp_path / "a").marks()
        assert (code, asked) == (0, len(marks))
        again = [row for row in figures["rows"] if row["kind"] == "again"]
        assert again[0]["findings"]["symptoms"]["share"] == 1.0
        # The same again owes nothing and pays nothing.
        await asyncio.to_thread(audit, tmp_path / "a", "--judge", spec, "--json")
        assert len(endpoint.requests) == asked


async def test_what_failed_is_owed_and_asked_for_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    answers = {"text": ""}
    async with ScriptedEndpoint(lambda body: answers["text"]) as endpoint:
        spec = endpoint.spec("judge")
        code = await asyncio.to_thread(audit, tmp_path / "a", "--judge", spec)
        assert code == 3
        assert "still owed" in " ".join(capsys.readouterr().err.split())
        answers["text"] = grades("A")
        assert await asyncio.to_thread(audit, tmp_path / "a", "--judge", spec) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--judge", "rubrik"), "did you mean rubric"),
        (("--cases", "nowhere.jsonl"), "nowhere.jsonl"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    assert audit(tmp_path / "a", *arguments) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said


def test_another_directory_for_other_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit(tmp_path / "a") == 0
    assert audit(tmp_path / "a", "--seed", "7") == 2
    assert "seed is 0 there and 7 here" in capsys.readouterr().err


def test_a_panel_of_two_judges_on_a_leaderboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "a"
    assert audit(directory) == 0
    path = directory / "marks.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    others = [json.loads(line) | {"judge": "http://h/v1#qwen-max"} for line in lines]
    text = "".join(f"{json.dumps(other, ensure_ascii=False)}\n" for other in others)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
    capsys.readouterr()
    assert run(["leaderboard", str(directory)]) == 0
    assert "--judge panel takes the median of all" in " ".join(capsys.readouterr().out.split())
    assert run(["leaderboard", str(directory), "--judge", "panel"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "median of all" not in told
    assert "Panel of 2: (1) rubric, (2) http://h/v1#qwen-max" in told
    assert "100% within one grade" in told
    assert run(["leaderboard", str(directory), "--judge", "panel", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["panel"]["judges"] == ["rubric", "http://h/v1#qwen-max"]
    assert figures["judge"] == "panel(rubric, http://h/v1#qwen-max)"
