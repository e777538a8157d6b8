"""Rebuilding records out of published dialogues, on dialogues of our own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hospital.command_line import run
from records.errors import InputError
from records.medical_record import Examination, Finding, MedicalRecord
from records.readers import read_records, write_records
from records.rebuild import provenance_of, rebuild_records

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"
OPENING = "<对医生讲> 您好，我右边膝盖疼了三天了，上楼的时候更疼。"
REFERENCE = {"diagnosis": "1. 膝骨关节炎\n2. 高血压病", "basis": "查体见肿胀。", "treatment": None}


def write(directory: Path, dialogues: Mapping[str, list[tuple[str, int, str]]]) -> Path:
    """A directory of published files with one patient, a file for each dialogue."""
    for name, messages in dialogues.items():
        history = [{"role": role, "turn": turn, "content": text} for role, turn, text in messages]
        line = {"patient_id": 7, "dialog_history": [doctor(0, "您好，有哪里不舒服？"), *history]}
        path = directory / f"dialog_history_{name}.jsonl"
        path.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    reference = {"patient_id": 7, "reference_diagnosis": REFERENCE}
    path = directory / "evaluation_made_up.jsonl"
    path.write_text(json.dumps(reference, ensure_ascii=False) + "\n", encoding="utf-8")
    return directory


def doctor(turn: int, text: str) -> dict[str, Any]:
    return {"role": "Doctor", "turn": turn, "content": text}


def rebuilt(directory: Path, **dialogues: list[tuple[str, int, str]]) -> MedicalRecord:
    (record,) = rebuild_records(write(directory, dialogues)).records
    return record


def answered(question: str, answer: str) -> list[tuple[str, int, str]]:
    """A dialogue of an opening and one answered question."""
    return [("Patient", 1, OPENING), ("Doctor", 1, question), ("Patient", 2, answer)]


def examined(text: str) -> list[tuple[str, int, str]]:
    """A dialogue of an opening and one examiner's message."""
    request = ("Patient", 2, "<对检查员讲> 您好，医生建议我做检查，请问结果是什么？谢谢。")
    return [("Patient", 1, OPENING), ("Doctor", 1, "请去做检查。"), request, ("Reporter", 2, text)]


def about(record: MedicalRecord, word: str) -> list[Finding]:
    return [f for f in record.findings if word in f.symptom]


def results(record: MedicalRecord) -> dict[str, Examination]:
    return {e.name: e for e in (*record.physical_examination, *record.auxiliary_examinations)}


def contradicted_by(examination: Examination) -> tuple[str, ...]:
    provenance = provenance_of(examination)
    assert provenance is not None
    return provenance.contradicts


def test_a_record_has_the_complaint_the_reference_and_nothing_that_was_not_said(
    tmp_path: Path,
) -> None:
    record = rebuilt(tmp_path, a=[("Patient", 1, OPENING)])

    assert record.id == "7"
    assert record.language == "zh"
    assert record.persona.chief_complaint == "我右边膝盖疼了三天了，上楼的时候更疼。"
    assert [d.name for d in record.diagnoses] == ["膝骨关节炎", "高血压病"]
    assert record.rationale == "查体见肿胀。"
    assert record.treatment is None
    assert record.chief_complaint is None
    assert record.demographics.age_years is None
    assert record.auxiliary_examinations == ()


def test_a_fact_said_in_two_dialogues_is_one_finding_with_both_places(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("有没有发烧？", "<对医生讲> 没有发烧。"),
        b=answered("最近有没有发热？", "<对医生讲> 我没有发热的情况。"),
    )

    (fever,) = about(record, "发烧")
    assert not fever.present
    assert fever.attributes["said_in"] == "a:2 b:2"
    assert fever.attributes["support"] == "recurring"
    text = record.section_text(fever.section)
    assert fever.start is not None
    assert text[fever.start : fever.end] == "没有发烧"


def test_what_one_dialogue_alone_has_is_a_finding_outside_the_text(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("还有哪里不舒服？", "<对医生讲> 我有时候会头晕。"),
        b=[("Patient", 1, OPENING)],
    )

    (dizzy,) = about(record, "头晕")
    assert dizzy.attributes["support"] == "single"
    assert dizzy.start is None
    assert "头晕" not in (record.history_of_present_illness or "")


