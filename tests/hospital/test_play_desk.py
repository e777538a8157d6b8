"""What a person in the Doctor's chair types, and what becomes of it; in this process."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hospital.play.appointing import go_on
from hospital.play.draft import Draft
from records.diseases.icd10 import same_category
from records.errors import LedgerError
from records.ledger import LedgerWriter
from records.views import PatientView
from records.visit import DOCTOR
from tests.paper import Cut, Paper
from tests.person import REPORT, appointed, attended, bundled, only_visit


@pytest.mark.parametrize(
    ("case", "heading", "closing"),
    [("en-002", "Diagnosis: scabies", "/report"), ("zh-001", "诊断结果：疥疮", "／报告")],
)
async def test_a_heading_typed_within_a_part_is_words(
    tmp_path: Path, case: str, heading: str, closing: str
) -> None:
    symptoms = f"itching\n{heading}\nfor 3 months"
    lines = [closing, symptoms, "# Diagnosis", "x", "", "y", ""]
    assert await attended(appointed(tmp_path, case), Paper(lines))
    report = only_visit(tmp_path).report
    assert report is not None
    assert (report.symptoms, report.examinations) == (symptoms, "# Diagnosis")
    assert (report.diagnosis, report.rationale, report.treatment) == ("x", "", "y")


async def test_the_report_is_read_over_before_it_is_handed_in(tmp_path: Path) -> None:
    lines = [
        *("Any fever?", "/report", "", "/chart", "/order ECG", "", "", "", ""),
        # All is empty: it is not taken. A part is changed; one may go back to the patient.
        *("", "3", "Asthma", "/undo", "Any chest pain?", "/report"),
        *("", "", "", "", "", "7", "3", "Pulmonary embolism", ""),
    ]
    paper = Paper(lines)
    assert await attended(appointed(tmp_path), paper)
    assert "The report is empty." in paper.text
    assert "Negatives: No fever" in paper.text
    assert "The consultation is over; /undo" in paper.text
    # What was written stands there when one comes back to it.
    assert [a.default for a in paper.asked if a.prompt.startswith("3.")][-2:] == ["Asthma"] * 2
    visit = only_visit(tmp_path)
    assert visit.report is not None
    assert visit.report.diagnosis == "Pulmonary embolism"
    said = [m.text for m in visit.messages if m.role == DOCTOR]
    assert said[1:3] == ["Any fever?", "Any chest pain?"]
    # What a person types is for the patient: nothing had to be repaired.
    assert not any(
        repair.kind == "addressee_missing" for m in visit.messages for repair in m.repairs
    )


async def test_a_report_that_was_left_goes_on_where_it_was(tmp_path: Path) -> None:
    # The first part is empty; the third is cut off in the middle of the word.
    assert not await attended(
        appointed(tmp_path), Paper(["Any fever?", "/report", "", "an X-ray", Cut("Pulmo")])
    )
    paper = Paper(["", "", "Pulmonary embolism", "", "", ""])
    assert await attended(go_on(tmp_path), paper)
    assert "Doctor: Any fever?" in paper.text
    assert [asked.default for asked in paper.asked[:5]] == ["", "an X-ray", "Pulmo", "", ""]
    report = only_visit(tmp_path).report
    assert report is not None
    assert (report.symptoms, report.diagnosis) == ("", "Pulmonary embolism")


@pytest.mark.parametrize(("case", "asked"), [("en-002", "/chart"), ("zh-001", "/病历")])
async def test_the_complaint_is_on_the_chart_and_nothing_that_was_not_said(
    tmp_path: Path, case: str, asked: str
) -> None:
    record = bundled(case)
    opening = PatientView.of(record).opening
    paper = Paper([asked, "/report", *REPORT])
    assert await attended(appointed(tmp_path, case), paper)
    chart, _, rest = paper.text.partition(f"> {asked}\n")[2].partition("/report")
    assert opening in chart
    # A heading, the complaint, and the next prompt.
    assert len(chart.splitlines()) == 3
    # Nobody is reproached with not asking for what the patient said unasked.
    missed = "从未问到：" if record.language == "zh" else "Never asked: "
    line = rest.partition(missed)[2].partition("\n")[0].casefold()
    assert line
    for finding in record.findings:
        if finding.section == "chief_complaint":
            assert finding.text.casefold() not in line.split("; "), finding


async def test_the_report_in_an_editor(tmp_path: Path) -> None:
    def edited(text: str) -> str:
        assert "# Diagnosis" in text
        return text.replace("# Diagnosis\n", "# Diagnosis\nPulmonary embolism\n")

    assert await attended(appointed(tmp_path), Paper(["/report edit", ""], edited=edited))
    report = only_visit(tmp_path).report
    assert report is not None
    assert report.diagnosis == "Pulmonary embolism"


async def test_without_an_editor_the_report_is_written_part_by_part(tmp_path: Path) -> None:
    paper = Paper(["/report edit", *REPORT])
    assert await attended(appointed(tmp_path), paper)
    assert "No editor was used" in paper.text


async def test_a_mistyped_command_comes_back_to_be_mended(tmp_path: Path) -> None:
    paper = Paper(["/exmine the left leg", "/examine the left leg"])
    assert not await attended(appointed(tmp_path), paper)
    assert "did you mean /examine?" in paper.text
    assert [asked.default for asked in paper.asked[:3]] == ["", "/exmine the left leg", ""]


@pytest.mark.parametrize("exam", [True, False])
async def test_help_has_no_line_wider_than_eighty_columns(tmp_path: Path, exam: bool) -> None:
    for case, asked, practice in (("en-002", "/help", "/hint"), ("zh-001", "/帮助", "/提示")):
        paper = Paper([asked], width=79)
        assert not await attended(appointed(tmp_path / case, case, exam=exam), paper)
        help_ = paper.text.partition(asked)[2]
        assert "/report" in help_
        assert (practice in help_) is not exam


def write(path: Path, line: str, number: int | None = None) -> None:
    lines = path.read_text("utf-8").splitlines()
    if number is None:
        lines.append(line)
    else:
        lines[number - 1] = line
    path.write_text("\n".join(lines) + "\n", "utf-8")


async def test_a_damaged_draft_says_which_line(tmp_path: Path) -> None:
    appointment = appointed(tmp_path)
    assert not await attended(appointment, Paper(["Any fever?"]))
    whole = appointment.path.read_text("utf-8")
    write(appointment.path, '{"said": {"tu')
    n = len(whole.splitlines()) + 1
    with pytest.raises(LedgerError, match=rf"line {n}: damaged; remove that line"):
        await attended(go_on(tmp_path), Paper())
    for damaged in ("[]", '{"said": {"turn": "x"}}'):
        appointment.path.write_text(whole, "utf-8")
        write(appointment.path, damaged, 3)
        with pytest.raises(LedgerError, match=r"line 3: damaged"):
            await attended(go_on(tmp_path), Paper())
    for nothing in ("", "{}\n"):
        appointment.path.write_text(nothing, "utf-8")
        with pytest.raises(LedgerError, match=r"remove it|cannot go on"):
            go_on(tmp_path)
    # A damaged draft is in nobody's way.
    assert appointed(tmp_path).begun.order.trial == 2
    # A kill in the middle of a line costs that line alone.
    appointment.path.write_text(whole + '{"note": "hal', "utf-8")
    paper = Paper()
    assert not await attended(go_on(tmp_path), paper)
    assert "Going on where you left." in paper.text


async def test_a_draft_whose_case_has_changed_or_is_gone(tmp_path: Path) -> None:
    source, run = tmp_path / "cases.jsonl", tmp_path / "run"
    record = bundled("en-002")
    source.write_text(record.model_dump_json() + "\n", "utf-8")
    # An examination has no snapshot of its case yet.
    appointment = appointed(run, sources=(str(source),), exam=True)
    assert not await attended(appointment, Paper(["Any fever?"]))
    changed = record.model_copy(update={"treatment": "Rest."})
    source.write_text(changed.model_dump_json() + "\n", "utf-8")
    with pytest.raises(LedgerError, match=r"its case en-002 has changed in .*cases\.jsonl"):
        go_on(run)
    other = record.model_copy(update={"id": "another"})
    source.write_text(other.model_dump_json() + "\n", "utf-8")
    with pytest.raises(LedgerError, match=r"its case en-002 is no longer in .*cases\.jsonl"):
        go_on(run)
    # Outside an examination the run has its case itself.
    source.write_text(record.model_dump_json() + "\n", "utf-8")
    assert not await attended(appointed(run, sources=(str(source),)), Paper(["Any fever?"]))
    source.write_text(other.model_dump_json() + "\n", "utf-8")
    assert go_on(run).record == record


async def test_two_windows(tmp_path: Path) -> None:
    appointment = appointed(tmp_path / "a")
    config, record = appointment.config, appointment.record
    with (
        LedgerWriter(tmp_path / "a", config, [record]),
        pytest.raises(LedgerError, match="--out DIRECTORY"),
    ):
        await attended(appointment, Paper())
    exam = appointed(tmp_path / "b", exam=True)
    assert not await attended(exam, Paper(["Any fever?"]))
    draft = Draft(exam.path, exam.begun)
    with pytest.raises(LedgerError, match="goes on in another window"):
        await attended(go_on(tmp_path / "b"), Paper())
    draft.close()
    # An examination's run is taken at its end; if another has it then, nothing is lost.
    with (
        LedgerWriter(tmp_path / "b", exam.config, [record]),
        pytest.raises(LedgerError, match="--resume' hands the visit in"),
    ):
        await attended(go_on(tmp_path / "b"), Paper(["/report", *REPORT]))
    assert await attended(go_on(tmp_path / "b"), Paper())
    visit = only_visit(tmp_path / "b")
    assert visit.report is not None
    assert visit.report.diagnosis == "Pulmonary embolism"


async def test_a_full_disk_loses_nothing_that_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fill(_: Paper) -> str:
        monkeypatch.setattr("records.jsonl.os.write", full)
        return "Do you smoke?"

    with pytest.raises(OSError, match="space"):
        await attended(appointed(tmp_path), Paper(["Any fever?", fill]))
    monkeypatch.undo()
    paper = Paper(["/report", *REPORT])
    assert await attended(go_on(tmp_path), paper)
    assert "Doctor: Any fever?" in paper.text
    assert only_visit(tmp_path).ending == "diagnosis_given"


async def test_a_run_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    other = appointed(tmp_path, max_turns=3)
    assert not await attended(other, Paper())
    with pytest.raises(LedgerError, match="max_turns is 3 there and 40 here; --out DIRECTORY"):
        await attended(appointed(tmp_path), Paper())
    assert list(other.path.parent.iterdir()) == [other.path]


@pytest.mark.parametrize(
    ("case", "lists", "told"),
    [
        ("en-002", ["asthma", "asthma, PE", "PE"], "2 of 2; it was at the top from turn 3 on."),
        ("en-002", ["pulmonary embolism"], "turn 1, and at once to the top."),
        ("en-002", ["PE, asthma", "asthma, PE"], "it was at place 2 in the end."),
        ("en-002", ["PE", "asthma"], "your last list had it no more."),
        ("en-002", ["asthma"], "the diagnosis never stood on it."),
        ("en-002", [], None),
        ("zh-004", ["阑尾炎、宫外孕"], "在第 1 轮列入，排第 2（共 2 项）；最后排第 2。"),
        ("zh-004", ["输卵管妊娠破裂"], "在第 1 轮列入，并直接排在首位。"),
    ],
)  # fmt: skip
async def test_how_the_private_lists_came_to_the_diagnosis(
    tmp_path: Path, case: str, lists: list[str], told: str | None
) -> None:
    assert same_category(bundled("zh-004").diagnoses[0].icd10, "O00")
    asked = {"en-002": "Any fever?", "zh-004": "发热吗？"}[case]
    lines = [line for names in lists for line in (f"/ddx {names}", asked)]
    paper = Paper([*lines, "/report", *REPORT])
    assert await attended(appointed(tmp_path, case), paper)
    if told is None:
        assert "Your list:" not in paper.text
    else:
        assert told in paper.text
