from __future__ import annotations

import pytest

from agents.offline.rubric import RubricChiefPhysician
from agents.offline.rubric_words import shortened
from records.mark import DIMENSIONS, DiseaseLink, Grade
from records.medical_record import Diagnosis, Examination, Finding, Language, MedicalRecord
from records.views import MarkingView
from records.visit import REPORT_PARTS, Report

CODES = {
    "pneumonia": "J18.9",
    "lobar pneumonia": "J18.1",
    "type 2 diabetes mellitus": "E11.9",
    "asthma": "J45.9",
    "gout": "M10.9",
    "肺炎": "J18.9",
    "支原体肺炎": "J15.7",
    "2型糖尿病": "E11.9",
    "哮喘": "J45.9",
    "痛风": "M10.9",
}


class Names:
    def link(self, name: str, language: Language) -> DiseaseLink:
        return DiseaseLink(name=name, icd10=CODES.get(name.casefold().strip()))

    def knows(self, name: str, language: Language) -> bool:
        return False


def finding(number: int, symptom: str, text: str, *, present: bool = True) -> Finding:
    return Finding(
        id=f"f{number}",
        symptom=symptom,
        text=text,
        present=present,
        section="history_of_present_illness",
    )


ENGLISH = MedicalRecord(
    id="en",
    language="en",
    chief_complaint="Cough",
    history_of_present_illness="Fever, cough, chest pain and shortness of breath. Denies vomiting.",
    findings=(
        Finding(id="f1", symptom="cough", text="Cough", section="chief_complaint"),
        finding(2, "fever", "Fever"),
        finding(3, "chest pain", "chest pain"),
        finding(4, "shortness of breath", "shortness of breath"),
        finding(5, "vomiting", "Denies vomiting", present=False),
    ),
    auxiliary_examinations=(
        Examination(
            id="e1", name="Chest X-ray", value="right lower lobe consolidation", abnormal=True
        ),
        Examination(
            id="e2",
            name="White blood cell count",
            value="15.2",
            unit="x10^9/L",
            abnormal=True,
        ),
        Examination(id="e3", name="Electrocardiogram", value="sinus rhythm", abnormal=False),
    ),
    diagnoses=(
        Diagnosis(id="d1", name="pneumonia", icd10="J18.9"),
        Diagnosis(id="d2", name="asthma", icd10="J45.9", role="comorbidity"),
        Diagnosis(id="d3", name="gout", icd10="M10.9", role="comorbidity", reach="known_history"),
    ),
    rationale="Fever, cough and chest pain; the chest X-ray shows right lower lobe consolidation.",
    treatment="Amoxicillin 1 g three times daily, fluids, paracetamol, oxygen if saturation falls.",
)
CHINESE = MedicalRecord(
    id="zh",
    language="zh",
    chief_complaint="咳嗽3天",
    history_of_present_illness="发热，胸痛，气促。无呕吐。",
    findings=(
        Finding(id="f1", symptom="咳嗽", text="咳嗽3天", section="chief_complaint"),
        finding(2, "发热", "发热"),
        finding(3, "胸痛", "胸痛"),
        finding(4, "气促", "气促"),
        finding(5, "呕吐", "无呕吐", present=False),
    ),
    auxiliary_examinations=(
        Examination(id="e1", name="胸部X线", value="右下肺实变", abnormal=True),
        Examination(id="e2", name="白细胞计数", value="15.2", unit="×10^9/L", abnormal=True),
        Examination(id="e3", name="心电图", value="窦性心律", abnormal=False),
    ),
    diagnoses=(
        Diagnosis(id="d1", name="肺炎", icd10="J18.9"),
        Diagnosis(id="d2", name="哮喘", icd10="J45.9", role="comorbidity"),
        Diagnosis(id="d3", name="痛风", icd10="M10.9", role="comorbidity", reach="known_history"),
    ),
    rationale="患者发热、咳嗽、胸痛；胸部X线示右下肺实变。",
    treatment="阿莫西林抗感染，补液，对乙酰氨基酚退热，必要时吸氧。",
)
GOOD = {
    "en": Report(
        symptoms="Cough, fever, chest pain and shortness of breath. No vomiting.",
        examinations=(
            "Chest X-ray: right lower lobe consolidation. White blood cell count: 15.2 x10^9/L."
            " Electrocardiogram: sinus rhythm."
        ),
        diagnosis="1. Pneumonia\n2. Asthma",
        rationale=(
            "Fever, cough and chest pain; the chest X-ray shows right lower lobe consolidation."
        ),
        treatment="Amoxicillin, fluids, paracetamol, oxygen.",
    ),
    "zh": Report(
        symptoms="咳嗽3天，发热，胸痛，气促，无呕吐。",
        examinations="胸部X线：右下肺实变。白细胞计数：15.2×10^9/L。心电图：窦性心律。",
        diagnosis="1. 肺炎\n2. 哮喘",
        rationale="患者发热、咳嗽、胸痛；胸部X线示右下肺实变。",
        treatment="阿莫西林抗感染，补液，对乙酰氨基酚退热，吸氧。",
    ),
}
BOTH = pytest.mark.parametrize("record", [ENGLISH, CHINESE], ids=["en", "zh"])