def test_a_list_keeps_its_polarity_when_only_its_end_recurs(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("有没有别的？", "<对医生讲> 没有咳嗽、胸痛。"),
        b=answered("胸痛吗？", "<对医生讲> 没有胸痛。"),
    )

    assert record.history_of_present_illness == "没有胸痛。"
    (chest,) = about(record, "胸痛")
    assert not chest.present


def test_a_denied_list_is_denied_in_the_text_whatever_its_members_words(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("还有别的？", "<对医生讲> 没有腹胀、食欲不振、体重下降。"),
        b=answered("食欲？体重？", "<对医生讲> 没有食欲不振、体重下降。"),
    )

    assert record.history_of_present_illness == "没有食欲不振、体重下降。"


def test_statements_that_exclude_each_other_are_both_kept_and_marked(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("有高血压吗？", "<对医生讲> 我没有高血压。"),
        b=answered("有高血压吗？", "<对医生讲> 是的，我有高血压病史。"),
    )

    denied, affirmed = sorted(about(record, "高血压"), key=lambda f: f.present)
    assert denied.attributes["contradicts"] == affirmed.id
    assert affirmed.attributes["contradicts"] == denied.id


def test_two_durations_of_one_symptom_contradict(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("咳嗽多久了？", "<对医生讲> 咳嗽一周了。"),
        b=answered("咳嗽多久了？", "<对医生讲> 咳嗽7天了。"),
        c=answered("咳嗽多久了？", "<对医生讲> 咳嗽两个月了。"),
    )

    week, months = about(record, "咳嗽")
    assert week.attributes["said_in"] == "a:2 b:2"
    assert week.attributes["contradicts"] == months.id


@pytest.mark.parametrize(
    ("answer", "word", "present"),
    [
        ("胳膊没有力气。", "力气", True),
        ("疼痛没有缓解。", "缓解", True),
        ("我没有食欲不振。", "食欲", False),
        ("反酸倒没有。", "反酸", False),
        ("我不吸烟。", "吸烟", False),
        ("鸡蛋什么的也没有过敏。", "过敏", False),
        ("腹泻没有腹痛。", "腹痛", False),
    ],
)
def test_spoken_denials(tmp_path: Path, answer: str, word: str, present: bool) -> None:
    record = rebuilt(tmp_path, a=answered("怎么样？", f"<对医生讲> {answer}"))

    (finding,) = [f for f in record.findings if word in f.text]
    assert finding.present == present


def test_what_a_doctor_said_before_the_visit_is_no_echo(tmp_path: Path) -> None:
    answer = "<对医生讲> 去年医生说我有胆囊结石。"
    record = rebuilt(tmp_path, a=answered("根据诊断，您以前查过吗？", answer))

    assert about(record, "胆囊结石")


def test_a_denial_with_a_condition_contradicts_nothing(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("还有什么？", "<对医生讲> 我有咳嗽。"),
        b=answered("夜里呢？", "<对医生讲> 夜间没有咳嗽。"),
    )

    assert all("contradicts" not in f.attributes for f in about(record, "咳嗽"))


@pytest.mark.parametrize(
    "message",
    [
        "<对医生讲> 谢谢医生，我会按照您的建议好好休息。",
        "<对医生讲> 请问我的膝盖需要手术吗？",
        "<对检查员讲> 您好，医生建议我做血常规，我发烧了吗？",
        "<对医生讲> 我不清楚有没有骨质疏松。",
        "<结束>",
        "<对医生讲> 好的。\n检查员：血常规显示贫血。",
    ],
)
def test_courtesy_requests_ignorance_and_other_voices_are_no_history(
    tmp_path: Path, message: str
) -> None:
    alone = rebuilt(tmp_path, a=[("Patient", 1, OPENING)])
    record = rebuilt(tmp_path, a=answered("明白了吗？", message))

    assert [f.text for f in record.findings] == [f.text for f in alone.findings]


@pytest.mark.parametrize(
    "words", ["没有", "我没有", "除了只是", "没有头痛、", "的情况", "3天前", "，"]
)
def test_a_model_that_repeats_itself_costs_nothing(tmp_path: Path, words: str) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("还有什么？", f"<对医生讲> {words * 3000}x。"),
        b=examined(f"#检查项目#\n- 血沉: {words * 3000}\n- {words * 3000}: 正常"),
    )

    assert record.persona.chief_complaint


