"""Terminals that are read line by line: a screen reader's, a dumb one, a pipe, and none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from records.ledger import Ledger
from records.visit import DOCTOR
from tests.terminal import Terminal

BOXES = "╭╮╰╯│─┌┐└┘━┃"


def piped(arguments: list[str], where: Path, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hospital", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        cwd=where,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        check=False,
    )


def test_a_screen_reader_hears_who_says_what_in_every_line(tmp_path: Path) -> None:
    terminal = Terminal(["play", "--plain", "--language", "en", "--seed", "0"], tmp_path)
    terminal.wait("Whom do you see?")
    terminal.type("3")
    terminal.wait("doctor>")
    terminal.type("/examine legs")
    terminal.wait("Calf")
    terminal.type("/chart")
    terminal.wait("[abnormal]")
    # A paste is one message, though the terminal hands it over line by line.
    terminal.press("I would like to know:\nDo you smoke?\nDo you drink?\n")
    terminal.wait("never smoked")
    terminal.wait("doctor>", times=4)
    terminal.press("\x03")
    assert terminal.end() == 130
    # No colour, no box, and the cursor is never moved.
    assert "\x1b" not in terminal.raw
    assert not set(BOXES) & set(terminal.raw)
    lines = [line for line in terminal.raw.replace("\r", "").split("\n") if line]
    examined = [line for line in lines if "Calf" in line]
    assert examined
    assert all(line.startswith(("Examiner: ", "Signs: ")) for line in examined)
    assert any(line.startswith("3. 34 years, female, software developer: ") for line in lines)
    (draft,) = (tmp_path / "runs").glob("*/unfinished/*.jsonl")
    said = [json.loads(line).get("said") for line in draft.read_text("utf-8").splitlines()]
    spoken = [message["text"] for message in said if message and message["role"] == DOCTOR]
    assert spoken[-1] == "I would like to know:\nDo you smoke?\nDo you drink?"


def test_a_dumb_terminal_is_written_from_top_to_bottom(tmp_path: Path) -> None:
    terminal = Terminal(["play", "--case", "zh-001"], tmp_path, TERM="dumb")
    terminal.wait("医生>")
    terminal.type("／帮助")
    terminal.wait("上箭头")
    terminal.type("/退出")
    terminal.wait("--resume")
    assert terminal.end() == 130
    assert "\x1b" not in terminal.raw


def test_a_whole_visit_through_a_pipe(tmp_path: Path) -> None:
    # Bytes that are no text are marked, and end nothing.
    typed = "Any chest pain? \udcff\n/report\na\nb\nPulmonary embolism\nd\ne\n\n"
    done = piped(["play", "--case", "en-002", "--name", "anna"], tmp_path, typed)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert "\x1b" not in done.stdout
    assert "doctor> Any chest pain? \ufffd" in done.stdout
    assert "right: Pulmonary embolism (I26" in done.stdout
    (run,) = (tmp_path / "runs").iterdir()
    (visit,) = Ledger(run).visits().values()
    assert visit.doctor == "human:anna"


def test_without_any_input_there_is_no_traceback(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m hospital play --case en-002 <&-"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 130
    assert "--resume" in done.stdout
    assert not done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--as", "patient", "--exam"], "only a doctor is examined"),
        (["--as", "patient", "--station", "breathless"], "only a doctor is examined"),
        (["--visit", "runs/x/y"], "a visit is marked with --as chief"),
        (["--case", "en-01"], "there is no such case; did you mean en-0"),
        (["--npc", "grund"], "no npc 'grund'"),
        (["--language", "en", "--cases", "none.jsonl"], "none.jsonl"),
        (["--resume"], "no visit was left unfinished"),
        (["--station", "none.yaml"], "bundled are abdominal-pain, breathless"),
        (["--minutes", "0"], "0"),
        (["--name", "a+b"], "a name is of letters"),
        (["--name", "a\x1b[1m"], "a name is of letters"),
        (["--case", "en-001", "--random"], "--random"),
        (["--case", "en-001", "--station", "breathless"], "--station"),
    ],
)
def test_wrong_options_are_told_in_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    from hospital.command_line import run

    monkeypatch.chdir(tmp_path)
    assert run(["play", *arguments]) == 2
    error = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert told in error
    assert "Traceback" not in error
    assert not list(tmp_path.iterdir())


def test_a_visit_is_watched_paused_and_left(tmp_path: Path) -> None:
    arguments = ["watch", "--case", "zh-001", "--pace", "30"]
    terminal = Terminal(arguments, tmp_path, rows=30, columns=40)
    terminal.wait("空格暂停，q 离开。")
    terminal.wait("哪里不舒服？")
    terminal.press(" ")
    terminal.wait("已暂停。")
    terminal.press("x ")
    terminal.wait("继续。")
    # Whoever leaves does not wait until the message is read.
    terminal.press("q")
    terminal.wait("hospital watch --case zh-001")
    assert terminal.end() == 130
    assert all(len(line) <= 40 for line in terminal.lines)
    watched = piped(["watch", "--case", "zh-001"], tmp_path, "")
    assert watched.returncode == 0
    assert "rubric 的评分" in watched.stdout
    assert "\x1b" not in watched.stdout
    (run,) = (tmp_path / "runs").iterdir()
    assert len(Ledger(run).visits()) == 1
