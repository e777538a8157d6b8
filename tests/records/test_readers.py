"""Readers: three formats told apart by content, what they take over, and what they complain of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from records.errors import InputError
from records.medical_record import (
    HISTORY_SECTIONS,
    Demographics,
    Diagnosis,
    Examination,
    MedicalRecord,
)
from records.readers import inspect_file, lint_file, read_records, write_records

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
MVME = DATA / "mvme" / "patients_full.json"
AGENTCLINIC = DATA / "agentclinic" / "agentclinic_medqa.jsonl"
published = pytest.mark.skipif(
    not (MVME.exists() and AGENTCLINIC.exists()), reason="the published cases are not here"
)


def own(**changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": "a",
        "language": "en",
        "chief_complaint": "Sore throat, no fever",
        "diagnoses": [{"id": "d1", "name": "Tonsillitis", "icd10": "J03.9"}],
    }
    return {name: value for name, value in {**record, **changes}.items() if value is not ...}


def mvme(**sections: str) -> dict[str, Any]:
    record = {
        "一般资料": "\n性别: 女\n年龄: 5个月\n职业: 无\n",
        "主诉": "发热1天。",
        "现病史": "患儿1天前发热，无咳嗽、腹泻。",
        "诊断结果": "1. 急性扁桃体炎\n2. 热性惊厥史",
        **sections,
    }
    profile = "<病情陈述> 你昨晚开始发烧，你妈妈很着急。\n<说法方式> 你还不会说话。\n"
    return {"id": 7, "department": "儿科病例 ", "profile": profile, "medical_record": record}


def osce(**changes: Any) -> dict[str, Any]:
    case: dict[str, Any] = {
        "Objective_for_Doctor": "Find out.",
        "Patient_Actor": {
            "Demographics": "3-week-old boy",
            "History": "His mother reports noisy breathing.",
            "Symptoms": {"Primary_Symptom": "Stridor", "Secondary_Symptoms": ["Poor feeding"]},
            "Past_Medical_History": "Information not provided.",
            "Social_History": "Has two siblings. No other social history provided.",
            "Review_of_Systems": "No additional symptoms mentioned.",
        },
        "Physical_Examination_Findings": {
            "Vital_Signs": {"Temperature": "37.9°C (100.2°F)", "Heart_Rate": "150 bpm"},
            "Neck_Examination": {"Inspection": "Retractions.", "Palpation": "N/A"},
        },
        "Test_Results": {
            "Blood_Count": {"WBC": "14,200 /μL (elevated)", "Platelets": "Normal"},
            "Laryngoscopy": {"Findings": "Omega-shaped epiglottis", "Comments": "Floppy."},
        },
        "Correct_Diagnosis": "Laryngomalacia",
    }
    return {"OSCE_Examination": {**case, **changes}}


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*values: Any, as_list: bool = False, name: str = "cases.txt") -> Path:
        path = tmp_path / name
        lines = [v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values]
        text = f"[{','.join(lines)}]" if as_list else "\n".join(lines) + "\n"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def results(examinations: tuple[Examination, ...]) -> list[tuple[Any, ...]]:
    return [(e.category, e.name, e.value, e.unit, e.abnormal) for e in examinations]


class TestFormats:
    @pytest.mark.parametrize("as_list", [False, True])
    @pytest.mark.parametrize(
        ("case", "id_"), [(own(), "a"), (mvme(), "7"), (osce(), "agentclinic-001")]
    )
    def test_the_content_tells_the_format(
        self, file: Callable[..., Path], case: dict[str, Any], id_: str, as_list: bool
    ) -> None:
        (record,) = read_records(file(case, as_list=as_list))
        assert record.id == id_

    def test_one_object_may_spread_over_lines(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(json.dumps(mvme(), indent=1)))
        assert record.chief_complaint == "发热1天。"

    def test_a_byte_order_mark_is_no_content(self, tmp_path: Path) -> None:
        path = tmp_path / "cases"
        path.write_text(json.dumps(own()), encoding="utf-8-sig")
        assert read_records(path)[0].id == "a"


class TestOwn:
    def test_findings_are_split_where_the_record_lists_none(
        self, file: Callable[..., Path]
    ) -> None:
        (record,) = read_records(file(own()))
        assert [(f.symptom, f.present) for f in record.findings] == [
            ("Sore throat", True),
            ("fever", False),
        ]

    def test_a_reach_given_by_hand_wins(self, file: Callable[..., Path]) -> None:
        named = {"id": "d1", "name": "Sore throat"}
        (by_rule,) = read_records(file(own(diagnoses=[named])))
        (by_hand,) = read_records(file(own(diagnoses=[{**named, "reach": "unreachable"}])))
        assert by_rule.diagnoses[0].reach == "known_history"
        assert by_hand.diagnoses[0].reach == "unreachable"


class TestMvme:
    def test_history_persona_and_diagnoses(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(mvme()))
        assert record.department == "儿科"
        assert record.demographics == Demographics(
            age_years=0.417, sex="female", description="5个月"
        )
        assert record.persona.chief_complaint == "我昨晚开始发烧，我妈妈很着急。"
        assert record.persona.way_of_speaking == "你还不会说话。"
        assert [(d.name, d.role) for d in record.diagnoses] == [
            ("急性扁桃体炎", "primary"),
            ("热性惊厥史", "history"),
        ]
        assert record.past_history is None

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            (
                "急性胃炎；高血压2级（高危，心功能II级）",
                ["急性胃炎", "高血压2级（高危，心功能II级）"],
            ),
            ("1. 胆囊结石\n2. 脂肪肝", ["胆囊结石", "脂肪肝"]),
            ("①肺炎，②贫血", ["肺炎", "贫血"]),
            ("心包炎，心房颤动，心功能II级", ["心包炎", "心房颤动，心功能II级"]),
        ],
    )
    def test_diagnoses_are_split_outside_brackets(
        self, file: Callable[..., Path], text: str, names: list[str]
    ) -> None:
        (record,) = read_records(file(mvme(诊断结果=text)))
        assert [diagnosis.name for diagnosis in record.diagnoses] == names

    def test_the_first_diagnosis_stands_in_for_a_final_one(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(mvme(诊断结果="", 初步诊断="川崎病？")))
        assert record.diagnoses[0].name == "川崎病？"

    def test_results_of_every_shape(self, file: Callable[..., Path]) -> None:
        text = """
