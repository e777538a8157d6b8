"""Who names the diseases of marks: our rules by their version, or a model; and with which codes."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluation.chosen_marks import choose_marks
from hospital.command_line import run
from records.ledger import Ledger
from records.mark import Mark
from tests.endpoint_thread import serving
from tests.records.published_logs import write_logs
from tests.scripted_endpoint import error, purpose_of

Captured = pytest.CaptureFixture[str]
NAMES = ["膝骨关节炎", "痛风"]


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published logs and their run, marked by rule; to be copied."""
    home = tmp_path_factory.mktemp("published")
    logs, out = write_logs(home / "logs"), home / "run"
    assert run(["import", "mvme", str(logs), "--out", str(out)]) == 0
    assert run(["mark", str(out)]) == 0
    return home


@pytest.fixture
def imported(marked: Path, tmp_path: Path) -> Path:
    shutil.copytree(marked, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


def named(body: dict[str, Any]) -> str:
    assert purpose_of(body) == ("zh", "chief_physician", "extract_diseases")
    return json.dumps(NAMES, ensure_ascii=False)


def latest(out: Path) -> dict[tuple[str, str], Mark]:
    """By judge and visit."""
    return {(mark.judge, mark.visit_key): mark for mark in Ledger(out).marks()}


def test_the_marks_hold_what_the_model_named_and_grades_stand(imported: Path) -> None:
    before = latest(imported)
    with serving(named) as endpoint:
        spec = endpoint.spec("namer")
        assert run(["mark", str(imported), "--preset", "mvme-2024", "--extract", spec]) == 0
        asked = [request["messages"][-1]["content"] for request in endpoint.requests]
    marks = latest(imported)

    # Eight visits and two judges; the reports say two things in all, and refuse in one.
    assert len(marks) == 10
    assert len(asked) == len(set(asked)) == 2
    assert {key: mark.grades for key, mark in marks.items()} == {
        key: mark.grades for key, mark in before.items()
    }
    answered = [mark for mark in marks.values() if mark.naming is not None]
    assert len(answered) == 9
    for mark in answered:
        assert [one.name for one in mark.diseases.predicted] == NAMES
        assert [str(one.icd10)[:3] for one in mark.diseases.predicted] == ["M17", "M10"]
        assert mark.diseases.hits == ((0, 0),)
        assert mark.diseases_published is not None
        assert [one.name for one in mark.diseases_published.predicted] == NAMES
        assert mark.diseases_published.hits == ((0, 0),)
        assert mark.naming is not None
        assert mark.naming.usage is not None
        assert mark.naming.usage.calls == 1
        assert mark.naming.raw == json.dumps(NAMES, ensure_ascii=False)
    (extraction,) = {mark.extraction for mark in marks.values()}
    assert extraction.startswith(f"{spec} (words ")
    # There was nothing to ask about, and nothing is predicted.
    silent = [mark for mark in marks.values() if mark.naming is None]
    assert [mark.diseases.predicted for mark in silent] == [()]


def test_nothing_is_asked_twice_and_rules_go_back(imported: Path, capsys: Captured) -> None:
    by_rule = latest(imported)
    mark = ["mark", str(imported)]
    with serving(named) as endpoint:
        spec = endpoint.spec("namer")
        assert run([*mark, "--extract", f"{spec}?concurrency=2"]) == 0
        lines = len(Ledger(imported).marks())
        assert run([*mark, "--extract", spec]) == 0
        assert len(Ledger(imported).marks()) == lines
        assert run([*mark, "--extract", "rules"]) == 0
        assert latest(imported) == by_rule
        assert run([*mark, "--extract", spec]) == 0
        assert len(endpoint.requests) == 2
    assert "10 of them with grades that stood" in capsys.readouterr().out
    assert {m.version for m in latest(imported).values()} == {1}


def test_a_kill_loses_no_paid_answer(imported: Path) -> None:
    with serving(named) as endpoint:
        spec = endpoint.spec("namer")
        assert run(["mark", str(imported), "--extract", spec]) == 0
        made = latest(imported)
        path = imported / "marks.jsonl"
        kept = path.read_text(encoding="utf-8").splitlines(keepends=True)[:13]
        path.write_text("".join(kept) + '{"torn', encoding="utf-8")
        assert run(["mark", str(imported), "--extract", spec]) == 0
        assert len(endpoint.requests) == 2
    assert latest(imported) == made


def test_names_that_cannot_be_read_fall_to_the_rules_and_the_mark_says_so(
    imported: Path, capsys: Captured
) -> None:
    by_rule = latest(imported)
    with serving(lambda body: "无法回答这个问题。") as endpoint:
        spec = endpoint.spec("namer")
        assert run(["mark", str(imported), "--extract", spec]) == 0
    assert f"9 of them named by rule, as {spec} gave no names" in capsys.readouterr().err
    for key, mark in latest(imported).items():
        assert mark.diseases == by_rule[key].diseases
        if mark.naming is not None:
            (repair,) = mark.naming.repairs
            assert (repair.kind, repair.detail) == ("names_by_rule", "无法回答这个问题。")
    assert run(["leaderboard", str(imported), "--judge", "rubric"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "extraction's names_by_rule" in told
    assert "Marking 7 visits took 7 calls" in told
    assert run(["show", str(imported), next(key for _, key in by_rule)]) == 0
    assert "repaired names_by_rule: 无法回答" in capsys.readouterr().out


def test_what_an_endpoint_filters_falls_to_the_rules_too(imported: Path) -> None:
    refused = error(400, "no", code="content_filter")
    with serving(lambda body: refused) as endpoint:
        assert run(["mark", str(imported), "--extract", endpoint.spec("namer")]) == 0
    repairs = [r for m in latest(imported).values() if m.naming for r in m.naming.repairs]
    assert Counter(repair.kind for repair in repairs) == {"names_by_rule": 9}


def test_a_model_that_fails_leaves_its_marks_owed(imported: Path, capsys: Captured) -> None:
    before = latest(imported)
    answers: dict[str, Any] = {"now": error(401, "wrong key")}
    with serving(lambda body: answers["now"]) as endpoint:
        mark = ["mark", str(imported), "--extract", endpoint.spec("namer")]
        assert run(mark) == 3
        told = capsys.readouterr().err
        assert f"9 still owed: {endpoint.spec('namer')}: " in " ".join(told.split())
        # The one that is silent needs no model; what is mixed makes no table.
        assert sum(m != before[key] for key, m in latest(imported).items()) == 1
        assert run(["leaderboard", str(imported), "--judge", "rubric"]) == 2
        assert "named in different ways" in capsys.readouterr().err
        answers["now"] = json.dumps(NAMES)
        assert run(mark) == 0
    assert run(["leaderboard", str(imported), "--judge", "rubric"]) == 0


def test_a_budget_and_a_cache_count_for_names_too(
    imported: Path, tmp_path: Path, capsys: Captured
) -> None:
    cache = str(tmp_path / "cache")
    with serving(named) as endpoint:
        mark = ["mark", str(imported), "--extract", endpoint.spec("namer"), "--cache", cache]
        assert run([*mark, "--max-tokens", "1"]) == 3
        assert endpoint.requests == []
        assert run(mark) == 0
        assert len(endpoint.requests) == 2
        other = tmp_path / "other"
        assert run(["import", "mvme", str(tmp_path / "logs"), "--out", str(other)]) == 0
        assert run(["mark", str(other), *mark[2:]]) == 0
        assert len(endpoint.requests) == 2
    assert "Models so far: 2 calls" in capsys.readouterr().err


def test_other_words_for_the_model_are_another_extraction(imported: Path, tmp_path: Path) -> None:
    overlay = tmp_path / "words" / "zh" / "chief_physician"
    overlay.mkdir(parents=True)
    (overlay / "extract_diseases.jinja2").write_text("疾病？\n{{ text }}", encoding="utf-8")
    with serving(lambda body: json.dumps(NAMES)) as endpoint:
        mark = ["mark", str(imported), "--extract", endpoint.spec("namer")]
        assert run(mark) == 0
        assert run([*mark, "--prompts", str(tmp_path / "words")]) == 0
        assert len(endpoint.requests) == 4
    assert len({mark.extraction for mark in Ledger(imported).marks()}) == 3


def test_marks_by_older_rules_are_linked_anew_and_tables_do_not_mix(
    imported: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = latest(imported)
    board = ["leaderboard", str(imported), "--judge", "rubric", "--json"]
    capsys.readouterr()
    assert run(board) == 0
    old = json.loads(capsys.readouterr().out)
    monkeypatch.setattr("evaluation.linking.rules_version", lambda: "newer")
    assert run(["mark", str(imported)]) == 0
    assert "10 of them with grades that stood" in capsys.readouterr().out
    marks = latest(imported)

    assert {mark.extraction for mark in marks.values()} == {"rules newer"}
    assert {key: mark.grades for key, mark in marks.items()} == {
        key: mark.grades for key, mark in before.items()
    }
    assert run(board) == 0
    new = json.loads(capsys.readouterr().out)
    assert (old["extraction"], new["extraction"]) == (
        next(iter(before.values())).extraction,
        "rules newer",
    )
    assert old["fingerprint"] != new["fingerprint"]
    some = [mark for mark in before.values() if mark.judge == "rubric"][:3]
    rest = [mark for mark in marks.values() if mark.judge == "rubric"][3:]
    with pytest.raises(
        ValueError, match=r"named in different ways, rules \w+ \(3 marks\), rules newer"
    ):
        choose_marks([*some, *rest])


def test_runs_of_different_extraction_are_not_compared(
    imported: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    monkeypatch.setattr("evaluation.linking.rules_version", lambda: "newer")
    assert run(["import", "mvme", str(tmp_path / "logs"), "--out", str(other)]) == 0
    assert run(["mark", str(other)]) == 0
    capsys.readouterr()

    assert run(["compare", str(imported), str(other), "--judge", "rubric"]) == 2
    assert "were named in different ways" in " ".join(capsys.readouterr().err.split())


def test_the_fingerprint_line_names_the_extraction(imported: Path, capsys: Captured) -> None:
    (extraction,) = {mark.extraction for mark in latest(imported).values()}
    assert extraction.startswith("rules ")
    capsys.readouterr()
    assert run(["leaderboard", str(imported), "--judge", "rubric"]) == 0
    assert f"extraction {extraction}, seed 0" in " ".join(capsys.readouterr().out.split())


def test_a_table_may_be_named_as_a_terminology(imported: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("code,name\nZ99,膝骨关节炎\nI10,高血压病\nM10,痛风\n", encoding="utf-8")
    assert run(["mark", str(imported), "--terminology", str(table)]) == 0
    mark = next(m for (judge, _), m in latest(imported).items() if judge == "rubric")

    assert [one.icd10 for one in mark.diseases.predicted] == ["Z99"]
    assert mark.diseases_published is None
    assert run(["mark", str(imported), "--icd-table", str(table)]) == 0
    marks = latest(imported).values()
    assert {one.terminology for one in marks} == {mark.terminology}
    assert all(one.diseases_published is not None for one in marks)


def test_the_synonyms_of_icd_10_cm_may_be_added(imported: Path) -> None:
    pytest.importorskip("simple_icd_10_cm")
    before = {mark.terminology for mark in latest(imported).values()}
    assert run(["mark", str(imported), "--terminology", "who+cm"]) == 0
    assert {mark.terminology for mark in latest(imported).values()}.isdisjoint(before)
    assert run(["mark", str(imported), "--terminology", "who"]) == 0
    assert {mark.terminology for mark in latest(imported).values()} == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--extract", "rubric"], "--extract: 'rubric' names no model"),
        (["--extract", "nobody/nothing"], "nobody"),
        (["--terminology", "icd-11"], "no such terminology"),
        (["--terminology", "who+cm", "--icd-table", "a.csv"], "not both"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_nothing_is_written(
    imported: Path, capsys: Captured, options: list[str], told: str
) -> None:
    before = (imported / "marks.jsonl").read_bytes()
    capsys.readouterr()
    assert run(["mark", str(imported), *options]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert (imported / "marks.jsonl").read_bytes() == before
