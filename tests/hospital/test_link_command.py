"""`hospital link`."""

from __future__ import annotations

import json

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

from hospital.link_command import link
from records.diseases.icd10 import default_terminology

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
