"""Marking a run from the command line: what is owed, again, with other judges and other tables."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents.errors import SeatError
from agents.npc import Judge, Opinion
from evaluation.linking import Linking
from hospital.command_line import run
from hospital.mark_run import MarkProgress, mark_run
from records.ledger import Ledger, LedgerWriter
from records.mark import DIMENSIONS, Grade, Mark
from records.views import MarkingView
from records.visit import Ending, Report
from tests.hospital.test_import_command import serving
from tests.records.published_logs import write_logs

Captured = pytest.CaptureFixture[str]
GRADES = {dimension: {"analysis": "…", "grade": "B"} for dimension in DIMENSIONS}
TABLE = "code,name\nM17.900,膝骨关节炎\nM17.901,膝关节病\nI10.x00,高血压病\nI10.x01,高血压\n"


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    out = tmp_path / "run"
    assert run(["import", "mvme", str(write_logs(tmp_path / "logs")), "--out", str(out)]) == 0
    return out


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def marks(out: Path, judge: str) -> list[Mark]:
    return [mark for mark in Ledger(out).marks() if mark.judge == judge]


def test_only_what_is_owed_is_marked_and_visits_are_not_touched(
    imported: Path, capsys: Captured
) -> None:
    before = (imported / "visits.jsonl").read_bytes()
    assert run(["mark", str(imported)]) == 0
    once = Ledger(imported).marks()

    assert Counter(mark.judge for mark in once) == {"gpt-4 (published)": 2, "rubric": 8}
    assert run(["mark", str(imported)]) == 0
    assert Ledger(imported).marks() == once
    assert "0 marks made by gpt-4 (published), rubric; 10 were there" in capsys.readouterr().out
    assert (imported / "visits.jsonl").read_bytes() == before
    assert Ledger(imported).config().judges == ("gpt-4 (published)", "rubric")


def test_with_another_table_grades_stand_and_diseases_are_linked_anew(
    imported: Path, table: str, capsys: Captured
) -> None:
    assert run(["mark", str(imported)]) == 0
    assert run(["mark", str(imported), "--icd-table", table]) == 0

    for judge, count in (("gpt-4 (published)", 2), ("rubric", 8)):
        old, new = marks(imported, judge)[:count], marks(imported, judge)[count:]
        assert [m.grades for m in sorted(new, key=lambda m: m.visit_key)] == [
            m.grades for m in sorted(old, key=lambda m: m.visit_key)
        ]
        assert {m.version for m in new} == {1}
        (hash_,) = {m.terminology for m in new}
        assert hash_ not in {m.terminology for m in old}
        assert all(m.diseases_published is not None for m in new)
    assert "10 of them with grades that stood" in capsys.readouterr().out


def test_the_preset_makes_what_the_preset_of_the_leaderboard_needs(
    imported: Path, table: str, capsys: Captured
) -> None:
    assert run(["leaderboard", str(imported), "--preset", "mvme-2024"]) == 2
    assert "hospital mark" in capsys.readouterr().err
    assert run(["mark", str(imported), "--preset", "mvme-2024", "--icd-table", table]) == 0
    assert {m.convention for m in marks(imported, "rubric")} == {"published"}
    capsys.readouterr()
    assert run(["leaderboard", str(imported), "--preset", "mvme-2024", "--json"]) == 0
    board = json.loads(capsys.readouterr().out)

    assert (board["judge"], board["matching"]) == ("rubric", "published")
    rows = {(row["doctor"], row["setting"]): row["diseases"] for row in board["rows"]}
    assert rows["gpt-4 (published)", "one_step"]["f1"] == pytest.approx(100)
    assert rows["gpt-4 (published)", "one_step"]["predicted_mean"] == pytest.approx(2)


def test_again_makes_new_versions_beside_the_old_ones(imported: Path) -> None:
    for _ in range(3):
        assert run(["mark", str(imported), "--judge", "rubric", "--again"]) == 0

    assert Counter(m.version for m in marks(imported, "rubric")) == {1: 8, 2: 8, 3: 8}


def test_a_model_grades_the_parts_alone_and_is_asked_once_a_report(imported: Path) -> None:
    asked: list[str] = []

    def script(body: dict[str, Any]) -> str:
        asked.append(body["messages"][-1]["content"])
        return json.dumps(GRADES)

    with serving(script) as endpoint:
        spec = endpoint.spec("judge")
        assert run(["mark", str(imported), "--judge", spec, "--judge", "rubric"]) == 0
        assert len(asked) == 7  # the eighth visit's doctor declined
        assert run(["mark", str(imported), "--judge", spec]) == 0
        assert len(asked) == 7
        assert run(["mark", str(imported), "--judge", spec, "--again"]) == 0
        assert len(asked) == 14
    assert not any("gpt" in prompt.lower() or "published" in prompt for prompt in asked)
    made = marks(imported, spec)
    assert Counter(m.version for m in made) == {1: 8, 2: 8}
    graded = next(m for m in made if m.raw and len(m.grades) == 5)
    assert graded.raw == json.dumps(GRADES)
    assert graded.usage is not None
    assert graded.usage.calls == 1
    assert graded.prompts_hash
    assert len(marks(imported, "rubric")) == 8


def test_what_a_model_was_paid_for_is_not_asked_again_after_a_kill(imported: Path) -> None:
    with serving(lambda body: json.dumps(GRADES)) as endpoint:
        spec = endpoint.spec("judge")
        assert run(["mark", str(imported), "--judge", spec]) == 0
        made = marks(imported, spec)
        path = imported / "marks.jsonl"
        kept = path.read_text(encoding="utf-8").splitlines(keepends=True)[:3]
        path.write_text("".join(kept) + '{"torn', encoding="utf-8")
        asked = len(endpoint.requests)
        assert run(["mark", str(imported), "--judge", spec]) == 0
        assert len(endpoint.requests) == asked
    again = marks(imported, spec)
    assert {m.visit_key: m.grades for m in again} == {m.visit_key: m.grades for m in made}


def test_marks_by_older_rules_are_owed_again(
    imported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "agents.offline.rubric.RubricChiefPhysician.version"
    monkeypatch.setattr(rules, "1")
    assert run(["mark", str(imported), "--judge", "rubric"]) == 0
    monkeypatch.setattr(rules, "2")
    for _ in range(2):
        assert run(["mark", str(imported), "--judge", "rubric"]) == 0

    found = marks(imported, "rubric")
    assert Counter((m.judge_version, m.version) for m in found) == {("1", 1): 8, ("2", 2): 8}


def test_a_judge_that_fails_leaves_its_marks_owed(
    imported: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["no", "no"])

    class Moody:
        name = "moody"

        async def judge(self, view: MarkingView, report: Report) -> Opinion:
            if next(answers, None):
                raise SeatError("provider", Ending.INFRASTRUCTURE, "no answer")
            return Opinion(grades={d: Grade(grade="B") for d in DIMENSIONS})

    monkeypatch.setattr("agents.seats.Seats.judge", lambda self, spec, version=1: Moody())
    assert run(["mark", str(imported), "--judge", "rubric"]) == 3
    told = capsys.readouterr().err
    assert "2 still owed: rubric: no answer" in told
    assert "To go on" in told
    assert run(["mark", str(imported), "--judge", "rubric"]) == 0


async def test_a_second_grading_that_was_stopped_goes_on(imported: Path) -> None:
    class Counting:
        name = "counting"
        graded = 0
        limit = 99

        async def judge(self, view: MarkingView, report: Report) -> Opinion:
            if self.graded == self.limit:
                raise OSError("no space left")
            self.graded += 1
            return Opinion(grades={d: Grade(grade="B") for d in DIMENSIONS})

    class Seats:
        def judge(self, spec: str, version: int = 1) -> Judge:
            return judge

    judge = Counting()
    linking = Linking.of(convention="strict")

    async def marked(*, again: bool) -> MarkProgress:
        with LedgerWriter(imported, Ledger(imported).config(), ()) as ledger:
            seats: Any = Seats()
            return await mark_run(
                ledger, seats, linking, {"counting": "asked"}, again=again, concurrency=1
            )

    await marked(again=False)
    assert (judge.graded, len(marks(imported, "counting"))) == (7, 8)
    judge.limit = judge.graded + 3
    with pytest.raises(OSError, match="no space left"):
        await marked(again=True)
    judge.limit = 99
    assert (await marked(again=True)).complete
    assert judge.graded == 14
    assert Counter(m.version for m in marks(imported, "counting")) == {1: 8, 2: 8}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--judge", "nobody"], "no judge 'nobody'"),
        (["--judge", "someone (published)"], "there are: gpt-4 (published)"),
        (["--judge", "gpt-4 (published)", "--again"], "cannot be asked again"),
        (["--preset", "mvme-2024", "--convention", "strict"], "leave one of the two options out"),
        (["--icd-table", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line_and_nothing_is_written(
    imported: Path, capsys: Captured, options: list[str], told: str
) -> None:
    before = (imported / "marks.jsonl").read_bytes()

    assert run(["mark", str(imported), *options]) == 2
    assert told in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert (imported / "marks.jsonl").read_bytes() == before


def test_what_is_no_run_is_not_marked(tmp_path: Path, capsys: Captured) -> None:
    assert run(["mark", str(tmp_path)]) == 2
    assert "no run here" in capsys.readouterr().err


def test_a_run_of_ones_own_is_marked_by_its_judges_and_bench_goes_on_with_it(
    tmp_path: Path, table: str
) -> None:
    bench = ["bench", "--limit", "2", "--setting", "one_step", "--out", str(tmp_path / "run")]
    assert run(bench) == 0
    assert run(["mark", str(tmp_path / "run"), "--icd-table", table]) == 0
    found = marks(tmp_path / "run", "rubric")

    assert len({m.terminology for m in found}) == 2
    assert len(found) == 4
    assert run(bench) == 0
    assert len(marks(tmp_path / "run", "rubric")) == 4


def test_bench_takes_the_preset(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "run"
    bench = ["bench", "--limit", "1", "--setting", "one_step", "--out", str(out)]

    assert run([*bench, "--preset", "mvme-2024", "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert (board["convention"], board["matching"]) == ("published", "published")
    shared = Ledger(out).config().shared
    assert (shared.protocol, shared.unrecorded, shared.max_turns) == ("carried", "normal", 10)
    assert run([*bench, "--preset", "mvme-2024", "--unrecorded", "unavailable"]) == 2
    assert run([*bench, "--preset", "mvme-2023"]) == 2
