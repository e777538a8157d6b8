"""The main job from the command line: reproducible, resumable, extensible, clear about faults."""

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agents.model.patience import Patience
from hospital.command_line import run
from records.ledger import Ledger
from records.library import bundled_records
from records.readers import write_records

TEN_LINES = """\
from autogen_agentchat.base import Response
from autogen_agentchat.messages import TextMessage

class Curious:
    def __init__(self, language): self.language = language
    async def on_messages(self, messages, cancellation_token):
        asked = messages[-1].source == "chief_physician"
        text = "# Diagnosis\\nCommon cold\\n# Treatment plan\\nRest" if asked else "Any fever?"
        return Response(chat_message=TextMessage(content=text, source="doctor"))
"""

EXEC_DOCTOR = """\
import json, sys
for line in sys.stdin:
    turn = json.loads(line)
    asked = turn["messages"][-1]["source"] == "chief_physician"
    text = "#诊断结果#\\n感冒" if asked else "发烧吗？"
    print(json.dumps({"content": text}), flush=True)
"""


def _lines(path: Path, key: str) -> list[dict[str, Any]]:
    values = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for value in values:
        value.pop("seconds", None)
    return sorted(values, key=lambda value: value[key])


@pytest.fixture
def one_case(tmp_path: Path) -> str:
    path = tmp_path / "case.jsonl"
    write_records([r for r in bundled_records() if r.language == "en"][:1], path)
    return str(path)


@pytest.mark.parametrize("options", [[], ["--unrecorded", "normal"], ["--protocol", "direct"]])
def test_two_offline_runs_are_equal(tmp_path: Path, options: list[str]) -> None:
    for name in ("a", "b"):
        assert run(["bench", "--limit", "5", "--out", str(tmp_path / name), *options]) == 0
    a, b = tmp_path / "a", tmp_path / "b"
    assert (a / "config.json").read_bytes() == (b / "config.json").read_bytes()
    assert (a / "records.jsonl").read_bytes() == (b / "records.jsonl").read_bytes()
    assert _lines(a / "visits.jsonl", "key") == _lines(b / "visits.jsonl", "key")
    assert _lines(a / "marks.jsonl", "visit_key") == _lines(b / "marks.jsonl", "visit_key")
    assert len(Ledger(a).visits()) == 15
    assert all(visit.ending.markable for visit in Ledger(a).visits().values())


