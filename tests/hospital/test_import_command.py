"""`hospital records import`: from a text file through a model to a case, and what it says of it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hospital.command_line import run
from records.library import bundled_records
from records.medical_record import HISTORY_SECTIONS, Examination, Language, MedicalRecord
from records.readers import read_records
from tests.scripted_endpoint import Answer, ScriptedEndpoint, purpose_of

Captured = pytest.CaptureFixture[str]
Script = Callable[[dict[str, Any]], Answer]


def notes_of(record: MedicalRecord) -> str:
    """A record as a doctor might have typed it."""
    zh = record.language == "zh"
    who = record.demographics
    sex = {"male": "男" if zh else "Man", "female": "女" if zh else "Woman"}[who.sex or "female"]
    age = f"{who.age_years:g}"
    lines = [
        f"{record.department}. {sex}，{age}岁。"
        if zh
        else f"{record.department}. {sex}, {age} years old."
    ]
    lines += [record.section_text(section) for section in HISTORY_SECTIONS[1:]]
    for one in (*record.physical_examination, *record.auxiliary_examinations):
        limits = f" ({one.reference_range})" if one.reference_range else ""
        lines.append(f"{one.name}: {one.value}{f' {one.unit}' if one.unit else ''}{limits}")
    lines += [diagnosis.name for diagnosis in record.diagnoses]
    lines += [record.rationale or "", record.treatment or ""]
    return "\n".join(lines)


def sorted_by_hand(record: MedicalRecord) -> dict[str, Any]:
    """What a perfect clerk would answer to these notes."""
    zh = record.language == "zh"
    sex = {"male": "男" if zh else "Man", "female": "女" if zh else "Woman"}
    patient = sex[record.demographics.sex or "female"]
    age = f"{record.demographics.age_years:g}"
    examined = {
        name: [_claimed(one) for one in items]
        for name, items in (
            ("physical_examination", record.physical_examination),
            ("auxiliary_examinations", record.auxiliary_examinations),
        )
    }
    return {
        "department": record.department,
        "patient": f"{patient}，{age}岁" if zh else f"{patient}, {age} years old",
        **{s: [record.section_text(s)] for s in HISTORY_SECTIONS[1:]},
        "findings": [
            {"text": f.text, "symptom": f.symptom, "present": f.present}
            for f in record.findings
            if f.section != "persona"
        ],
        **examined,
        "diagnoses": [{"name": d.name, "role": d.role} for d in record.diagnoses],
        "rationale": [record.rationale],
        "treatment": [record.treatment],
    }


def _claimed(one: Examination) -> dict[str, Any]:
    limits = f" ({one.reference_range})" if one.reference_range else ""
    return {
        "name": one.name,
        "value": one.value,
        "unit": one.unit,
        "reference_range": one.reference_range,
        "quote": f"{one.name}: {one.value}{f' {one.unit}' if one.unit else ''}{limits}",
    }


@contextmanager
def serving(script: Script) -> Iterator[ScriptedEndpoint]:
    """An endpoint in a thread of its own, for a command that runs its own loop."""
    endpoint = ScriptedEndpoint(script)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(endpoint.__aenter__(), loop).result()
        yield endpoint
        asyncio.run_coroutine_threadsafe(endpoint.__aexit__(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def case(language: Language) -> MedicalRecord:
    return next(r for r in bundled_records() if r.language == language)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


def imported(notes: Path, out: Path, script: Script, *options: str) -> int:
    with serving(script) as endpoint:
        command = ["records", "import", str(notes), str(out), "--model", endpoint.spec()]
        return run([*command, *options])


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_record_s_notes_become_the_record(
    tmp_path: Path, out: Path, capsys: Captured, language: Language
) -> None:
    record = case(language)
    asked: list[tuple[str, str, str]] = []

    def script(body: dict[str, Any]) -> Answer:
        asked.append(purpose_of(body))
        return json.dumps(sorted_by_hand(record), ensure_ascii=False)

    notes = written(tmp_path, notes_of(record))
    assert imported(notes, out, script) == 0
    assert asked == [(language, "clerk", "structure_notes")]
    (read,) = read_records(out)
    assert (read.id, read.language) == (f"{language}-001", language)
    assert (read.demographics.age_years, read.demographics.sex) == (
        record.demographics.age_years,
        record.demographics.sex,
    )
    for section in HISTORY_SECTIONS[1:]:
        assert read.section_text(section) == record.section_text(section)
    assert [(e.name, e.value, e.unit) for e in read.auxiliary_examinations] == [
        (e.name, e.value, e.unit) for e in record.auxiliary_examinations
    ]
    assert [(d.name, d.role) for d in read.diagnoses] == [
        (d.name, d.role) for d in record.diagnoses
    ]
    assert read.source == "notes notes.txt, sorted by scripted-1"
    assert read.reviewed_by is None
    places = [
        json.loads(line)
        for line in out.with_name("out.jsonl.provenance.jsonl").read_text("utf-8").splitlines()
    ]
    text = notes.read_text("utf-8")
    assert {place["record"] for place in places} == {read.id}
    assert all(text[place["start"] : place["end"]] == place["text"] for place in places)
    assert {f.id for f in read.findings} <= {place["field"] for place in places}
    assert f"{len(read.findings)} findings" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_was_made_up_is_dropped_and_said(
    tmp_path: Path, out: Path, capsys: Captured, language: Language
) -> None:
    record = case(language)
    made_up = "CRP 88 mg/L" if language == "en" else "C反应蛋白88"
    reply = sorted_by_hand(record)
    reply["auxiliary_examinations"].append({"name": made_up, "value": "88", "quote": made_up})
    reply["treatment"].append("UNHEARD-OF")
    script = lambda body: json.dumps(reply)  # noqa: E731
    assert imported(written(tmp_path, notes_of(record)), out, script) == 0
    said = capsys.readouterr()
    assert "UNHEARD-OF" in said.err
    assert made_up in said.err
    assert "not_in_notes 2" in said.out
    assert made_up not in out.read_text("utf-8")
    assert "UNHEARD-OF" not in out.read_text("utf-8")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reply_that_is_broken_twice_is_one_clear_fault(
    tmp_path: Path, out: Path, capsys: Captured, language: Language
) -> None:
    bodies: list[dict[str, Any]] = []

    def script(body: dict[str, Any]) -> Answer:
        bodies.append(body)
        return '{"chief_complaint": ["'

    assert imported(written(tmp_path, notes_of(case(language))), out, script) == 2
    assert len(bodies) == 2
    said = capsys.readouterr()
    assert "notes.txt: not imported: asked twice" in said.err
    assert len(said.err.splitlines()) == 1
    assert not out.exists()


def test_notes_without_a_known_diagnosis_are_not_imported(
    tmp_path: Path, out: Path, capsys: Captured
) -> None:
    reply = sorted_by_hand(case("en")) | {"diagnoses": [{"name": "Beriberi"}]}
    script = lambda body: json.dumps(reply)  # noqa: E731
    assert imported(written(tmp_path, notes_of(case("en"))), out, script) == 2
    assert "no diagnosis" in capsys.readouterr().err
    assert not out.exists()


def test_identifying_details_are_pointed_out(tmp_path: Path, out: Path, capsys: Captured) -> None:
    record = case("en")
    text = notes_of(record).replace("She has vomited", "Mrs Pemberton has vomited")
    reply = sorted_by_hand(record)
    history = record.section_text("history_of_present_illness")
    assert "She has vomited" in history
    reply["history_of_present_illness"] = [
        history.replace("She has vomited", "Mrs Pemberton has vomited")
    ]
    script = lambda body: json.dumps(reply)  # noqa: E731
    assert imported(written(tmp_path, text), out, script) == 0
    assert "holds a name" in capsys.readouterr().err


def test_a_second_case_gets_the_next_id_and_an_id_of_its_own_if_asked(
    tmp_path: Path, out: Path
) -> None:
    record = case("zh")
    script = lambda body: json.dumps(sorted_by_hand(record))  # noqa: E731
    notes = written(tmp_path, notes_of(record))
    assert imported(notes, out, script) == 0
    assert imported(notes, out, script) == 0
    assert imported(notes, out, script, "--id", "ward-7", "--language", "zh") == 0
    assert imported(notes, out, script, "--id", "ward-7") == 2
    assert [r.id for r in read_records(out)] == ["zh-001", "zh-002", "ward-7"]


@pytest.mark.parametrize(
    ("content", "model", "says"),
    [
        (None, "http://127.0.0.1:1/v1#m", "cannot be read"),
        (b"  \n", "http://127.0.0.1:1/v1#m", "is empty"),
        ("café".encode("latin-1"), "http://127.0.0.1:1/v1#m", "not UTF-8"),
        (b"Cough.", "grounded", "names no model"),
        (b"Cough.", "http://127.0.0.1:1/v1#m?temprature=0", "temperature"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, out: Path, capsys: Captured, content: bytes | None, model: str, says: str
) -> None:
    notes = tmp_path / "notes.txt"
    if content is not None:
        notes.write_bytes(content)
    assert run(["records", "import", str(notes), str(out), "--model", model]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1
