"""`hospital records`: what is shown, what is hidden, and how faults are told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from hospital.command_line import run
from records.library import bundled_records
from records.mark import Mark
from records.medical_record import MedicalRecord
from records.readers import read_records, write_records
from records.visit import Visit

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases"
    write_records(bundled_records(), path)
    return path


def secrets(record: MedicalRecord) -> list[str]:
    """Texts of a record that only its answers hold."""
    told = record.model_dump_json(exclude={"diagnoses", "rationale", "treatment"})
    texts = [d.name for d in record.diagnoses] + [record.rationale or "", record.treatment or ""]
    return [text for text in texts if text and text not in told]


def test_list_and_show_hide_the_answers(capsys: Captured) -> None:
    assert run(["records", "list"]) == 0
    listed = capsys.readouterr().out
    for record in bundled_records():
        assert record.id in listed
        assert run(["records", "show", record.id]) == 0
        shown = capsys.readouterr().out
        assert all(text not in listed + shown for text in secrets(record))
        assert run(["records", "show", record.id, "--json"]) == 0
        assert all(text not in capsys.readouterr().out for text in secrets(record))


@pytest.mark.parametrize(("width", "lines"), [(40, None), (80, 1), (200, 1)])
def test_the_list_fits_a_terminal(
    width: int, lines: int | None, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def terminal() -> Console:
        return Console(force_terminal=True, width=width, color_system=None)

    monkeypatch.setattr("hospital.record_commands._console", terminal)
    assert run(["records", "list"]) == 0
    listed = re.sub(r"\x1b\[\d*m", "", capsys.readouterr().out)
    assert max(map(cell_len, listed.splitlines())) <= width
    cases = bundled_records()
    if lines:
        assert len(listed.splitlines()) == len(cases) + 2
    for record in cases:
        if not lines:
            shown = "".join(listed.split())
            assert "".join((record.chief_complaint or "").split()) in shown
        assert record.id in listed


def test_a_list_that_is_piped_has_whole_complaints(capsys: Captured) -> None:
    assert run(["records", "list"]) == 0
    listed = capsys.readouterr().out
    for record in bundled_records():
        assert " ".join((record.chief_complaint or "").split()) in listed


def test_show_has_every_result_and_finding(capsys: Captured) -> None:
    for record in bundled_records():
        run(["records", "show", record.id])
        shown = capsys.readouterr().out
        for examination in (*record.physical_examination, *record.auxiliary_examinations):
            assert f"{examination.id:>4} " in shown
            assert examination.reading in shown
        assert all(finding.symptom in shown for finding in record.findings)


def test_reveal_shows_the_answers(capsys: Captured) -> None:
    record = bundled_records()[0]
    run(["records", "show", record.id, "--reveal"])
    shown = capsys.readouterr().out
    assert all(diagnosis.name in shown for diagnosis in record.diagnoses)
    assert record.rationale is not None
    assert record.rationale.splitlines()[0] in shown
    run(["records", "list", "--reveal"])
    assert record.diagnoses[0].name in capsys.readouterr().out


def test_a_piped_list_keeps_whole_words(capsys: Captured, cases: Path) -> None:
    assert run(["records", "list", str(cases), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == [record.id for record in bundled_records()]
    run(["records", "list", str(cases)])
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    assert "…" not in plain


def test_show_of_an_unknown_id_names_those_there_are(capsys: Captured, cases: Path) -> None:
    assert run(["records", "show", "nobody", "--cases", str(cases)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert '"nobody"' in said.err
    assert bundled_records()[0].id in said.err


def test_lint_does_not_call_an_unreadable_file_fine(capsys: Captured, tmp_path: Path) -> None:
    assert run(["records", "lint", str(tmp_path / "nowhere.json")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1] == "1 fault"


def test_several_faults_are_told_with_the_command_that_lists_them(
    capsys: Captured, tmp_path: Path
) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text('{"id": "a", "language": "en"}\n{"id": \n', encoding="utf-8")
    assert run(["bench", "--cases", str(path), "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "(and 1 more; 'hospital records lint FILE' lists all)" in told
    assert len(told.splitlines()) == 1
    assert run(["records", "lint", str(path)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "2 faults"


def test_broken_json_is_told_before_its_unknown_format(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"a": [1, ', encoding="utf-8")
    assert run(["bench", "--cases", str(path), "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "line 1: not JSON" in told
    assert "(and 1 more; 'hospital records lint FILE' lists all)" in told


def test_lint_counts_what_is_fine_and_lists_every_fault(
    capsys: Captured, cases: Path, tmp_path: Path
) -> None:
    assert run(["records", "lint", str(cases)]) == 0
    fine = len(bundled_records())
    assert f"{fine} records are fine" in capsys.readouterr().out
    with cases.open("a", encoding="utf-8") as file:
        file.write('{"id": "x", "language": "en", "diagnosis": "flu"}\n{\n')
    assert run(["records", "lint", str(cases), str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert f"{fine} records are fine" in said.out
    faults = said.err.splitlines()
    place = f"line {fine + 1} (x): diagnos"
    assert [line for line in faults if f"{place}is:" in line]
    assert [line for line in faults if f"{place}es: is missing" in line]
    assert [line for line in faults if f"line {fine + 2}: not JSON" in line]
    assert [line for line in faults if "is a directory" in line]
    assert faults[-1] == "4 faults"


def test_a_case_file_does_not_steer_the_terminal(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "cases"
    changed = {"chief_complaint": "\x1b[2Jpain [bold]", "findings": ()}
    record = bundled_records()[0].model_copy(update=changed)
    write_records([record], path)
    run(["records", "show", record.id, "--cases", str(path)])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "pain [bold]" in shown


def test_convert_writes_what_can_be_read(capsys: Captured, cases: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert run(["records", "convert", str(cases), str(target)]) == 0
    assert read_records(target) == bundled_records()
    assert run(["records", "convert", str(cases), str(cases)]) == 2
    assert read_records(cases) == bundled_records()
    assert run(["records", "convert", str(cases), str(tmp_path / "no" / "out")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_schema_describes_a_record(capsys: Captured) -> None:
    assert run(["records", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["properties"]) == set(MedicalRecord.model_fields)
    assert schema["required"] == ["id", "language", "diagnoses"]


@pytest.mark.parametrize(("what", "model"), [("visit", Visit), ("mark", Mark)])
def test_schema_describes_a_runs_lines(
    capsys: Captured, what: str, model: type[Visit] | type[Mark]
) -> None:
    assert run(["records", "schema", what]) == 0
    assert set(json.loads(capsys.readouterr().out)["properties"]) == set(model.model_fields)
