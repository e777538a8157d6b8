"""`hospital link`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

from hospital.command_line import run
from hospital.link_command import link
from records.diseases.icd10 import default_terminology
from tests.endpoint_thread import serving

app = typer.Typer()
app.command()(link)


def output(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.stdout


def test_prints_each_name_with_code_title_and_how() -> None:
    shown = output("急性阑尾炎；2型糖尿病")
    first, second = (line for line in shown.splitlines() if "K35" in line or "E11" in line)
    assert "急性阑尾炎" in first
    assert "appendicitis" in first
    assert "synonym" in first
    assert "2型糖尿病" in second
    assert "100.0" in second


def test_json_has_the_language_the_hash_and_a_row_a_name() -> None:
    told = json.loads(output("Gout with quuxitis", "--json"))
    assert told["language"] == "en"
    assert told["terminology"] == default_terminology().hash
    gout, unknown = told["links"]
    assert gout["icd10"] == "M10"
    assert gout["title"] == "Gout"
    assert gout["how"] == "exact"
    assert unknown == {
        "name": "quuxitis",
        "icd10": None,
        "title": None,
        "term": None,
        "how": "none",
        "score": 0.0,
    }


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_word_is_broken_in_any_width(width: int) -> None:
    text = "community-acquired pneumonia; Type 2 diabetes with ketoacidosis; 急性阑尾炎"
    result = CliRunner().invoke(app, [text, "--language", "en"], env={"COLUMNS": str(width)})
    assert max(map(cell_len, result.stdout.splitlines())) <= width
    for cell in ("community-acquired pneumonia", "J18.9", "E11.1", "急性阑尾炎", "synonym"):
        assert cell in result.stdout
    assert "Type 2 diabetes with ketoacidosis" in " ".join(result.stdout.split())


def test_the_language_can_be_said() -> None:
    assert json.loads(output("COPD", "--language", "zh", "--json"))["language"] == "zh"
    result = CliRunner().invoke(app, ["COPD", "--language", "fr"])
    assert result.exit_code == 2


def test_a_text_without_a_disease_says_so() -> None:
    assert "No disease" in output("hello there, how are you doing today my dear friend")


def test_explains_what_each_piece_gave_and_what_else_a_name_might_be() -> None:
    shown = output("肺炎，排除肺结核；高血压3级", "--explain")
    assert "排除肺结核 -> (excluded)" in shown
    assert "高血压3级 -> 高血压" in shown
    assert default_terminology().hash in shown
    chosen = next(line for line in shown.splitlines() if line.startswith("  * J18"))
    assert "100.0" in chosen
    assert "病毒性肺炎" in shown


def test_json_holds_the_steps_too() -> None:
    told = json.loads(output("Gout; meningitis unlikely", "--explain", "--json"))
    assert [(p["text"], p["names"], p["why"]) for p in told["pieces"]] == [
        ("Gout", ["Gout"], "named"),
        ("meningitis unlikely", [], "excluded"),
    ]
    assert all(one["icd10"][:3] != "M10" for one in told["candidates"]["Gout"])


def test_a_table_of_the_users_own_takes_over(tmp_path: Path) -> None:
    table = tmp_path / "own.csv"
    table.write_text("code,name\nZ99,肺炎\nA00.001,痛风\n", encoding="utf-8")
    for option in ("--icd-table", "--terminology"):
        told = json.loads(output("肺炎；痛风", option, str(table), "--json"))
        assert [one["icd10"] for one in told["links"]] == ["Z99", "A00.0"]
        assert told["terminology"] != default_terminology().hash


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--terminology", "icd-11"], "no such terminology"),
        (["--icd-table", "absent.csv"], "absent.csv"),
        (["--icd-table", "a.csv", "--terminology", "who+cm"], "not both"),
        (["--extract", "rubric"], "names no model"),
    ],
)
def test_bad_options_are_told_in_one_line(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["link", "Gout", *options]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_a_model_can_name_the_diseases(capsys: pytest.CaptureFixture[str]) -> None:
    def script(body: dict[str, Any]) -> str:
        asked = body["messages"][0]["content"]
        return '["gout", "asthma"]' if "something else" in asked else "Sorry."

    with serving(script) as endpoint:
        assert run(["link", "something else", "--extract", endpoint.spec(), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert [one["icd10"] for one in told["links"]] == ["M10", "J45"]
        assert told["repairs"] == []
        assert run(["link", "Possible pneumonia", "--extract", endpoint.spec()]) == 0
    shown = capsys.readouterr()
    assert "J18.9" in shown.out
    assert "names_by_rule" in shown.err