async def judge(record: MedicalRecord, report: Report) -> dict[str, Grade]:
    opinion = await RubricChiefPhysician(Names()).judge(MarkingView(record=record), report)
    return opinion.grades


def changed(record: MedicalRecord, **parts: str) -> Report:
    return GOOD[record.language].model_copy(update=parts)


async def grade(record: MedicalRecord, dimension: str, **parts: str) -> str | None:
    return (await judge(record, changed(record, **parts)))[dimension].grade


@BOTH
async def test_a_report_that_says_it_all_gets_an_a_throughout(record: MedicalRecord) -> None:
    grades = await judge(record, GOOD[record.language])
    assert {d: g.grade for d, g in grades.items()} == dict.fromkeys(DIMENSIONS, "A")
    assert tuple(grades) == DIMENSIONS


@BOTH
async def test_a_report_of_nothing_gets_a_d_throughout(record: MedicalRecord) -> None:
    grades = await judge(record, Report())
    assert [g.grade for g in grades.values()] == ["D"] * 5
    assert all(g.analysis for g in grades.values())


@BOTH
@pytest.mark.parametrize("missing", REPORT_PARTS)
async def test_a_missing_part_is_a_d_and_says_so(record: MedicalRecord, missing: str) -> None:
    grades = await judge(record, changed(record, **{missing: " "}))
    assert grades[missing].grade == "D"
    assert {"en": "lacks this part", "zh": "缺少这一部分"}[record.language] in grades[
        missing
    ].analysis


@pytest.mark.parametrize(
    ("record", "part", "text", "expected"),
    [
        (ENGLISH, "symptoms", "Cough and fever.", "B"),
        (ENGLISH, "symptoms", "Chest pain and shortness of breath.", "C"),
        (ENGLISH, "symptoms", "Headache.", "D"),
        (ENGLISH, "symptoms", "No cough, no fever, no chest pain.", "D"),
        (CHINESE, "symptoms", "咳嗽，发热。", "B"),
        (CHINESE, "symptoms", "胸痛、气促。", "C"),
        (CHINESE, "symptoms", "头痛。", "D"),
        (CHINESE, "symptoms", "无咳嗽、发热、胸痛。", "D"),
        (ENGLISH, "examinations", "Chest X-ray: right lower lobe consolidation.", "C"),
        (ENGLISH, "examinations", "Electrocardiogram: sinus rhythm.", "C"),
        (ENGLISH, "examinations", "None so far.", "D"),
        (CHINESE, "examinations", "胸部X线：右下肺实变。白细胞计数：15.2×10^9/L。", "A"),
        (CHINESE, "examinations", "胸部X线：右下肺实变。", "C"),
        (CHINESE, "examinations", "尚未检查。", "D"),
        (ENGLISH, "diagnosis", "Pneumonia", "B"),
        (ENGLISH, "diagnosis", "Lobar pneumonia", "B"),
        (ENGLISH, "diagnosis", "Asthma", "C"),
        (ENGLISH, "diagnosis", "Gout", "D"),
        (ENGLISH, "diagnosis", "Type 2 diabetes mellitus", "D"),
        (CHINESE, "diagnosis", "肺炎", "B"),
        (CHINESE, "diagnosis", "支原体肺炎", "B"),
        (CHINESE, "diagnosis", "痛风", "D"),
        (CHINESE, "diagnosis", "2型糖尿病", "D"),
        (ENGLISH, "rationale", "Fever and a cough.", "B"),
        (ENGLISH, "rationale", "There was fever.", "C"),
        (ENGLISH, "rationale", "Experience.", "D"),
        (CHINESE, "rationale", "经验。", "D"),
        (ENGLISH, "treatment", "Amoxicillin.", "B"),
        (ENGLISH, "treatment", "Bed rest.", "D"),
        (CHINESE, "treatment", "阿莫西林。", "B"),
        (CHINESE, "treatment", "卧床。", "D"),
    ],
)
async def test_grades_between(record: MedicalRecord, part: str, text: str, expected: str) -> None:
    assert await grade(record, part, **{part: text}) == expected


@BOTH
async def test_a_wrong_diagnosis_pulls_rationale_and_treatment_down(record: MedicalRecord) -> None:
    wrong = {"en": "Type 2 diabetes mellitus", "zh": "2型糖尿病"}[record.language]
    grades = await judge(record, changed(record, diagnosis=wrong))
    assert [grades[d].grade for d in ("diagnosis", "rationale", "treatment")] == ["D", "C", "C"]
    assert "D" in grades["treatment"].analysis
    # What the patient told is no less mastered for that.
    assert [grades[d].grade for d in ("symptoms", "examinations")] == ["A", "A"]


