"""Published logs as runs, on logs of our own; the counts of the published ones where they are."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from records.errors import InputError
from records.published import PublishedRun, read_mvme
from records.published.names import doctor_named, is_published, published
from records.visit import Ending, Visit
from tests.records.published_logs import (
    LEAVE,
    ONE_STEP,
    OPENING,
    REFUSAL,
    REPORT,
    consulted,
    dialogue,
    judged,
    write_lines,
    write_logs,
)

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"


def only(run: PublishedRun, doctor: str, setting: str, record_id: str = "7") -> Visit:
    (visit,) = (
        v
        for v in run.visits
        if (v.doctor, v.setting, v.record_id) == (published(doctor), setting, record_id)
    )
    return visit


def test_every_kind_of_log_is_a_visit_under_the_doctor_s_published_name(tmp_path: Path) -> None:
    run = read_mvme(write_logs(tmp_path))

    assert Counter((v.doctor, v.setting) for v in run.visits) == {
        ("gpt-4 (published)", "interaction"): 2,
        ("qwen-max (published)", "interaction"): 2,
        ("gpt-4 (published)", "one_step"): 2,
        ("conference(gpt-4, gpt-3.5) (published)", "conference"): 2,
    }
    assert len({v.key for v in run.visits}) == 8
    assert run.config.imported == "mvme"
    assert run.config.shared.unrecorded == "normal"
    assert set(run.config.cases) == {"7", "8"}
    assert [v.key for v in read_mvme(tmp_path).visits] == [v.key for v in run.visits]


def test_a_consultation_has_its_words_its_addressees_and_its_facts(tmp_path: Path) -> None:
    run = read_mvme(write_logs(tmp_path))
    visit = only(run, "gpt-4", "interaction")

    said = [(m.turn, m.role, m.addressee) for m in visit.messages]
    assert said == [
        (0, "doctor", "patient"),
        (1, "patient", "doctor"),
        (1, "doctor", "patient"),
        (2, "patient", "examiner"),
        (2, "examiner", "doctor"),
        (2, "doctor", "patient"),
        (3, "patient", "doctor"),
        (3, "doctor", "chief_physician"),
    ]
    opening, leave = visit.messages[1], visit.messages[-2]
    assert opening.text == OPENING.partition("> ")[2]
    assert (leave.text, leave.trace and leave.trace.end) == (LEAVE.partition("> ")[2], True)
    record = run.cases.records["7"]
    stated = {f.id: f.symptom for f in record.findings}
    assert any("疼" in stated[i] for i in opening.facts)
    assert visit.messages[4].examinations == tuple(e.id for e in record.auxiliary_examinations)
    assert visit.models_answered == {"doctor": ("gpt-4",), "patient": ("gpt-3.5-turbo",)}


def test_endings_are_by_our_rules(tmp_path: Path) -> None:
    run = read_mvme(write_logs(tmp_path))

    assert only(run, "gpt-4", "interaction").ending is Ending.DIAGNOSIS_GIVEN
    declined = only(run, "qwen-max", "interaction")
    assert declined.ending is Ending.DOCTOR_DECLINED
    assert declined.report is not None
    assert declined.report.raw == REFUSAL
    assert only(run, "qwen-max", "interaction", "8").ending is Ending.ROUND_LIMIT


def test_a_log_without_a_report_is_the_doctor_s_failure(tmp_path: Path) -> None:
    path = write_logs(tmp_path) / "dialog_history_wenxin.jsonl"
    write_lines(path, dialogue(7, ("Patient", OPENING), report=None))
    visit = only(read_mvme(tmp_path), "wenxin-4.0", "interaction")

    assert (visit.ending, visit.failed_by) == (Ending.DOCTOR_FAILED, "doctor")
    assert visit.report is None
    assert visit.messages[-1].role == "patient"


def test_what_a_patient_does_to_the_format_is_noted_and_nothing_is_cut(tmp_path: Path) -> None:
    both = "<对医生讲> 好的。<对检查员讲> 请做检查。医生：您得了关节炎。"
    path = write_logs(tmp_path) / "dialog_history_wenxin.jsonl"
    talk = (("Patient", OPENING), ("Doctor", "请检查。"), ("Patient", both), ("Doctor", "嗯。"))
    early = (("Patient", "<结束> 再见。"), ("Doctor", "还没完。"), ("Patient", "哦，还有别的。"))
    write_lines(path, dialogue(7, *talk, *early))
    visit = only(read_mvme(tmp_path), "wenxin-4.0", "interaction")

    first, second = (m for m in visit.messages if m.turn == 2 and m.role == "patient")
    assert (first.addressee, first.text) == ("doctor", "好的。")
    assert (second.addressee, second.text) == ("examiner", "请做检查。医生：您得了关节炎。")
    assert {r.kind for r in first.repairs} >= {"message_split", "foreign_turn"}
    assert first.trace is not None
    assert first.trace.raw == both
    (ignored,) = (m for m in visit.messages if m.turn == 3 and m.role == "patient")
    assert "end_token_ignored" in {r.kind for r in ignored.repairs}
    assert visit.ending is Ending.ROUND_LIMIT


def test_a_one_step_report_was_asked_for_three_parts(tmp_path: Path) -> None:
    visit = only(read_mvme(write_logs(tmp_path)), "gpt-4", "one_step")

    assert visit.report is not None
    assert visit.report.asked == ("diagnosis", "rationale", "treatment")
    assert visit.report.raw == ONE_STEP
    assert visit.messages == ()


def test_a_conference_has_its_minutes(tmp_path: Path) -> None:
    run = read_mvme(write_logs(tmp_path))
    visit = only(run, "conference(gpt-4, gpt-3.5)", "conference")

    assert visit.report is not None
    assert (visit.report.symptoms, visit.report.examinations) == ("(1) 膝盖疼", "(1) X线见骨赘")
    assert "膝骨关节炎" in visit.report.diagnosis
    minutes = visit.conference
    assert minutes is not None
    assert (minutes.rounds_held, minutes.ended_by, minutes.moderator) == (
        0,
        "agreement",
        "gpt-4 (published)",
    )
    assert minutes.facts is not None
    assert minutes.facts.symptoms == "(1) 膝盖疼"
    first, second = minutes.participants
    assert first.visit_key == only(run, "gpt-4", "interaction").key
    assert (second.doctor, second.visit_key) == ("gpt-3.5 (published)", None)
    other = only(run, "conference(gpt-4, gpt-3.5)", "conference", "8").conference
    assert other is not None
    assert (other.rounds_held, other.ended_by) == (4, "round_limit")


def test_judgements_are_of_the_visit_with_that_report(tmp_path: Path) -> None:
    run = read_mvme(write_logs(tmp_path))

    first, second = run.judgements
    assert first.visit_key == only(run, "gpt-4", "one_step").key
    assert first.judge == "gpt-4 (published)"
    assert {d: g.grade for d, g in first.grades.items()} == {
        "diagnosis": "A",
        "rationale": "B",
        "treatment": "C",
    }
    assert first.grades["rationale"].analysis == "关于basis"
    assert second.grades["treatment"].grade is None
    assert second.grades["treatment"].reason


def test_judgements_of_consultations_have_five_dimensions(tmp_path: Path) -> None:
    whole = judged(7, REPORT, sympton="B", test="D")
    path = write_logs(tmp_path) / "evaluation_made_up_whole.jsonl"
    write_lines(path, whole, judged(8, "a report that is in no other file"))
    run = read_mvme(tmp_path)

    found = run.judgements[-1]
    assert found.visit_key == only(run, "gpt-4", "interaction").key
    assert (found.grades["symptoms"].grade, found.grades["examinations"].grade) == ("B", "D")
    assert run.without_visit == 1


def test_a_judgement_alone_makes_the_one_step_visit_and_a_bare_case(tmp_path: Path) -> None:
    write_lines(tmp_path / "evaluation_made_up_onestep.jsonl", judged(7))
    run = read_mvme(tmp_path)

    assert [v.setting for v in run.visits] == ["one_step"]
    assert (run.cases.bare, run.cases.rebuilt, run.cases.complete) == (1, 0, 0)
    record = run.cases.records["7"]
    assert [d.name for d in record.diagnoses] == ["膝骨关节炎", "高血压病"]
    assert {d.reach for d in record.diagnoses} == {"inferable"}
    assert record.findings == ()


def test_complete_records_are_taken_where_they_are_published(tmp_path: Path) -> None:
    sections = {"主诉": "膝痛3天。", "现病史": "上楼加重。", "诊断结果": "膝骨关节炎"}
    case = {"id": 7, "department": "骨科", "profile": "", "medical_record": sections}
    text = json.dumps([case], ensure_ascii=False)
    (write_logs(tmp_path) / "patients_full.json").write_text(text, encoding="utf-8")
    run = read_mvme(tmp_path)

    assert (run.cases.complete, run.cases.rebuilt) == (1, 1)
    assert run.cases.records["7"].chief_complaint == "膝痛3天。"
    assert only(run, "gpt-4", "interaction").messages[1].facts


def test_logs_of_patients_without_a_reference_are_left_out_and_counted(tmp_path: Path) -> None:
    path = write_logs(tmp_path) / "dialog_history_wenxin.jsonl"
    write_lines(path, consulted(9), consulted(7), consulted(7))
    run = read_mvme(tmp_path)

    assert run.without_case == {"9": 1}
    tried = [v.trial for v in run.visits if v.doctor == "wenxin-4.0 (published)"]
    assert tried == [1, 2]


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("dialog_history_x.jsonl", '{"patient_id": 7}', "dialog_history"),
        ("onestep_x.jsonl", '{"patient_id": 7, "diagnosis": 5}', "diagnosis"),
        ("x_discussion_history.jsonl", "[]", "JSON object"),
        ("evaluation_x.jsonl", '{"patient_id": 7}', "reference_diagnosis"),
        ("onestep_x.jsonl", "{", "not JSON"),
    ],
)
def test_a_bad_line_is_told_with_its_place(tmp_path: Path, name: str, line: str, told: str) -> None:
    (write_logs(tmp_path) / name).write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"(?s){name}.*line 1.*{told}"):
        read_mvme(tmp_path)


def test_a_directory_without_logs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no published log"):
        read_mvme(tmp_path)
    with pytest.raises(InputError, match="no such directory"):
        read_mvme(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "doctor"),
    [
        ("gpt3", "gpt-3.5"),
        ("gpt4_iiyi_patients", "gpt-4"),
        ("GPT-4", "gpt-4"),
        ("gpt-3.5-turbo-16k", "gpt-3.5"),
        ("qwen-max-1201", "qwen-max"),
        ("ERNIE-Bot4", "wenxin-4.0"),
        ("some_other", "some-other"),
        ("", "unnamed"),
    ],
)
def test_doctors_are_called_as_in_the_paper(name: str, doctor: str) -> None:
    assert doctor_named(name) == doctor
    assert is_published(published(doctor))
    assert not is_published(doctor)


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published logs are not here")
def test_the_published_conferences_have_their_rounds(tmp_path: Path) -> None:
    for path in (*PUBLISHED.glob("*_discussion_history.jsonl"), *PUBLISHED.glob("evaluation_*")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    held = [v.conference.rounds_held for v in read_mvme(tmp_path).visits if v.conference]

    assert Counter(held) == {0: 124, 1: 206, 2: 101, 3: 21, 4: 54}