def test_what_follows_no_question_is_an_echo(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path, a=answered("你得的是痛风，注意休息。", "<对医生讲> 我得了痛风，关节发炎。")
    )

    assert about(record, "痛风") == []


def test_sections_come_from_the_words(tmp_path: Path) -> None:
    told = "<对医生讲> 我父亲有糖尿病史。我对青霉素过敏。我不吸烟。我在服用布洛芬。"
    record = rebuilt(tmp_path, a=answered("既往史？", told), b=answered("既往史？", told))

    assert record.family_history == "我父亲有糖尿病史。"
    assert record.past_history == "我对青霉素过敏。"
    assert record.personal_history == "我不吸烟。"
    assert record.medication_history == "我在服用布洛芬。"


def test_the_familys_illness_is_not_the_patients(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("家族史？", "<对医生讲> 家族中没有高血压、糖尿病。"),
        b=answered("糖尿病？", "<对医生讲> 我有糖尿病。"),
    )

    kin, own = sorted(about(record, "糖尿病"), key=lambda f: f.present)
    assert kin.section == "family_history"
    assert own.section == "past_history"
    assert "contradicts" not in kin.attributes


def test_age_and_sex_only_as_stated_and_not_as_findings(tmp_path: Path) -> None:
    record = rebuilt(tmp_path, a=answered("年龄？性别？", "<对医生讲> 我今年61岁，我是女性。"))

    assert (record.demographics.age_years, record.demographics.sex) == (61, "female")
    assert about(record, "61") == []


def test_two_ages_are_told_apart_and_none_is_chosen(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=answered("年龄？", "<对医生讲> 我今年61岁。"),
        b=answered("年龄？", "<对医生讲> 我今年16岁。"),
    )

    assert record.demographics.age_years is None
    assert record.demographics.description == "16岁；61岁"


def test_a_result_recurs_whatever_its_layout(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=examined("#检查项目#\n- 血常规:\n  - 白细胞计数: 5.2×10^9/L"),
        b=examined("#血常规#\n-白细胞计数：5.2 x10^9/L\n\n祝您早日康复！"),
    )

    (white,) = record.auxiliary_examinations
    assert (white.name, white.category, white.value) == ("白细胞计数", "血常规", "5.2")
    provenance = provenance_of(white)
    assert provenance is not None
    assert (provenance.said_in, provenance.support) == ("a:2 b:2", "recurring")


@pytest.mark.parametrize(
    "text",
    [
        "#检查项目#\n- 胃镜: 无异常\n- 肝功能: 无\n- 心电图: 未提供具体结果\n- 血糖: xxx",
        "#检查项目#\n- 膝关节X光检查\n- 血沉检测",
        "很抱歉，根据我收到的检查结果，没有您的膝关节MRI结果。祝您健康！",
        "您需要预约膝关节MRI检查，请咨询医生。",
    ],
)
def test_conventions_bare_names_and_refusals_are_no_results(tmp_path: Path, text: str) -> None:
    assert results(rebuilt(tmp_path, a=examined(text))) == {}


def test_a_finding_given_where_another_dialogue_has_the_convention_contradicts_nothing(
    tmp_path: Path,
) -> None:
    record = rebuilt(tmp_path, a=examined("- 胃镜: 无异常"), b=examined("- 胃镜: 胃窦充血"))

    (scope,) = record.auxiliary_examinations
    assert scope.value == "胃窦充血"
    assert contradicted_by(scope) == ()


def test_two_numbers_of_one_test_contradict_unless_one_dialogue_has_both(tmp_path: Path) -> None:
    apart = rebuilt(tmp_path, a=examined("- 血糖: 5.1mmol/L"), b=examined("- 血糖: 9.7mmol/L"))
    assert [contradicted_by(e) for e in apart.auxiliary_examinations] == [("e2",), ("e1",)]

    series = rebuilt(
        tmp_path, a=examined("- 血糖: 5.1mmol/L\n- 血糖: 9.7mmol/L"), b=examined("- 肝功能: 无")
    )
    assert [contradicted_by(e) for e in series.auxiliary_examinations] == [(), ()]