@BOTH
async def test_a_half_right_diagnosis_keeps_them_at_b(record: MedicalRecord) -> None:
    half = {"en": "Asthma", "zh": "哮喘"}[record.language]
    grades = await judge(record, changed(record, diagnosis=half))
    assert [grades[d].grade for d in ("diagnosis", "rationale", "treatment")] == ["C", "B", "B"]


async def test_the_references_own_name_counts_whole_under_another_code() -> None:
    coded = ENGLISH.model_copy(
        update={"diagnoses": (Diagnosis(id="d1", name="Gout", icd10="M14.0"),)}
    )
    assert await grade(coded, "diagnosis", diagnosis="Gout") == "A"


@BOTH
async def test_without_the_main_diagnosis_there_is_c_at_best(record: MedicalRecord) -> None:
    asthma = {"en": "Asthma", "zh": "哮喘"}[record.language]
    pneumonia = {"en": "Pneumonia", "zh": "肺炎"}[record.language]
    told = (await judge(record, changed(record, diagnosis=asthma)))["diagnosis"]
    assert told.grade == "C"
    assert {"en": "main diagnosis is missed", "zh": "主要诊断未提及"}[record.language] in (
        told.analysis
    )
    assert await grade(record, "diagnosis", diagnosis=f"{asthma}\n{pneumonia}") == "A"
    # Where no doctor is to find the main one, the others decide.
    known = record.diagnoses[0].model_copy(update={"reach": "known_history"})
    other = record.model_copy(update={"diagnoses": (known, *record.diagnoses[1:])})
    assert await grade(other, "diagnosis", diagnosis=asthma) == "B"


@BOTH
async def test_what_is_ruled_out_is_not_named(record: MedicalRecord) -> None:
    texts = {
        "en": ("Gout. Pneumonia ruled out.", "Gout. Pneumonia."),
        "zh": ("痛风。已排除肺炎。", "痛风。肺炎。"),
    }[record.language]
    assert [await grade(record, "diagnosis", diagnosis=text) for text in texts] == ["D", "B"]


@BOTH
async def test_a_shared_side_or_organ_is_no_shared_disease(record: MedicalRecord) -> None:
    reference, other = {
        "en": ("Left-sided acoustic neuroma", "Left-sided hydronephrosis"),
        "zh": ("左侧桥小脑角听神经鞘瘤", "左侧肾积水"),
    }[record.language]
    one = record.model_copy(update={"diagnoses": (Diagnosis(id="d1", name=reference),)})
    assert await grade(one, "diagnosis", diagnosis=other) == "D"
    assert await grade(one, "diagnosis", diagnosis=reference) == "A"


@BOTH
async def test_another_patient_s_reference_is_a_d(record: MedicalRecord) -> None:
    other = {
        "en": MedicalRecord(
            id="other",
            language="en",
            chief_complaint="Painful swollen knee",
            diagnoses=(Diagnosis(id="d1", name="Rupture of the anterior cruciate ligament"),),
            rationale="A twisted knee that gave way, a positive drawer test, a torn ligament.",
            treatment="Arthroscopic reconstruction, then a brace and physiotherapy.",
        ),
        "zh": MedicalRecord(
            id="other",
            language="zh",
            chief_complaint="右膝扭伤后肿痛",
            diagnoses=(Diagnosis(id="d1", name="前交叉韧带断裂"),),
            rationale="右膝扭伤，抽屉试验阳性，磁共振见韧带不连续。",
            treatment="关节镜下韧带重建，术后支具固定，功能锻炼。",
        ),
    }[record.language]
    grades = await judge(other, GOOD[record.language])
    assert [grades[d].grade for d in ("diagnosis", "rationale", "treatment")] == ["D"] * 3


@BOTH
async def test_the_kinds_of_treatment_count(record: MedicalRecord) -> None:
    same, neither = {
        "en": ("An antibiotic and an analgesic, intravenous saline.", "A walk and a good book."),
        "zh": ("抗菌药物、镇痛药，静脉输液，氧疗。", "散步读书。"),
    }[record.language]
    told = (await judge(record, changed(record, treatment=same)))["treatment"].analysis
    assert {"en": "Kinds of treatment of the reference", "zh": "参考治疗的类别"}[
        record.language
    ] in told
    assert await grade(record, "treatment", treatment=neither) == "D"


async def test_the_version_of_its_rules_is_told() -> None:
    assert RubricChiefPhysician.version == 3


