"""`hospital compare` and `hospital paper` from the command line, on a small offline run."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from hospital.command_line import run


@pytest.fixture(scope="module")
def a_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "r"
    assert run(["bench", "--limit", "6", "--trials", "2", "--out", str(out)]) == 0
    return out


def renamed(a_run: Path, to: Path, name: str) -> Path:
    """The same run, its doctor by another name."""
    shutil.copytree(a_run, to)
    for file in ("config.json", "visits.jsonl"):
        text = (to / file).read_text(encoding="utf-8")
        escaped = json.dumps(name, ensure_ascii=False)
        (to / file).write_text(text.replace('"checklist"', escaped), encoding="utf-8")
    return to


def test_settings_compare_on_a_terminal_and_as_json(
    a_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", str(a_run), "--setting", "all"]) == 0
    text = capsys.readouterr().out
    for word in ("one-step", "zero-turn", "Holm", "Detectable", "Group", "Fingerprint"):
        assert word in text
    assert max(map(len, text.splitlines())) <= 80
    assert run(["compare", str(a_run), "--metric", "F1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["metric"] == "f1"
    assert len(found["pairs"]) == 3
    assert run(["compare", str(a_run), "--against", "zero-turn"]) == 0
    text = capsys.readouterr().out
    assert "less zero-turn" in text
    assert "Group" not in text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--metric", "f2"], "no metric"),
        (["--setting", "dinner"], "no setting"),
        (["--setting", "zero_turn"], "only checklist in zero_turn"),
        (["--setting", "zero_turn"], "name more settings (--setting all)"),
        (["--against", "nobody"], "named 'nobody'"),
        (["--judge", "nobody"], "no marks by nobody"),
        (["--preset", "nobody"], "no preset"),
        (["--preset", "mvme-2024", "--matching", "code"], "published"),
    ],
)
def test_a_fault_is_told_in_a_line(
    a_run: Path, capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    assert run(["compare", str(a_run), *options]) == 2
    error = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert told in error
    assert "Traceback" not in error


def test_a_paper_is_the_same_to_the_byte(a_run: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "a", tmp_path / "b"]
    for out in outs:
        assert run(["paper", str(a_run), "--out", str(out)]) == 0
    first, second = ({p.name: p.read_bytes() for p in out.iterdir()} for out in outs)
    assert first == second
    assert {
        "marks.tex",
        "marks.csv",
        "coverage.csv",
        "trials.tex",
        "comparison-diagnosis.tex",
        "comparison-f1.csv",
        "methods.tex",
        "methods.md",
        "refs.bib",
        "paper.tex",
    } <= first.keys()


def test_a_paper_has_its_figures_its_settings_and_its_references(
    a_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["paper", str(a_run), "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert run(["leaderboard", str(a_run), "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, shown in zip(rows, board["rows"], strict=True):
        assert row["setting"] == shown["setting"]
        assert float(row["diagnosis_mean"]) == shown["marks"]["diagnosis"]["mean"]
        assert float(row["f1"]) == shown["diseases"]["f1"]
        assert row["fingerprint"] == board["fingerprint"]
    methods = (tmp_path / "methods.md").read_text(encoding="utf-8")
    for said in ("6 cases", "2 times", "rubric", "grounded", "unavailable", "at most 10 rounds"):
        assert said in methods
    assert board["fingerprint"] in methods
    cited = set(re.findall(r"@([a-z0-9]+)", methods))
    references = (tmp_path / "refs.bib").read_text(encoding="utf-8")
    assert set(re.findall(r"^@\w+\{(\w+),", references, re.M)) == cited
    assert {"aihospital", "bootstrap", "holm", "taubench"} <= cited
    assert "agentclinic" not in cited  # no such case was used
    assert "2402.09742" in references


def test_a_chinese_paper(a_run: Path, tmp_path: Path) -> None:
    assert run(["paper", str(a_run), "--out", str(tmp_path), "--language", "zh"]) == 0
    methods = (tmp_path / "methods.md").read_text(encoding="utf-8")
    for said in ("6 个病例", "2 次", "无此项结果", "rubric", "图表指纹"):
        assert said in methods
    assert "诊断" in (tmp_path / "marks.tex").read_text(encoding="utf-8")
    assert "{ctex}" in (tmp_path / "paper.tex").read_text(encoding="utf-8")


def test_a_name_full_of_special_characters_is_only_text(a_run: Path, tmp_path: Path) -> None:
    name = r"exec:\input{x} 50% & $a_b^c~{d}# <e>[f]* 你好"
    other = renamed(a_run, tmp_path / "r", name)
    assert run(["paper", str(other), "--out", str(tmp_path / "out")]) == 0
    for table in ("marks", "methods", "coverage"):
        text = (tmp_path / "out" / f"{table}.tex").read_text(encoding="utf-8")
        assert r"exec:\textbackslash{}input\{x\} 50\% \& \$a\_b\textasciicircum{}c" in text
        assert r"\#" in text
    with (tmp_path / "out" / "marks.csv").open(encoding="utf-8", newline="") as file:
        assert {row["doctor"] for row in csv.DictReader(file)} == {name}


def test_what_cannot_be_written_up_is_told(
    a_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(a_run, bare)
    (bare / "marks.jsonl").unlink()
    assert run(["paper", str(bare), "--out", str(tmp_path / "out")]) == 2
    assert "nothing is marked yet" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("kept", encoding="utf-8")
    assert run(["paper", str(a_run), "--out", str(file)]) == 2
    assert file.read_text(encoding="utf-8") == "kept"
    assert run(["paper", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")]) == 2
