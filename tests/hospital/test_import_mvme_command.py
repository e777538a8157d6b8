"""Published logs from the command line: in as a run, marked, summed up, shown, never held again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hospital.command_line import run
from records.ledger import Ledger
from tests.records.published_logs import conferred, write_lines, write_logs

Captured = pytest.CaptureFixture[str]
PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"


def imported(tmp_path: Path) -> Path:
    out = tmp_path / "run"
    assert run(["import", "mvme", str(write_logs(tmp_path / "logs")), "--out", str(out)]) == 0
    return out


def test_a_directory_of_logs_becomes_an_ordinary_run(tmp_path: Path, capsys: Captured) -> None:
    ledger = Ledger(imported(tmp_path))

    assert len(ledger.visits()) == 8
    assert set(ledger.records()) == {"7", "8"}
    assert ledger.config().judges == ("gpt-4 (published)",)
    first, second = ledger.marks()
    assert first.judge == "gpt-4 (published)"
    assert list(first.grades) == ["diagnosis", "rationale", "treatment"]
    assert [link.name for link in first.diseases.predicted] == ["膝骨关节炎", "高血压病"]
    assert len(first.diseases.hits) == 2
    assert second.grades["treatment"].grade is None
    told = capsys.readouterr().out
    assert "8 visits of 2 cases (2 rebuilt)" in told
    assert "2 one-step visits of gpt-4 (published)" in told
    assert "2 marks by gpt-4 (published)" in told


def test_leaderboard_show_and_compare_work_on_it(tmp_path: Path, capsys: Captured) -> None:
    out = imported(tmp_path)
    capsys.readouterr()

    assert run(["leaderboard", str(out), "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    one_step = next(row for row in board["rows"] if row["setting"] == "one_step")
    assert one_step["marks"]["diagnosis"]["mean"] == pytest.approx(100)
    assert one_step["marks"]["treatment"]["coverage"] == pytest.approx(0.5)
    assert one_step["marks"]["symptoms"]["mean"] is None
    key = next(v.key for v in Ledger(out).visits().values() if v.setting == "one_step")
    assert run(["show", str(out), key]) == 0
    shown = capsys.readouterr().out
    assert "Marks by gpt-4 (published)" in shown
    assert "Diagnosis  A" in shown
    assert "Symptoms   " not in shown
    assert run(["show", str(out)]) == 0
    assert "doctor_declined" in capsys.readouterr().out
    assert run(["mark", str(out)]) == 0
    assert run(["compare", str(out)]) == 0
    assert "qwen-max (published)" in capsys.readouterr().out


def test_its_visits_are_not_held_again(tmp_path: Path, capsys: Captured) -> None:
    out = imported(tmp_path)
    before = (out / "visits.jsonl").read_bytes()

    assert run(["bench", "--limit", "1", "--out", str(out)]) == 2
    assert "imported from published logs" in capsys.readouterr().err
    assert (out / "visits.jsonl").read_bytes() == before


def test_a_run_is_not_written_over(tmp_path: Path, capsys: Captured) -> None:
    out = imported(tmp_path)
    logs = tmp_path / "logs"
    (tmp_path / "file").touch()
    for target, told in ((out, "is a run already"), (logs, "holds the published files")):
        assert run(["import", "mvme", str(logs), "--out", str(target)]) == 2
        assert told in capsys.readouterr().err
    assert run(["import", "mvme", str(logs), "--out", str(tmp_path / "file")]) == 2
    assert "is a file" in capsys.readouterr().err


def test_an_import_that_was_cut_off_is_no_run_and_is_made_again(
    tmp_path: Path, capsys: Captured
) -> None:
    out = imported(tmp_path)
    (out / "config.json").unlink()
    (out / "visits.jsonl").write_text("{", encoding="utf-8")

    assert run(["leaderboard", str(out)]) == 2
    assert run(["import", "mvme", str(tmp_path / "logs"), "--out", str(out)]) == 0
    assert len(Ledger(out).visits()) == 8


def test_what_is_left_out_is_told(tmp_path: Path, capsys: Captured) -> None:
    logs = write_logs(tmp_path / "logs")
    write_lines(logs / "doctors_3_discussion_history.jsonl", conferred(9, 1), conferred(7, 1))

    assert run(["import", "mvme", str(logs), "--out", str(tmp_path / "run")]) == 0
    assert "1 logs left out, of patients without a reference: 9" in capsys.readouterr().err


def test_logs_without_any_case_are_refused(tmp_path: Path, capsys: Captured) -> None:
    write_lines(tmp_path / "doctors_2_discussion_history.jsonl", conferred(7, 1))

    assert run(["import", "mvme", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    assert "no log has a case" in capsys.readouterr().err


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published logs are not here")
def test_the_published_judgements_give_the_published_means(
    tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "logs").mkdir()
    for path in PUBLISHED.glob("evaluation_*.jsonl"):
        (tmp_path / "logs" / path.name).write_bytes(path.read_bytes())
    out = str(tmp_path / "run")
    assert run(["import", "mvme", str(tmp_path / "logs"), "--out", out]) == 0
    boards = {}
    for convention in ("published", "strict"):
        capsys.readouterr()
        assert run(["leaderboard", out, "--convention", convention, "--json"]) == 0
        boards[convention] = json.loads(capsys.readouterr().out)["rows"][0]["marks"]

    means = {"diagnosis": 58.893, "rationale": 66.601, "treatment": 53.162}
    widths = {"diagnosis": 1.65, "rationale": 1.32, "treatment": 1.84}
    for dimension, mean in means.items():
        assert boards["published"][dimension]["mean"] == pytest.approx(mean, abs=0.02)
        half = boards["published"][dimension]["half_width"]
        assert half == pytest.approx(widths[dimension], abs=0.1)
    assert boards["strict"]["treatment"]["mean"] == pytest.approx(53.6, abs=0.05)
    assert boards["strict"]["treatment"]["coverage"] == pytest.approx(502 / 506)