@BOTH
async def test_naming_many_diseases_does_not_pay(record: MedicalRecord) -> None:
    guesses = {
        "en": "gastritis, migraine, anaemia, cystitis, hepatitis, sinusitis, cataract, glaucoma,"
        " psoriasis, appendicitis, pancreatitis, tonsillitis, arthritis, epilepsy, scurvy, measles",
        "zh": "胃炎、偏头痛、贫血、膀胱炎、肝炎、鼻窦炎、白内障、青光眼、银屑病、阑尾炎、胰腺炎、"
        "扁桃体炎、关节炎、癫痫、坏血病、麻疹",
    }[record.language]
    many = f"{GOOD[record.language].diagnosis}\n{guesses}"
    assert await grade(record, "diagnosis", diagnosis=many) == "C"


@pytest.mark.parametrize(
    ("lacking", "dimension", "reason"),
    [
        ({"findings": ()}, "symptoms", "no symptoms"),
        ({"auxiliary_examinations": ()}, "examinations", "no auxiliary"),
        ({"rationale": None}, "rationale", "no rationale"),
        ({"treatment": None}, "treatment", "no treatment"),
        ({"treatment": " - "}, "treatment", "no treatment"),
    ],
)
async def test_without_a_reference_there_is_no_grade(
    lacking: dict[str, object], dimension: str, reason: str
) -> None:
    record = ENGLISH.model_copy(update=lacking)
    for report in (GOOD["en"], Report()):
        result = (await judge(record, report))[dimension]
        assert result.grade is None
        assert reason in (result.reason or "")


async def test_the_analysis_names_what_was_covered_and_missed() -> None:
    grades = await judge(ENGLISH, changed(ENGLISH, symptoms="Cough and fever.", diagnosis="Asthma"))
    analysis = grades["symptoms"].analysis
    assert "2 of 4" in analysis
    covered, missed = analysis.split("Missed:")
    assert "f1 cough" in covered
    assert "f3 chest pain" in missed
    assert "d1 pneumonia" in grades["diagnosis"].analysis.split("Missed:")[1]
    chinese = await judge(CHINESE, GOOD["zh"])
    assert "涵盖 3/3 项" in chinese["examinations"].analysis


@BOTH
async def test_a_complaint_told_again_counts_once(record: MedicalRecord) -> None:
    word, text = {"en": ("cough", "a dry cough at night"), "zh": ("咳嗽", "阵发性干咳")}[
        record.language
    ]
    other = {"en": "coughing", "zh": "咳"}[record.language]
    again = tuple(finding(n, name, text) for n, name in ((6, other), (7, word)))
    told = record.model_copy(update={"findings": (*record.findings, *again)})
    assert len({f.id for f in told.findings}) == 7
    analysis = (await judge(told, changed(told, symptoms=f"{word}.")))["symptoms"].analysis
    # Of f1, f6 and f7 the first retelling is f1; a second one tells of another time.
    assert {"en": "2 of 5 covered", "zh": "涵盖 2/5 项"}[record.language] in analysis
    assert f"f1 {word}" in analysis
    assert "f6" not in analysis


async def test_the_analysis_cuts_no_word() -> None:
    name = (
        "Multiple myeloma (light chain) with renal involvement and hypercalcaemia of long standing"
    )
    reference = ENGLISH.model_copy(update={"diagnoses": (Diagnosis(id="d1", name=name),)})
    told = (await judge(reference, changed(reference, diagnosis=name)))["diagnosis"].analysis
    assert "d1 Multiple myeloma (light chain) with…" in told
    for most in range(2, 60):
        short = shortened(name, most)
        assert len(short) <= most
        if most > 20:
            assert name.startswith(short[:-1])
            assert name[len(short) - 1] in " ,;:()"
    assert shortened("十二指肠球部溃疡伴活动性出血", 8) == "十二指肠球部溃…"
    assert shortened("short", 40) == "short"


async def test_the_analysis_tells_the_bar_of_each_grade() -> None:
    told = (await judge(ENGLISH, GOOD["en"]))["treatment"].analysis
    assert "A from 0.40, B from 0.17, C from 0.11" in told
    told = (await judge(CHINESE, GOOD["zh"]))["treatment"].analysis
    assert "A 0.40 起，B 0.17 起，C 0.11 起" in told


async def test_the_analysis_stays_short() -> None:
    many = ENGLISH.model_copy(
        update={"findings": tuple(finding(i, "long " * 60, "x") for i in range(1, 400))}
    )
    assert len((await judge(many, GOOD["en"]))["symptoms"].analysis) < 1500


@BOTH
async def test_equal_reports_get_equal_marks(record: MedicalRecord) -> None:
    assert await judge(record, GOOD[record.language]) == await judge(
        record, GOOD[record.language].model_copy()
    )


def test_its_marks_are_filed_under_rubric() -> None:
    assert RubricChiefPhysician().name == "rubric"