def test_the_same_command_again_holds_nothing_anew(
    tmp_path: Path, one_case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["bench", "--cases", one_case]
    assert run(command) == 0
    (directory,) = (tmp_path / "runs").iterdir()
    before = {path.name: path.read_bytes() for path in directory.glob("*.json*")}
    assert run(command) == 0
    assert {path.name: path.read_bytes() for path in directory.glob("*.json*")} == before


def test_doctors_and_trials_extend_a_run(
    tmp_path: Path, one_case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "curious_doctor.py").write_text(TEN_LINES, encoding="utf-8")
    (tmp_path / "doctor.py").write_text(EXEC_DOCTOR, encoding="utf-8")
    command = ["bench", "--cases", one_case, "--out", "r", "--setting", "interaction"]
    assert run(command) == 0
    first = (tmp_path / "r" / "visits.jsonl").read_bytes()
    more = ["--doctor", "curious_doctor:Curious", "--doctor", f"exec:{sys.executable} doctor.py"]
    assert run([*command, *more, "--trials", "2"]) == 0
    assert (tmp_path / "r" / "visits.jsonl").read_bytes().startswith(first)
    visits = Ledger(tmp_path / "r").visits().values()
    assert len(visits) == 1 + 2 * 2
    for visit in visits:
        assert visit.report is not None
        assert visit.report.diagnosis, visit
    assert len(Ledger(tmp_path / "r").marks()) == 5


def test_cases_of_one_language(tmp_path: Path, one_case: str) -> None:
    out = tmp_path / "run"
    command = ["bench", "--setting", "zero_turn", "--limit", "2", "--out", str(out)]
    assert run([*command, "--language", "en"]) == 0
    assert sorted(Ledger(out).records()) == ["en-001", "en-002"]
    assert (
        run(["bench", "--cases", one_case, "--language", "zh", "--out", str(tmp_path / "no")]) == 2
    )


def test_the_leaderboard_as_json(
    tmp_path: Path, one_case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "r")
    assert run(["bench", "--cases", one_case, "--out", out, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert run(["leaderboard", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == printed
    assert [row["setting"] for row in printed["rows"]] == ["interaction", "one_step", "zero_turn"]
    assert run(["leaderboard", out, "--judge", "rubrik"]) == 2
    assert "rubric" in capsys.readouterr().err
    assert len(printed["fingerprint"]) == 12
    row = printed["rows"][0]
    assert row["doctor"] == "checklist"
    assert row["visits"] == 1
    assert row["marks"].keys() == {
        "symptoms",
        "examinations",
        "diagnosis",
        "rationale",
        "treatment",
    }
    assert row["marks"]["symptoms"].keys() == {"mean", "half_width", "coverage"}
    assert row["diseases"].keys() >= {"predicted_mean", "recall", "precision", "f1", "linked"}


def test_a_visit_is_shown(
    tmp_path: Path, one_case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "r")
    run(["bench", "--cases", one_case, "--out", out, "--setting", "interaction"])
    (key,) = Ledger(tmp_path / "r").visits()
    capsys.readouterr()
    assert run(["show", out]) == 0
    assert key in capsys.readouterr().out
    assert run(["show", out, key[:6]]) == 0
    shown = capsys.readouterr().out
    assert "What brings you" in shown
    assert "rubric" in shown
    assert run(["show", out, "zzz"]) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--doctor", "chekclist"], "did you mean checklist?"),
        (["--doctor", "no_such_module:Doctor"], "there is no module no_such_module"),
        (["--doctor", "exec:no-such-program"], "no program no-such-program"),
        (["--doctor", "http://127.0.0.1:1/v1"], "add one after a #"),
        (["--doctor", "http://127.0.0.1:1/v1#m?temprature=0"], "temperature"),
        (["--npc", "groundet"], "did you mean grounded?"),
        (["--judge", "rubrik"], "did you mean rubric?"),
        (["--setting", "one-step"], "interaction"),
        (["--cases", "no-such-file.jsonl"], "no-such-file.jsonl: no such file"),
        (["--cases", "."], "is a directory"),
        (["--prompts", "no-such-dir"], "no-such-dir"),
        (["--language", "de"], "'de' is not one of"),
    ],
)
def test_bad_input_is_one_clear_fault(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["bench", *options]) == 2
    errors = capsys.readouterr().err
    assert says in errors
    assert "Traceback" not in errors
    assert not (tmp_path / "runs").exists()


def test_other_settings_for_a_run_are_refused_by_name(
    tmp_path: Path, one_case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["bench", "--cases", one_case, "--out", str(tmp_path / "r")]
    assert run([*command, "--setting", "zero_turn"]) == 0
    before = (tmp_path / "r" / "visits.jsonl").read_bytes()
    assert run([*command, "--max-turns", "3", "--unrecorded", "normal"]) == 2
    errors = capsys.readouterr().err
    assert "max_turns is 10 there and 3 here" in errors
    assert "unrecorded is 'unavailable' there and 'normal' here" in errors
    assert (tmp_path / "r" / "visits.jsonl").read_bytes() == before


def test_two_cases_of_one_id_are_refused(
    tmp_path: Path, one_case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = (r for r in bundled_records() if r.language == "en" and r.id.endswith("001"))
    other = tmp_path / "other.jsonl"
    write_records([record.model_copy(update={"department": "Another"})], other)
    assert run(["bench", "--cases", one_case, "--cases", str(other)]) == 2
    assert "another case of this id" in capsys.readouterr().err


def test_a_doctor_that_was_rewritten_is_another_doctor(
    tmp_path: Path,
    one_case: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "doctor.py"
    script.write_text(EXEC_DOCTOR, encoding="utf-8")
    command = ["bench", "--cases", one_case, "--setting", "zero_turn"]
    command += ["--doctor", f"exec:{sys.executable} doctor.py"]
    assert run([*command, "--out", "r"]) == 0
    assert run([*command, "--out", "r"]) == 0
    assert "1 of 1 visits were held earlier and stand." in capsys.readouterr().err
    script.write_text(EXEC_DOCTOR.replace("感冒", "肺栓塞"), encoding="utf-8")
    assert run([*command, "--out", "r"]) == 2
    assert "has changed since that run began" in capsys.readouterr().err
    assert run(command) == 0
    (directory,) = (tmp_path / "runs").iterdir()
    (visit,) = Ledger(directory).visits().values()
    assert visit.report is not None
    assert visit.report.diagnosis == "肺栓塞"
    assert visit.cost is None


BAD_DOCTORS = """\
import os
from autogen_agentchat.base import Response
from autogen_agentchat.messages import TextMessage

class Unclosable:
    def __init__(self, language): pass
    async def on_messages(self, messages, cancellation_token):
        print("said to standard output")
        return Response(chat_message=TextMessage(content="# Diagnosis\\nflu", source="doctor"))
    async def close(self): raise RuntimeError("cannot close")

class Telling(Unclosable):
    async def on_messages(self, messages, cancellation_token):
        raise RuntimeError("x" * 290 + os.environ["PLANTED_API_KEY"])
"""


def test_a_bad_doctor_spoils_neither_the_run_nor_what_is_printed(
    tmp_path: Path,
    one_case: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLANTED_API_KEY", "sk-planted-0123456789")
    (tmp_path / "bad_doctors.py").write_text(BAD_DOCTORS, encoding="utf-8")
    command = ["bench", "--cases", one_case, "--out", "r", "--json", "--setting", "zero_turn"]
    command += ["--doctor", "bad_doctors:Unclosable", "--doctor", "bad_doctors:Telling"]
    assert run(command) == 0
    printed = capsys.readouterr()
    assert len(json.loads(printed.out)["rows"]) == 2
    visits = Ledger(tmp_path / "r").visits().values()
    failed = [v.failure for v in visits if v.failure]
    # The line of the user's own file that raised.
    assert [why.endswith("(bad_doctors.py:14)") for why in failed] == [True]
    endings = {v.doctor: v.ending.value for v in visits}
    assert endings == {
        "bad_doctors:Unclosable": "diagnosis_given",
        "bad_doctors:Telling": "doctor_failed",
    }
    written = "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "r").glob("*.json*"))
    for told in (printed.out, printed.err, written):
        assert "sk-planted" not in told


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGTERM])
def test_an_offline_run_can_be_stopped(tmp_path: Path, signal_sent: signal.Signals) -> None:
    command = [sys.executable, "-m", "hospital", "bench", "--out", "r", "--trials", "50"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    visits = tmp_path / "r" / "visits.jsonl"
    while process.poll() is None and not (visits.exists() and visits.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal_sent)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert len(Ledger(tmp_path / "r").visits()) < 1000


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        EXEC_DOCTOR.replace("import json, sys", "import json, sys, time").replace(
            "    turn =", "    time.sleep(0.05)\n    turn ="
        ),
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "hospital", "bench", "--out", "r", "--trials", "20"]
    command += ["--doctor", f"exec:{sys.executable} slow.py", "--setting", "interaction"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    visits = tmp_path / "r" / "visits.jsonl"
    while process.poll() is None and not (visits.exists() and visits.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "To go on:" in errors
    finished = Ledger(tmp_path / "r").visits()
    assert 0 < len(finished) < 160
    assert all(visit.ending.final for visit in finished.values())


def test_an_endpoint_that_is_away_leaves_the_run_unfinished_and_resumable(
    tmp_path: Path,
    one_case: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agents.model.endpoint.Patience", partial(Patience, attempts=2))
    command = ["bench", "--cases", one_case, "--out", str(tmp_path / "r")]
    away = ["--doctor", "http://127.0.0.1:1/v1#m?timeout=1", "--setting", "zero_turn"]
    assert run([*command, *away]) == 3
    printed = capsys.readouterr()
    assert "1 still owed: infrastructure" in printed.err
    assert "To go on:" in printed.err
    (visit,) = Ledger(tmp_path / "r").visits().values()
    assert not visit.ending.final
    assert visit.failed_by == "provider"