- 血常规(3-12):
  - HGB 98g/L
  - 血小板: 310×10^9/L
- 血液检查
  - 肾功能：尿素 4.1 mmol/L, 肌酐 40 umol/L
- 胸片:
  - 双肺纹理增多
  - 左室射血分数61%
- 脑电图: 未见异常
- CRP: 22mg/L（参考值0-8mg/L）
- 血培养: 待结果
- 其他检查:
  - 腹部彩超提示肠系膜淋巴结肿大
  - 轮状病毒抗原检测阴性
腹部超声:
- 脾大，肋下2cm
"""
        (record,) = read_records(file(mvme(辅助检查=text)))
        assert results(record.auxiliary_examinations) == [
            ("血常规(3-12)", "HGB", "98", "g/L", None),
            ("血常规(3-12)", "血小板", "310", "×10^9/L", None),
            ("血液检查/肾功能", "尿素", "4.1", "mmol/L", None),
            ("血液检查/肾功能", "肌酐", "40", "umol/L", None),
            (None, "胸片", "双肺纹理增多", None, None),
            ("胸片", "左室射血分数", "61", "%", None),
            (None, "脑电图", "未见异常", None, False),
            (None, "CRP", "22", "mg/L", True),
            (None, "血培养", "待结果", None, None),
            ("其他检查", "腹部彩超", "提示肠系膜淋巴结肿大", None, None),
            ("其他检查", "轮状病毒抗原检测", "阴性", None, False),
            (None, "腹部超声", "脾大，肋下2cm", None, None),
        ]
        assert record.auxiliary_examinations[7].reference_range == "0-8mg/L"

    def test_signs_by_label_and_by_region(self, file: Callable[..., Path]) -> None:
        text = "- 体温: 38.6℃\n- 颈部: 软，无抵抗\n神志清，皮肤无皮疹。心率130次/分，律齐，腹软。"
        (record,) = read_records(file(mvme(查体=text)))
        assert results(record.physical_examination) == [
            ("生命体征", "体温", "38.6", "℃", None),
            ("查体", "颈部", "软，无抵抗", None, None),
            ("查体", "一般情况", "神志清", None, None),
            ("查体", "皮肤黏膜", "皮肤无皮疹", None, None),
            ("生命体征", "心率", "130", "次/分", None),
            ("查体", "心脏", "律齐", None, None),
            ("查体", "腹部", "腹软", None, None),
        ]


class TestAgentClinic:
    def test_history(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(osce()))
        assert record.chief_complaint == "Stridor"
        assert record.history_of_present_illness == (
            "His mother reports noisy breathing.\nPoor feeding"
        )
        assert record.past_history is None
        assert record.personal_history == "Has two siblings."
        assert record.demographics.sex == "male"
        assert record.demographics.age_years == pytest.approx(3 * 7 / 365.25, abs=0.001)

    def test_what_else_the_patient_knows_is_kept(self, file: Callable[..., Path]) -> None:
        patient = {
            "Symptoms": {"Primary_Symptom": "Cough", "Onset": "Two days ago"},
            "Travel": "Peru",
        }
        (record,) = read_records(file(osce(Patient_Actor=patient)))
        assert record.history_of_present_illness == "Onset: Two days ago\nTravel: Peru"

    def test_results(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(osce()))
        assert results(record.physical_examination) == [
            ("Vital Signs", "Temperature", "37.9", "°C", None),
            ("Vital Signs", "Heart Rate", "150", "bpm", None),
            ("Neck Examination", "Inspection", "Retractions.", None, None),
        ]
        assert results(record.auxiliary_examinations) == [
            ("Blood Count", "WBC", "14,200", "/μL", True),
            ("Blood Count", "Platelets", "Normal", None, False),
            (None, "Laryngoscopy", "Omega-shaped epiglottis", None, None),
            (None, "Laryngoscopy (Comments)", "Floppy.", None, None),
        ]
        assert record.physical_examination[0].reading == "37.9°C (100.2°F)"


class TestFaults:
    @pytest.mark.parametrize(
        ("case", "place", "what"),
        [
            (own(diagnoses=...), "line 1 (a): diagnoses", "is missing"),
            (own(diagnoses=[]), "line 1 (a): diagnoses", "at least one"),
            (own(complaint="x"), "line 1 (a): complaint", "unknown field"),
            (own(past_histroy="x"), "line 1 (a): past_histroy", 'did you mean "past_history"?'),
            (own(language="fr"), "line 1 (a): language", "'zh' or 'en'"),
            (own(demographics={"age_years": -1}), "line 1 (a): demographics.age_years", "0"),
            (
                own(diagnoses=[{"id": "d1", "name": "x", "icd10": "pneumonia"}]),
                "line 1 (a): diagnoses[0].icd10",
                "pattern",
            ),
            (
                own(findings=[{"id": "f1", "symptom": "fever", "section": "chief_complaint",
                               "text": "fever", "start": 0, "end": 5}]),
                "line 1 (a): findings.f1",
                '"Sore "',
            ),
            (mvme(诊断结果=""), "line 1 (7): medical_record.诊断结果", "初步诊断"),
            (mvme(现病吏="x"), "line 1 (7): medical_record.现病吏", 'did you mean "现病史"'),
            (osce(Correct_Diagnosis=None), "OSCE_Examination.Correct_Diagnosis", "is missing"),
            (osce(Correct_Dignosis="x"), "OSCE_Examination.Correct_Dignosis", "unknown field"),
            (osce(Patient_Actor="x"), "OSCE_Examination.Patient_Actor.", "not a JSON object"),
        ],
    )  # fmt: skip
    def test_a_fault_names_file_record_field_and_remedy(
        self, file: Callable[..., Path], case: dict[str, Any], place: str, what: str
    ) -> None:
        path = file(case)
        faults = [str(fault) for fault in lint_file(path)]
        assert len(faults) == 1
        assert faults[0].startswith(f"{path}: line 1")
        assert place in faults[0]
        assert what in faults[0]

    def test_all_faults_of_a_file_are_listed(self, file: Callable[..., Path]) -> None:
        path = file(
            own(), '{"id": "b", ', own(id="c", sex="male", language=3), own(), osce(), "[]",
            own(id="d"), '{"id": "e", "id": "f"}',
        )  # fmt: skip
        records, faults = inspect_file(path)
        assert [record.id for record in records] == ["a", "d"]
        assert sorted((f.record or "", f.field or "") for f in faults) == [
            ("line 2", ""),
            ("line 3 (c)", "language"),
            ("line 3 (c)", "sex"),
            ("line 4", "id"),
            ("line 5", ""),
            ("line 6", ""),
            ("line 8", ""),
        ]
        with pytest.raises(InputError, match=r"line 2.*and 6 more"):
            read_records(path)

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            (b"", "is empty"),
            (b" \n\n", "is empty"),
            (b"[]", "empty list"),
            (b"a plain text\nof two lines\n", "no known format"),
            (b'{"question": "?", "answer": "!"}\n', "no known format"),
            (b'[{"id": 1}, {', "record 2: not JSON"),
            ("病历".encode("gbk"), "not UTF-8"),
            (b"[" * 100_000, "nested too deeply"),
            (b'{"id": "\\ud800", "language": "en"}', "half of a surrogate pair"),
        ],
    )
    def test_a_file_that_holds_no_cases(self, tmp_path: Path, content: bytes, what: str) -> None:
        path = tmp_path / "cases.jsonl"
        path.write_bytes(content)
        faults = lint_file(path)
        assert str(path) in str(faults[0])
        assert what in str(faults[0])
        assert "\n" not in str(faults[0])

    def test_half_a_character_is_a_fault_of_its_line(self, file: Callable[..., Path]) -> None:
        (fault,) = lint_file(file(own(), '{"id": "\\ud83d", "language": "en"}'))
        assert fault.record == "line 2"
        assert "surrogate" in fault.what

    def test_a_directory_and_a_missing_file(self, tmp_path: Path) -> None:
        assert "directory" in str(lint_file(tmp_path)[0])
        assert "no such file" in str(lint_file(tmp_path / "nowhere.jsonl")[0])


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_FIELD = st.sampled_from(
    ["id", "language", "diagnoses", "findings", "profile", "medical_record", "现病史", "诊断结果",
     "辅助检查", "查体", "OSCE_Examination", "Patient_Actor", "Symptoms", "Test_Results",
     "Correct_Diagnosis"]
)  # fmt: skip
_CASE = st.recursive(_JSON, lambda inner: st.dictionaries(_FIELD, inner, max_size=6), max_leaves=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(_CASE, max_size=3), as_list=st.booleans())
def test_no_json_makes_a_reader_raise(
    file: Callable[..., Path], values: list[Any], as_list: bool
) -> None:
    path = file(*(json.dumps(value) for value in values), as_list=as_list)
    records, faults = inspect_file(path)
    assert records or faults


_TEXT = st.text(min_size=1).filter(lambda text: text == text.strip())
_RECORDS = st.builds(
    MedicalRecord,
    id=_TEXT,
    language=st.sampled_from(["zh", "en"]),
    demographics=st.builds(
        Demographics, age_years=st.none() | st.floats(0, 130), sex=st.sampled_from([None, "female"])
    ),
    rationale=st.none() | _TEXT,
    auxiliary_examinations=st.lists(
        st.builds(Examination, id=st.just("e1"), name=_TEXT, value=_TEXT, abnormal=st.booleans()),
        max_size=1,
    ).map(tuple),
    diagnoses=st.builds(
        Diagnosis, id=st.just("d1"), name=_TEXT, reach=st.sampled_from(["inferable", "unreachable"])
    ).map(lambda diagnosis: (diagnosis,)),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records=st.lists(_RECORDS, min_size=1, max_size=3, unique_by=lambda record: record.id))
def test_what_is_written_is_read_again(tmp_path: Path, records: list[MedicalRecord]) -> None:
    path = tmp_path / "written.jsonl"
    write_records(records, path)
    assert read_records(path) == records


@published
class TestPublishedCases:
    @pytest.mark.parametrize(("path", "count"), [(MVME, 11), (AGENTCLINIC, 107)])
    def test_all_are_read_and_survive_conversion(
        self, tmp_path: Path, path: Path, count: int
    ) -> None:
        records = read_records(path)
        assert len(records) == count
        assert all(record.findings and record.physical_examination for record in records)
        write_records(records, tmp_path / "own.jsonl")
        assert read_records(tmp_path / "own.jsonl") == records

    def test_no_word_of_the_chinese_results_is_lost_or_doubled(self) -> None:
        cases = {str(c["id"]): c for c in json.loads(MVME.read_text(encoding="utf-8"))}
        for record in read_records(MVME):
            sections = cases[record.id]["medical_record"]
            for heading, examinations in (
                ("辅助检查", record.auxiliary_examinations),
                ("查体", record.physical_examination),
            ):
                source = Counter(letters(sections[heading]))
                taken = Counter(
                    letters("".join(e.reading + (e.reference_range or "") for e in examinations))
                )
                named = letters("".join(f"{e.name}{e.category}" for e in examinations))
                assert taken <= source, record.id
                assert set(source - taken) <= set(named + "参考值"), record.id

    def test_every_clause_of_a_history_belongs_to_a_finding(self) -> None:
        for record in (*read_records(MVME), *read_records(AGENTCLINIC)):
            for section in HISTORY_SECTIONS:
                text = record.section_text(section)
                spans = [
                    (f.start or 0, f.end or 0) for f in record.findings if f.section == section
                ]
                said = sum(end - start for start, end in spans)
                assert said >= 0.6 * sum(char.isalnum() for char in text), (record.id, section)


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
