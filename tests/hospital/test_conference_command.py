"""Conferences from the command line: settings, reuse, faults, what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hospital.command_line import run
from records.ledger import Ledger
from records.library import bundled_records
from records.readers import write_records

PAIR = "conference(checklist, checklist(questions=1))"
LONG = "conference(checklist, checklist(questions=1), checklist(department=Cardiology))"


@pytest.fixture
def case(tmp_path: Path) -> str:
    path = tmp_path / "case.jsonl"
    write_records([r for r in bundled_records() if r.language == "en"][:1], path)
    return str(path)


def bench(case: str, out: Path, *options: str) -> int:
    return run(["bench", "--cases", case, "--out", str(out), *options])


def visits(out: Path) -> list[dict[str, Any]]:
    """The run's visits without times, by key."""
    values = [v.model_dump(mode="json") for v in Ledger(out).visits().values()]
    for value in values:
        value.pop("seconds")
        for participant in (value["conference"] or {"participants": []})["participants"]:
            participant["consultation"].pop("seconds")
    return sorted(values, key=lambda value: str(value["key"]))


def test_each_doctor_is_held_in_its_own_settings(case: str, tmp_path: Path) -> None:
    out = tmp_path / "r"
    assert bench(case, out, "--doctor", "checklist", "--doctor", PAIR) == 0
    held = {(v.doctor, v.setting) for v in Ledger(out).visits().values()}
    assert held == {
        ("checklist", "interaction"),
        ("checklist", "one_step"),
        ("checklist", "zero_turn"),
        (PAIR, "conference"),
    }


def test_a_spec_is_the_same_however_it_is_typed(case: str, tmp_path: Path) -> None:
    typed = "conference( checklist,checklist(questions=1) ; rounds=4)"
    out = tmp_path / "r"
    assert bench(case, out, "--doctor", PAIR) == 0
    assert bench(case, out, "--doctor", typed) == 0
    assert [v.doctor for v in Ledger(out).visits().values()] == [PAIR]


def test_two_runs_are_equal_and_a_members_own_visit_is_its_consultation(
    case: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    options = ("--doctor", "checklist", "--doctor", PAIR, "--setting", "interaction")
    assert bench(case, first, *options) == bench(case, second, *options) == 0
    assert visits(first) == visits(second)
    own = next(v for v in Ledger(first).visits().values() if v.setting == "interaction")
    met = next(v for v in Ledger(first).visits().values() if v.conference is not None)
    assert met.conference is not None
    consultation = met.conference.participants[0].consultation
    assert consultation is not None
    assert (consultation.key, consultation.messages) == (own.key, own.messages)
    assert met.cost == 0.0


def test_consultations_are_taken_from_another_run(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, out = tmp_path / "before", tmp_path / "r"
    assert bench(case, before, "--doctor", "checklist", "--setting", "interaction") == 0
    capsys.readouterr()
    assert bench(case, out, "--doctor", PAIR, "--from", str(before)) == 0
    assert "1 consultations are taken" in capsys.readouterr().err
    (visit,) = Ledger(out).visits().values()
    assert visit.conference is not None
    taken = [p.consultation.taken_from for p in visit.conference.participants if p.consultation]
    assert taken == ["before", None]


@pytest.mark.parametrize(
    ("there", "here", "says"),
    [
        (("--doctor", "checklist", "--seed", "3"), (), "seed is 3 there and 0 here"),
        (("--doctor", "checklist(questions=4)"), (), "finished and of checklist, checklist(quest"),
    ],
)
def test_a_run_that_holds_none_of_them_is_refused(
    case: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    there: tuple[str, ...],
    here: tuple[str, ...],
    says: str,
) -> None:
    before, out = tmp_path / "before", tmp_path / "r"
    assert bench(case, before, "--setting", "interaction", *there) == 0
    capsys.readouterr()
    assert bench(case, out, "--doctor", PAIR, "--from", str(before), *here) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--doctor", "conference(checklist)"), "2 to 8 doctors, not 1"),
        (("--doctor", "conference(checklist, nobody)"), "no doctor 'nobody'"),
        (("--doctor", PAIR, "--setting", "one_step"), "whose only setting is conference"),
        (("--doctor", "checklist", "--setting", "conference"), "there is none"),
        (("--doctor", "checklist", "--from", "runs/x"), "only a conference reuses"),
        (("--doctor", "checklist(department=Magic)"), "no department 'Magic'"),
    ],
)
def test_bad_input_is_named(
    case: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    says: str,
) -> None:
    assert bench(case, tmp_path / "r", *options) == 2
    told = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert says in told
    assert "Traceback" not in told
    assert not (tmp_path / "r").exists()


def test_what_happened_is_printed(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r"
    odd = "conference(checklist, checklist(department=Dermatology); rounds=2)"
    assert bench(case, out, "--doctor", odd) == 0
    printed = capsys.readouterr().out
    assert "Conferences" in printed
    assert "flips" in printed
    (visit,) = Ledger(out).visits().values()
    assert visit.conference is not None
    assert run(["show", str(out), visit.key]) == 0
    shown = capsys.readouterr().out
    for words in (
        "strategy   discuss",
        f"rounds     {visit.conference.rounds_held} of 2",
        "doctor_2   checklist(department=Dermatology)",
        "Facts as merged",
        "Revision on the merged facts",
        "Round 1",
        "held by doctor 1, not by doctor 2",
    ):
        assert words in shown
    assert run(["leaderboard", str(out), "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)["conferences"]
    assert (figures["doctor"], figures["conferences"]) == (odd, 1)


def test_runs_without_conferences_say_nothing_of_them(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(case, tmp_path / "r", "--setting", "zero_turn", "--json") == 0
    assert "conferences" not in json.loads(capsys.readouterr().out)


def test_a_conference_alone_is_not_sent_to_more_settings(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(case, tmp_path / "a", "--doctor", LONG) == 0
    told = " ".join(capsys.readouterr().out.split())
    below = told.partition("before the conference.")[2]
    assert f"is {LONG}" in below
    assert run(["compare", str(tmp_path / "a"), "--setting", "all"]) == 2
    error = capsys.readouterr().err
    assert "another doctor" in error
    assert "--setting all" not in error
