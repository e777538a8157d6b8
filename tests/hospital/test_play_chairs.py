"""Other chairs than the doctor's, models that give out, and people in a run's tables."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from hospital.command_line import run
from hospital.play.appointing import go_on
from hospital.play.second_opinion import mark_visit
from records.errors import InputError
from records.ledger import Ledger
from records.visit import PATIENT
from tests.paper import Paper
from tests.person import REPORT, appointed, attended, bundled, only_visit
from tests.scripted_endpoint import Answer, ScriptedEndpoint, error
from tests.scripted_hospital import play

GRADES = ("b", "", "A", "as I see it", "x", "c", "", "-", "Ｄ", "")
"""Symptoms to treatment; x is asked again, and a Chinese keyboard types a wide D."""


@pytest.mark.parametrize("case", ["en-002", "zh-001"])
async def test_the_chief_physician_s_letters_beside_the_judge_s(tmp_path: Path, case: str) -> None:
    paper = Paper(GRADES)
    assert await attended(appointed(tmp_path, case, chair="chief"), paper)
    record, visit = bundled(case), only_visit(tmp_path)
    assert record.treatment is not None
    assert record.treatment.splitlines()[0][:40] in paper.text.replace("\n", " ")
    # The report is read part by part, not twice.
    assert visit.report is not None
    assert visit.report.raw.splitlines()[0] not in paper.text
    own, judge = Ledger(tmp_path).marks()
    assert (own.judge, judge.judge) == ("human:anna", "rubric")
    given = {part: grade.grade for part, grade in own.grades.items()}
    assert list(given.values()) == ["B", "A", "C", None, "D"]
    assert own.grades["examinations"].analysis == "as I see it"
    apart = [
        abs(ord(first) - ord(judge.grades[part].grade or ""))
        for part, first in given.items()
        if first
    ]
    told = (
        f"4 项中 {apart.count(0)} 项评级相同，{apart.count(1)} 项相差一级"
        if case.startswith("zh")
        else f"The same letter in {apart.count(0)} of 4, one letter apart in {apart.count(1)}."
    )
    assert told in paper.text
    assert "human:anna | rubric" in paper.text
    assert visit.human is not None
    assert visit.human.role == "chief_physician"


async def test_a_chief_physician_who_leaves_has_the_visit_marked_later(tmp_path: Path) -> None:
    appointment = appointed(tmp_path, chair="chief")
    assert not await attended(appointment, Paper(["b", "why"]))
    assert not Ledger(tmp_path).visits()
    assert await attended(go_on(tmp_path), Paper(GRADES))
    assert [mark.judge for mark in Ledger(tmp_path).marks()] == ["human:anna", "rubric"]


def test_a_second_opinion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "run")
    assert run(["bench", "--out", out, "--limit", "1", "--setting", "interaction"]) == 0
    (visit,) = Ledger(Path(out)).visits().values()
    paper = Paper(GRADES)
    mark_visit(f"{out}/{visit.key[:6]}", "bo", paper)
    assert "human:bo | rubric" in paper.text
    assert "4 项中" in paper.text
    for where, told in (
        (f"{out}/xyz", "no visit's key begins so"),
        (f"{out}/", "1 visits' keys begin so"),
        (f"{out}/{visit.key}0", "no visit's key begins so"),
    ):
        with pytest.raises(InputError, match=told):
            mark_visit(where, "bo", Paper())
    capsys.readouterr()
    # People judge as models do: by name.
    assert run(["leaderboard", out, "--judge", "human:bo", "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert board["judge"] == "human:bo"
    assert board["judges"] == ["rubric", "human:bo"]
    assert run(["leaderboard", out, "--judge", "human:nobody"]) == 2
    assert run(["mark", out, "--judge", "human:bo"]) == 2
    assert "Traceback" not in capsys.readouterr().err


async def test_the_examiner_s_words_are_read_for_results(tmp_path: Path) -> None:
    appointment = appointed(tmp_path, chair="examiner", doctor="checklist")
    words = ["/card", "/end", "/undo", "/suggest", "D-dimer: 3450 ug/L", "No result."]
    paper = Paper([*words, *["No result."] * 20])
    assert await attended(appointment, paper)
    assert "Heart rate: 114 beats/min (reference 60-100)" in paper.text
    assert "There is no command /end" in paper.text
    assert "There is nothing to take back." in paper.text
    visit = only_visit(tmp_path)
    first = next(m for m in visit.messages if m.role == "examiner")
    assert first.examinations == ("e5",)
    assert visit.npc == "examiner=human:anna+grounded"


async def test_the_patient_is_not_shown_what_is_the_doctor_s(tmp_path: Path) -> None:
    paper = Paper(["/help", "I cannot breathe.", "Three days.", "/end"])
    assert await attended(appointed(tmp_path, chair="patient"), paper)
    before, _, after = paper.text.partition("Marks by rubric")
    assert after
    # Neither how a report is to be written, nor how the offline doctors did.
    assert "Chief physician:" not in before
    assert "Others on this case" not in paper.text
    visit = only_visit(tmp_path)
    assert [m.text for m in visit.messages if m.role == PATIENT][-1].startswith("Thank you")
    assert visit.ending == "diagnosis_given"


async def test_a_model_patient_that_gives_out_leaves_a_visit_to_go_on_with(tmp_path: Path) -> None:
    gone = False

    def script(body: dict[str, object]) -> Answer:
        return error(401, "Your key has expired.") if gone else play(body)

    def expire(_: Paper) -> str:
        nonlocal gone
        gone = True
        return "Do you smoke?"

    async with ScriptedEndpoint(script) as endpoint:
        appointment = appointed(tmp_path, npc=endpoint.spec())
        paper = Paper(["Any fever?", expire, "never asked"])
        assert not await attended(appointment, paper)
        assert "no answer came (" in paper.text
        assert "Your key has expired." in paper.text
        assert "never asked" not in paper.text
        assert not Ledger(tmp_path).visits()
        gone = False
        paper = Paper(["/report", *REPORT])
        assert await attended(go_on(tmp_path), paper)
        # What was asked stands, and is answered now.
        assert paper.text.count("Do you smoke?") == 1
    visit = only_visit(tmp_path)
    said = [m.text for m in visit.messages if m.role == PATIENT]
    assert said[1:] == ["For some days."] * 2


async def test_who_leaves_while_a_model_is_thinking_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hospital.play.live.QUIET", 0.0)
    asked, answers = asyncio.Event(), asyncio.Event()

    async def script(body: dict[str, object]) -> Answer:
        if not answers.is_set() and "Do you smoke?" in json.dumps(body):
            asked.set()
            await answers.wait()
        return play(body)

    async with ScriptedEndpoint(script) as endpoint:
        appointment = appointed(tmp_path, npc=endpoint.spec())
        paper = Paper(["Any fever?", "Do you smoke?"])
        visit = asyncio.create_task(attended(appointment, paper))
        await asked.wait()
        visit.cancel()
        with pytest.raises(asyncio.CancelledError):
            await visit
        assert "(no answer yet; Ctrl-C leaves" in paper.text
        answers.set()
        paper = Paper(["/report", *REPORT])
        assert await attended(go_on(tmp_path), paper)
        assert paper.text.count("For some days.") == 3


async def test_a_judge_that_fails_costs_no_visit(tmp_path: Path) -> None:
    def script(body: dict[str, object]) -> Answer:
        return error(401, "Your key has expired.")

    async with ScriptedEndpoint(script) as endpoint:
        judge = endpoint.spec("judge")
        paper = Paper(["/report", *REPORT])
        assert await attended(appointed(tmp_path, judge=judge), paper)
    assert only_visit(tmp_path).ending == "diagnosis_given"
    assert not Ledger(tmp_path).marks()
    assert "did not mark the visit (" in paper.text
    assert f"hospital mark {tmp_path} --judge " in paper.text
    assert judge in paper.text
    # What the rules tell is told all the same.
    assert "What was missed" in paper.text


async def test_a_model_judges(tmp_path: Path) -> None:
    async with ScriptedEndpoint(play) as endpoint:
        judge = endpoint.spec("judge")
        paper = Paper(["/report", *REPORT])
        assert await attended(appointed(tmp_path, judge=judge), paper)
    (mark,) = Ledger(tmp_path).marks()
    assert mark.judge == judge
    assert {grade.grade for grade in mark.grades.values()} == {"B"}
    assert f"Marks by {judge}" in paper.text
    assert Ledger(tmp_path).config().judges == (judge,)


def test_a_leaderboard_of_people_and_agents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    hinted = ["/hint", "/hint", "Any fever?", "/undo", "Any pain?", "/report", *REPORT]
    for wishes, lines in (
        ({}, hinted),
        ({"exam": True}, ["/report", *REPORT]),
        ({"name": "bo"}, ["/report", *REPORT]),
        ({"chair": "chief", "name": "cy"}, list(GRADES)),
    ):
        assert asyncio.run(attended(appointed(out, **wishes), Paper(lines)))
    capsys.readouterr()
    assert run(["leaderboard", str(out), "--judge", "rubric"]) == 0
    told = capsys.readouterr().out
    agents, _, people = told.partition("\nPeople\n")
    assert "human:" not in agents
    assert "checklist" in agents
    tables = people.partition("checklist, interaction")[0]
    assert "human:anna" in tables
    assert "human:bo" in tables
    assert "checklist" not in tables
    joined = " ".join(told.split())
    assert (
        "human:anna, interaction: 2 visits, 1 as an examination; hints 2, turns taken back 1"
        in joined
    )
    assert "human:bo, interaction: 1 visit; hints 0, turns taken back 0" in joined
    assert "checklist, interaction with a person as chief physician: 1 visit;" in joined
    # A legend is read once.
    assert told.count("Marks by rubric") == 1
    assert run(["leaderboard", str(out), "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert {(p["doctor"], p["hints"], p["undos"], p["exams"]) for p in board["people"]} == {
        ("human:anna", 2, 1, 1),
        ("human:bo", 0, 0, 0),
        ("checklist", 0, 0, 0),
    }
    (hinted_visit,) = [
        v.key for v in Ledger(out).visits().values() if v.human is not None and v.human.hints
    ]
    assert run(["show", str(out), hinted_visit]) == 0
    assert "person   doctor, hints 2, turns taken back 1" in capsys.readouterr().out
