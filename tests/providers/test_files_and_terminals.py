"""The last paragraph of the table of providers: what files and terminals really hold and show."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hospital.command_line import run
from records.ledger import Ledger, LedgerWriter
from records.library import bundled_records
from records.medical_record import Language
from records.readers import write_records
from tests.records.published_logs import write_logs

Captured = pytest.CaptureFixture[str]


def bench(directory: Path, *options: str, language: Language = "zh", number: int = 3) -> int:
    """An offline run of a few bundled cases, in `directory`."""
    cases = directory.parent / f"{language}{number}.jsonl"
    write_records([r for r in bundled_records() if r.language == language][:number], cases)
    command = ["bench", "--cases", str(cases), "--setting", "zero_turn", "--out", str(directory)]
    return run([*command, *options])


def test_ids_as_numbers_in_one_file_and_text_in_another_are_the_same_ids(tmp_path: Path) -> None:
    logs = write_logs(tmp_path / "logs")
    for path in logs.glob("[eo]*.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line["patient_id"] = f" {line['patient_id']}"
            for inner in line.values():
                if isinstance(inner, dict):
                    inner["patient_id"] = str(inner["patient_id"])
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        path.write_text(text, encoding="utf-8")
    assert run(["import", "mvme", str(logs), "--out", str(tmp_path / "run")]) == 0
    ledger = Ledger(tmp_path / "run")
    assert set(ledger.records()) == {"7", "8"}
    assert {visit.record_id for visit in ledger.visits().values()} == {"7", "8"}
    assert len(ledger.marks()) == 2


def test_a_case_is_the_same_whether_its_id_is_a_number_or_text(
    tmp_path: Path, capsys: Captured
) -> None:
    case = bundled_records()[0].model_dump(mode="json") | {"id": "17"}
    for name, own in (("text", "17"), ("number", 17)):
        line = json.dumps(case | {"id": own}, ensure_ascii=False)
        (tmp_path / f"{name}.jsonl").write_text(f"{line}\n", encoding="utf-8")
    both = [part for n in ("text", "number") for part in ("--cases", str(tmp_path / f"{n}.jsonl"))]
    out = tmp_path / "run"
    assert run(["bench", *both, "--setting", "zero_turn", "--out", str(out)]) == 0
    assert set(Ledger(out).records()) == {"17"}
    assert len(Ledger(out).visits()) == 1


def test_a_torn_last_line_is_forgiven_and_its_visit_held_again(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert bench(out) == 0
    visits, marks = Ledger(out).visits(), Ledger(out).marks()
    for name in ("visits", "marks"):
        path = out / f"{name}.jsonl"
        path.write_bytes(path.read_bytes()[:-20])
    assert len(Ledger(out).visits()) == 2
    assert bench(out) == 0
    again = Ledger(out).visits()
    assert {k: v.report for k, v in again.items()} == {k: v.report for k, v in visits.items()}
    assert [m.grades for m in Ledger(out).marks()] == [m.grades for m in marks]


@pytest.mark.parametrize("name", ["visits", "marks", "records", "journal"])
def test_a_torn_middle_line_is_an_error_with_its_number(
    tmp_path: Path, name: str, capsys: Captured
) -> None:
    out = tmp_path / "run"
    assert bench(out) == 0
    path = out / f"{name}.jsonl"
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    lines = lines or [b'{"visit":"v","call":"c","reply":{}}\n'] * 3
    path.write_bytes(lines[0] + lines[1][:-20] + b"\n" + lines[2])
    capsys.readouterr()
    before = {p.name: p.read_bytes() for p in out.glob("*.json*")}
    assert bench(out) == 2
    told = capsys.readouterr().err
    assert f"{name}.jsonl: line 2: " in told
    assert len(told.strip().splitlines()) == 1
    assert {p.name: p.read_bytes() for p in out.glob("*.json*")} == before


def test_a_run_of_another_configuration_is_not_mixed(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "run"
    assert bench(out) == 0
    before = {p.name: p.read_bytes() for p in out.glob("*.jsonl")}
    capsys.readouterr()
    assert bench(out, "--seed", "5", "--max-turns", "4", "--unrecorded", "normal") == 2
    told = capsys.readouterr().err
    for field in ("seed is 0 there and 5 here", "max_turns is 10 there and 4 here", "unrecorded"):
        assert field in told
    assert {p.name: p.read_bytes() for p in out.glob("*.jsonl")} == before


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "utf-16"])
def test_an_output_that_is_not_utf_8_is_written_all_the_same(
    tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert bench(out) == 0
    key = next(iter(Ledger(out).visits()))
    for command in (["leaderboard", str(out)], ["show", str(out)], ["show", str(out), key]):
        assert run(command) == 0
    assert run(["leaderboard", str(out), "--json"]) == 0
    sys.stdout.flush()
    written = sys.stdout.buffer
    assert isinstance(written, io.BytesIO)
    shown = written.getvalue().decode(encoding)
    assert key in shown
    chinese = next(iter(Ledger(out).records().values())).diagnoses[0].name[:2]
    assert (chinese in shown) == (encoding in ("gbk", "utf-16"))


def test_a_second_process_is_told_who_holds_the_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert bench(out) == 0
    config, records = Ledger(out).config(), list(Ledger(out).records().values())
    before = (out / "visits.jsonl").read_bytes()
    with LedgerWriter(out, config, records):
        command = [sys.executable, "-m", "hospital", "bench", "--limit", "1", "--out", str(out)]
        second = subprocess.run(
            command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
        )
    assert second.returncode == 2
    assert f"in use by process {os.getpid()} on " in second.stderr
    assert "Traceback" not in second.stderr
    assert (out / "visits.jsonl").read_bytes() == before
