"""`hospital records add`: a person types a case; what is typed is what is read back."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hospital.case_questions import SECTIONS
from hospital.command_line import run
from records.library import bundled_records
from records.lint import lint_record
from records.medical_record import Examination, Language, MedicalRecord
from records.readers import read_records, write_records

Captured = pytest.CaptureFixture[str]
ROLES = {"primary": "p", "comorbidity": "c", "complication": "x", "history": "h"}


def case(language: Language) -> MedicalRecord:
    return next(r for r in bundled_records() if r.language == language)


def typed(record: MedicalRecord) -> list[str]:
    """The lines that a person types to write a record down, findings as proposed."""
    return [line for _, lines in steps(record) for line in lines]


def steps(record: MedicalRecord) -> Iterator[tuple[str, list[str]]]:
    zh = record.language == "zh"
    who, persona = record.demographics, record.persona
    sex = {("male", True): "男", ("female", True): "女", ("male", False): "m"}.get(
        (who.sex or "", zh), "f"
    )
    yield "language", [record.language]
    yield "id", [""]
    age = "" if who.age_years is None else f"{who.age_years:g}"
    yield (
        "demographics",
        [record.department or "", age, sex, who.occupation or "", who.description or ""],
    )
    words = (
        persona.chief_complaint,
        persona.background,
        persona.way_of_speaking,
        persona.emotion,
    )
    yield "persona", [*(word or "" for word in words), ""]
    for section in SECTIONS:
        text = record.section_text(section)
        yield section, [text, "", ""] if text else [""]
    for name, examinations in (
        ("physical", record.physical_examination),
        ("auxiliary", record.auxiliary_examinations),
    ):
        yield name, [line for one in examinations for line in examined(one, zh=zh)] + [""]
    diagnoses = [line for d in record.diagnoses for line in (d.name, d.icd10 or "-", ROLES[d.role])]
    yield "diagnoses", [*diagnoses, ""]
    yield "rationale", [record.rationale or "", ""]
    yield "treatment", [record.treatment or "", ""]


def examined(one: Examination, *, zh: bool) -> list[str]:
    abnormal = {True: "是" if zh else "y", False: "否" if zh else "n", None: ""}[one.abnormal]
    return [one.name, one.category or "", one.reading, one.reference_range or "", abnormal]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "cases.jsonl"


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch, out: Path):  # type: ignore[no-untyped-def]
    def typing(lines: list[str], *options: str) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run(["records", "add", str(out), *options])

    return typing


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_typed_is_what_is_read_back(add, out: Path, language: Language) -> None:  # type: ignore[no-untyped-def]
    record = case(language)
    assert add(typed(record)) == 0
    (written,) = read_records(out)
    assert written.id == f"{language}-001"
    assert written.demographics == record.demographics
    assert written.persona == record.persona
    for section in SECTIONS:
        assert written.section_text(section) == record.section_text(section)
    told = [
        (e.name, e.category, e.reading, e.reference_range, e.abnormal)
        for e in (*written.physical_examination, *written.auxiliary_examinations)
    ]
    assert told == [
        (e.name, e.category, e.reading, e.reference_range, e.abnormal)
        for e in (*record.physical_examination, *record.auxiliary_examinations)
    ]
    assert [(d.name, d.icd10, d.role) for d in written.diagnoses] == [
        (d.name, d.icd10, d.role) for d in record.diagnoses
    ]
    assert (written.rationale, written.treatment) == (record.rationale, record.treatment)
    assert written.reviewed_by is None
    assert all(written.section_text(f.section)[f.start : f.end] in f.text for f in written.findings)
    assert [r for r in lint_record(written) if r.severity == "fault"] == []


@pytest.mark.parametrize(("language", "question"), [("zh", "主诉"), ("en", "Chief complaint")])
def test_the_questions_follow_the_case(
    add,  # type: ignore[no-untyped-def]
    capsys: Captured,
    language: Language,
    question: str,
) -> None:
    add([language, "", "", "", "", "", "", "", "", "", ""])
    assert question in capsys.readouterr().out


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_input_may_end_after_any_step_and_be_resumed(
    add,  # type: ignore[no-untyped-def]
    out: Path,
    language: Language,
    tmp_path: Path,
) -> None:
    record = case(language)
    draft = out.with_name("cases.jsonl.draft.json")
    assert add(typed(record)) == 0
    whole = out.read_bytes()
    out.unlink()
    for number, (name, lines) in enumerate(steps(record)):
        assert add(lines, *(["--resume"] if number else [])) == (0 if name == "treatment" else 3)
        assert draft.exists() == (name != "treatment")
    assert out.read_bytes() == whole


def test_a_result_typed_before_the_input_ended_is_kept(add, out: Path) -> None:  # type: ignore[no-untyped-def]
    lines = dict(steps(case("en")))
    upto = ["language", "id", "demographics", "persona", *SECTIONS]
    begun = [line for name in upto for line in lines[name]]
    assert add([*begun, *lines["physical"][:10], "Pulse"]) == 3
    draft = json.loads(out.with_name("cases.jsonl.draft.json").read_text("utf-8"))
    assert len(draft["physical"]) == 2
    assert "physical" not in draft["done"]


def test_findings_are_corrected(add, out: Path, capsys: Captured) -> None:  # type: ignore[no-untyped-def]
    text = "Fever and cough for 2 days, no rash. Sleeps badly."
    lines = dict(steps(case("en")))
    lines["chief_complaint"] = [text, "", "1=high fever", "3", "3", "-2", "9", "+cough", "+zebra"]
    lines["chief_complaint"] += ["what?", ""]
    assert add([line for _, some in lines.items() for line in some]) == 0
    said = capsys.readouterr().out
    assert "no such number" in said
    assert "does not have these words" in said
    assert "Not understood" in said
    (written,) = read_records(out)
    found = [f for f in written.findings if f.section == "chief_complaint"]
    assert [(f.symptom, f.present) for f in found[:3]] == [
        ("high fever", True),
        ("cough", True),
        ("rash", False),
    ]
    assert text[found[1].start : found[1].end] == "cough"


def test_a_fault_is_told_at_once_and_can_be_taken_back(
    add,  # type: ignore[no-untyped-def]
    out: Path,
    capsys: Captured,
) -> None:
    lines = dict(steps(case("en")))
    wrong = ["Haemoglobin", "Blood count", "132 mmHg", "", "", "n"]
    lines["auxiliary"] = [*wrong, "Haemoglobin", "Blood count", "92 g/L", "115-150", "", ""]
    assert add([line for _, some in lines.items() for line in some]) == 0
    assert "not measured in mmHg" in capsys.readouterr().out
    (written,) = read_records(out)
    assert [(e.id, e.reading, e.abnormal) for e in written.auxiliary_examinations] == [
        ("e1", "92 g/L", True)
    ]


def test_codes_are_offered_and_checked(add, out: Path, capsys: Captured) -> None:  # type: ignore[no-untyped-def]
    lines = dict(steps(case("zh")))
    lines["diagnoses"] = ["", "十二指肠溃疡伴出血", "Z99.99", "", "", "幽门螺杆菌感染", "-", "", ""]
    assert add([line for _, some in lines.items() for line in some]) == 0
    said = capsys.readouterr().out
    assert "1 K26.4" in said
    assert "没有这个编码" in said
    assert "至少要有一个诊断" in said
    (written,) = read_records(out)
    assert [(d.icd10, d.role) for d in written.diagnoses] == [
        ("K26.4", "primary"),
        (None, "comorbidity"),
    ]


def test_a_faulty_case_is_not_saved_unasked(add, out: Path) -> None:  # type: ignore[no-untyped-def]
    lines = dict(steps(case("en")))
    lines["past_history"] = ["Mrs Pemberton has asthma.", "", ""]
    whole = [line for _, some in lines.items() for line in some]
    assert add([*whole, "n"]) == 3
    assert not out.exists()
    assert add(["y"], "--resume") == 0
    assert len(read_records(out)) == 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_faulty_parts_of_a_case_can_be_written_anew(
    add,  # type: ignore[no-untyped-def]
    out: Path,
    capsys: Captured,
    language: Language,
) -> None:
    record = case(language)
    lines = dict(steps(record))
    name = "Mrs Pemberton has asthma." if language == "en" else "患者姓名：张伟。"
    spoilt = lines | {
        "past_history": [name, "", ""],
        "diagnoses": ["Gout" if language == "en" else "痛风", "I21.9", "p", "y", ""],
    }
    whole = [line for _, some in spoilt.items() for line in some]
    # The code is the first fault, the name the second.
    assert add([*whole, "what", "2", *lines["past_history"], "1", *lines["diagnoses"]]) == 0
    assert "past_history" in capsys.readouterr().out
    (written,) = read_records(out)
    assert written.past_history == record.past_history
    assert [d.name for d in written.diagnoses] == [d.name for d in record.diagnoses]


def test_a_case_is_added_to_those_there_are(add, out: Path) -> None:  # type: ignore[no-untyped-def]
    write_records(bundled_records(), out)
    out.write_text(out.read_text("utf-8").rstrip("\n"), encoding="utf-8")
    lines = dict(steps(case("en")))
    lines["id"] = ["en-001", ""]
    assert add([line for _, some in lines.items() for line in some]) == 0
    written = read_records(out)
    assert written[:-1] == bundled_records()
    assert written[-1].id not in {record.id for record in bundled_records()}


def test_a_draft_is_neither_lost_nor_made_up(add, out: Path, capsys: Captured) -> None:  # type: ignore[no-untyped-def]
    assert add([], "--resume") == 2
    assert "no draft" in capsys.readouterr().err
    assert add(["en", ""]) == 3
    assert add(["en"]) == 2
    assert "--resume" in capsys.readouterr().err
    out.with_name("cases.jsonl.draft.json").write_text("{", encoding="utf-8")
    assert add([], "--resume") == 2
    out.write_text("[1]", encoding="utf-8")
    assert add([], "--resume") == 2


def test_it_can_be_piped(tmp_path: Path) -> None:
    out = tmp_path / "cases.jsonl"
    lines = "".join(f"{line}\n" for line in typed(case("zh")))
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "hospital", "records", "add", str(out)],
        input=lines.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert "已写入" in done.stdout.decode()
    assert len(read_records(out)) == 1


def test_ctrl_c_keeps_what_was_written(
    monkeypatch: pytest.MonkeyPatch, out: Path, capsys: Captured
) -> None:
    lines = iter(["zh", "zh-900", "消化内科", "46", "男", "", "", "肚子疼", "", "", "", ""])

    def typing(question: str) -> str:
        if "主诉" in question:
            raise KeyboardInterrupt
        return next(lines)

    monkeypatch.setattr("builtins.input", typing)
    assert run(["records", "add", str(out)]) == 130
    assert "--resume" in capsys.readouterr().out
    draft = json.loads(out.with_name("cases.jsonl.draft.json").read_text("utf-8"))
    assert draft["id"] == "zh-900"
    assert draft["persona"]["chief_complaint"] == "肚子疼"
    assert not out.exists()