def test_signs_are_kept_apart_from_auxiliary_results(tmp_path: Path) -> None:
    record = rebuilt(
        tmp_path,
        a=examined("#查体#\n- 体温: 36.5℃\n- 右膝: 轻度肿胀，压痛\n\n#辅助检查#\n- 血沉: 20mm/h\n"),
    )

    assert [e.value for e in record.physical_examination] == ["36.5", "轻度肿胀，压痛"]
    assert [e.name for e in record.auxiliary_examinations] == ["血沉"]


def test_the_same_files_give_the_same_records_and_they_are_read_back(tmp_path: Path) -> None:
    dialogues = {
        "a": [
            *answered("发烧吗？", "<对医生讲> 没有发烧，有点咳嗽。"),
            *examined("- 血沉: 20mm/h"),
        ],
        "b": answered("发烧吗？", "<对医生讲> 发烧两天了，没有咳嗽。"),
    }
    first = rebuild_records(write(tmp_path, dialogues)).records
    out = tmp_path / "records.jsonl"
    write_records(first, out)

    assert tuple(read_records(out)) == first
    assert rebuild_records(tmp_path).records == first


def test_a_patient_without_a_reference_diagnosis_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a": [("Patient", 1, OPENING)]})
    reference = {"patient_id": 8, "reference_diagnosis": REFERENCE}
    (tmp_path / "evaluation_made_up.jsonl").write_text(json.dumps(reference), encoding="utf-8")

    found = rebuild_records(tmp_path)
    assert found.records == ()
    assert found.without_reference == ("7",)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "not JSON"),
        ("[]", "a JSON object was expected"),
        ('{"patient_id": 3}', "no dialogue"),
        ('{"patient_id": true, "dialog_history": []}', "no dialogue"),
        ('{"patient_id": 3, "dialog_history": [], "x": "\\ud83d"}', "surrogate"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, what: str) -> None:
    write(tmp_path, {"a": [("Patient", 1, OPENING)]})
    broken = tmp_path / "dialog_history_b.jsonl"
    broken.write_text(f"\n{line}\n", encoding="utf-8")

    with pytest.raises(InputError, match=what) as caught:
        rebuild_records(tmp_path)
    (fault,) = caught.value.faults
    assert (fault.file, fault.record) == (broken, "line 2")


def test_messages_of_the_wrong_shape_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"a": [("Patient", 1, OPENING)]})
    history = [3, {"role": "Patient"}, {"role": "Nurse", "turn": 1, "content": "x"}]
    line = {"patient_id": "7", "dialog_history": history}
    (tmp_path / "dialog_history_b.jsonl").write_text(json.dumps(line), encoding="utf-8")

    assert len(rebuild_records(tmp_path).records) == 1


def test_the_command_writes_the_records_and_says_what_they_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "published"
    source.mkdir()
    write(source, {"a": answered("发烧吗？", "没有发烧。")})
    out = tmp_path / "out.jsonl"

    assert run(["records", "rebuild", str(source), str(out)]) == 0
    assert len(read_records(out)) == 1
    assert "1 single" in capsys.readouterr().out


@pytest.mark.parametrize("made", ["missing", "file", "empty"])
def test_a_bad_directory_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], made: str
) -> None:
    source = tmp_path / "published"
    if made == "file":
        source.write_text("x", encoding="utf-8")
    elif made == "empty":
        source.mkdir()

    assert run(["records", "rebuild", str(source), str(tmp_path / "out.jsonl")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(source) in line


def test_the_output_does_not_go_among_the_published_files(tmp_path: Path) -> None:
    write(tmp_path, {"a": [("Patient", 1, OPENING)]})

    assert run(["records", "rebuild", str(tmp_path), str(tmp_path / "evaluation_x.jsonl")]) == 2


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published data are not here")
def test_the_published_dialogues_give_a_record_of_every_patient() -> None:
    found = rebuild_records(PUBLISHED)

    assert len(found.records) == 506
    assert found.without_reference == ()
    findings = [f for record in found.records for f in record.findings]
    assert all(provenance_of(f) for f in findings)
    for record in found.records:
        for finding in record.findings:
            if finding.start is not None:
                text = record.section_text(finding.section)
                assert text[finding.start : finding.end] in finding.text
    marked = {(r.id, f.id): provenance_of(f) for r in found.records for f in r.findings}
    for (record_id, finding_id), provenance in marked.items():
        assert provenance is not None
        for other in provenance.contradicts:
            against = marked[record_id, other]
            assert against is not None
            assert finding_id in against.contradicts
