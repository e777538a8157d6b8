"""Requests to the Examiner: naming examinations, finding them on record, telling orders apart."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.examinations.examination_lexicon import load_examination_lexicon
from records.examinations.requests import match_request, orders_examinations, stated_examinations
from records.library import bundled_records
from records.medical_record import Examination, Language

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def item(id_: str, name: str, value: str, category: str | None = None) -> Examination:
    return Examination(id=id_, name=name, value=value, category=category)


ZH = (
    item("p1", "体温", "37.2", "生命体征"),
    item("p2", "血压", "128/80", "生命体征"),
    item("p3", "腹部", "腹软，脐周轻压痛，肝脾肋下未触及", "查体"),
    item("p4", "胸部", "双肺呼吸音粗，左下肺可闻及湿啰音", "查体"),
    item("p5", "心脏", "心率齐，未闻及杂音", "查体"),
    item("p6", "神经系统", "四肢肌力5级，巴氏征阴性", "查体"),
    item("e1", "白细胞", "13.1", "血常规"),
    item("e2", "HGB", "101", "血常规"),
    item("e3", "谷丙转氨酶", "88", "生化"),
    item("e4", "血钾", "3.1", "生化"),
    item("e5", "头颅CT", "未见出血", "影像学检查"),
    item("e6", "胸部CT", "左下肺片状影", "影像学检查"),
    item("e7", "腹部彩超", "胆囊壁毛糙", "影像学检查"),
    item("e8", "心电图", "窦性心动过速"),
    item("e9", "白细胞", "3个/HP", "尿常规"),
    item("e10", "葡萄糖", "阴性", "尿常规"),
    item("e11", "异型细胞计分", "2分", "某某中心自建项目"),
    item("e12", "D-二聚体", "0.9", "血凝"),
)
EN = (
    item("p1", "Heart Rate", "96", "Vital Signs"),
    item("p2", "Palpation", "Tender in the right lower quadrant", "Abdominal Examination"),
    item("p3", "Cranial Nerves", "Intact", "Neurological Examination"),
    item("p4", "Inspection", "Swollen right knee", "Knee Examination"),
    item("e1", "Hemoglobin", "9.8", "Complete Blood Count"),
    item("e2", "WBC", "15.2", "Complete Blood Count"),
    item("e3", "ALT", "31", "Liver Function Tests"),
    item("e4", "Findings", "No mass", "Imaging/MRI Brain"),
    item("e5", "Chest X-ray", "Clear lungs", "Imaging"),
    item("e6", "X-ray of the Left Knee", "No fracture", "Imaging"),
    item("e7", "Glucose", "Absent", "Urinalysis"),
    item("e8", "Zeta Binding Index", "0.4", "Special Assays"),
    item("e9", "Cervical Lymph Node", "Reactive", "Biopsy"),
)


def found(text: str, examinations: tuple[Examination, ...], language: Language) -> list[str]:
    match = match_request(text, examinations, language)
    return sorted({i for asked in match.items for i in asked.ids}, key=lambda i: (i[0], int(i[1:])))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("血常规", ["e1", "e2"]),
        ("CBC please", ["e1", "e2"]),
        ("请告诉我血色素的结果", ["e2"]),
        ("WBC", ["e1"]),
        ("尿常规和尿糖", ["e9", "e10"]),
        ("医生建议我查肝功能和电解质", ["e3", "e4"]),
        ("抽血检查的结果", ["e1", "e2", "e3", "e4", "e12"]),
        ("影像学检查", ["e5", "e6", "e7"]),
        ("颅脑CT", ["e5"]),
        ("CT of the head", ["e5"]),
        ("肺部CT或MRI", ["e6"]),
        ("头颅核磁共振", []),
        ("胸片", []),
        ("肝胆B超", ["e7"]),
        ("心脏彩超", []),
        ("ECG", ["e8"]),
        ("心脏方面的检查", ["e8", "p5"]),
        ("神经系统检查", ["p6"]),
        ("神经系统方面的检查", ["e5", "p6"]),
        ("腹部查体", ["p3"]),
        ("听诊肺部", ["p4"]),
        ("physical examination of the abdomen", ["p3"]),
        ("生命体征", ["p1", "p2"]),
        ("量一下血压", ["p2"]),
        ("肌力和病理征", ["p6"]),
        ("二聚体", ["e12"]),
        ("异型细胞计分", ["e11"]),
        ("某某中心自建项目的结果", ["e11"]),
        ("血液检查，如血常规", ["e1", "e2"]),
        ("血常规等血液检查", ["e1", "e2"]),
        ("做腹部彩超，以评估肝功能和胆囊情况", ["e7"]),
        ("头部影像学检查（CT或MRI）", ["e5"]),
        ("请问您能告诉我胸部CT的检查结果吗？", ["e6"]),
        ("我应该做心电图吗？只要心电图。", ["e8"]),
        ("血常规、腹部、心电图", ["e1", "e2", "e8", "p3"]),
    ],
)
def test_a_chinese_record_gives_what_is_named_and_no_more(text: str, ids: list[str]) -> None:
    assert found(text, ZH, "zh") == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("complete blood count", ["e1", "e2"]),
        ("血常规", ["e1", "e2"]),
        ("Hb and ALT, please", ["e1", "e3"]),
        ("brain MRI", ["e4"]),
        ("MRI of the brain to rule out a tumour", ["e4"]),
        ("head CT", []),
        ("chest film", ["e5"]),
        ("CT of the chest", []),
        ("left knee x-ray", ["e6"]),
        ("X-ray of the right knee", []),
        ("imaging", ["e4", "e5", "e6"]),
        ("blood tests", ["e1", "e2", "e3"]),
        ("urinalysis", ["e7"]),
        ("urine glucose", ["e7"]),
        ("abdominal exam and cranial nerves", ["p2", "p3"]),
        ("Please examine the knee", ["p4"]),
        ("vital signs", ["p1"]),
        ("REQUEST TEST: Zeta_Binding_Index", ["e8"]),
        ("lymph node biopsy", ["e9"]),
        ("Could you perform a neurological examination?", ["p3"]),
        ("We can't tell us anything yet, so get a CBC", ["e1", "e2"]),
    ],
)
def test_an_english_record_gives_what_is_named_and_no_more(text: str, ids: list[str]) -> None:
    assert found(text, EN, "en") == ids


def test_what_is_not_on_record_is_named_in_the_records_language() -> None:
    match = match_request("thyroid function tests and a colonoscopy", ZH, "zh")
    assert [(i.asked, i.ids) for i in match.items] == [("甲状腺功能", ()), ("肠镜", ())]
    assert not match.vague


def test_of_alternatives_each_is_answered() -> None:
    match = match_request("胸部CT或MRI", ZH, "zh")
    assert [(i.asked, i.ids) for i in match.items] == [("胸部CT", ("e6",)), ("胸部MRI", ())]


def test_what_is_given_as_treatment_is_not_measured() -> None:
    assert match_request("医生说要胰岛素注射和康复治疗，请告诉我方案。", ZH, "zh").vague
    assert match_request("I am to start iron supplements, what do I do?", EN, "en").vague


def test_a_panel_that_is_reported_as_a_whole_answers_for_its_members() -> None:
    whole = (item("e1", "血常规", "未见异常"), item("e2", "肝功能", "ALT 90U/L"))
    assert found("血红蛋白", whole, "zh") == ["e1"]
    assert found("ALT", whole, "zh") == ["e2"]
    assert found("总胆红素", whole, "zh") == []


def test_a_name_shaped_like_a_test_is_named_though_nobody_knows_it() -> None:
    match = match_request("请做拉姆酮抗体", ZH, "zh")
    assert [(i.asked, i.ids) for i in match.items] == [("拉姆酮抗体", ())]


VAGUE_ZH = (
    "把所有检查结果都告诉我",
    "您看看该做什么检查就做什么",
    "能看出我有没有怀孕的检查都做一下",
    "查查我有没有癌症",
    "医生想知道的检查都做",
    "给我全部的化验结果",
    "帮我看看身体哪里有问题",
    "有什么异常的都告诉我",
    "检查一下我的心脏有没有问题",
    "请做相关检查以明确诊断",
    "任何能查出血糖问题的检查",
    "查一下我是不是得了乙肝",
    "随便做点血液检查看看",
    "什么检查最能说明问题就做什么",
    "凡是能说明肝功能不好的检查都做一下",
    "我该做些什么检查？结果又怎样？",
    "把我的体检报告从头到尾念一遍",
    "先把最要紧的结果告诉我",
    "谢谢您告诉我X光检查的结果，我会按时吃药",
    "医生说血常规结果正常，让我多休息",
)
VAGUE_EN = (
    "tell me all my results",
    "whatever shows whether I'm pregnant",
    "any tests the doctor would want",
    "check whether I have cancer",
    "give me everything you have",
    "find out if my heart is okay",
    "which tests would confirm the diagnosis?",
    "all the lab results",
    "any blood test that would show an infection",
    "see if there is a clot in my lung",
    "whatever imaging you think is best",
    "please do the tests that rule out a stroke",
    "read out the whole report",
    "what are the abnormal findings?",
    "do whatever scan would find a tumour",
    "run the usual tests",
    "tell me if I have hepatitis B",
    "the results, please",
    "I'd like a full checkup",
    "My CBC was normal, thank you.",
)


@pytest.mark.parametrize("text", VAGUE_ZH + VAGUE_EN)
def test_a_request_that_names_nothing_is_refused(text: str) -> None:
    for examinations, language in ((ZH, "zh"), (EN, "en")):
        match = match_request(text, examinations, language)  # type: ignore[arg-type]
        assert match.vague
        assert match.items == ()


@given(st.text(max_size=60))
def test_any_text_is_answered_within_the_record(text: str) -> None:
    match = match_request(text, (*ZH, item("e99", text[:5] or "x", text or "x")), "zh")
    known = {e.id for e in ZH} | {"e99"}
    assert all(set(i.ids) <= known for i in match.items)
    assert match.vague == (not match.items)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("为了明确诊断，我建议您做血常规和胸部CT。", ["血常规", "胸部CT"]),
        ("我们先查一下血糖，再拍个胸片。", ["血糖", "胸片"]),
        (
            "请进行以下检查：\n1. 心电图：了解心律\n2. 心脏彩超\n\n有结果后告诉我。",
            ["心电图", "心脏彩超"],
        ),
        ("您以前做过胃镜吗？", []),
        ("您有没有做过心电图或者血常规检查？", []),
        ("根据您的血常规结果，白细胞偏高，考虑感染。", []),
        ("暂时不需要做CT。", []),
        ("如果症状加重，再去做头颅CT。", []),
        ("治疗方案：\n1. 口服降糖药\n2. 定期复查血糖和糖化血红蛋白", []),
        ("平时注意控制血压，定期测血糖。", []),
        ("您咳嗽多久了？有没有发热？", []),
        ("您的腹部哪里疼？", []),
        ("不用做CT，建议做一个腹部B超。", ["腹部B超"]),
        ("诊断是梅毒。检查见：暗视野显微镜检查：见螺旋体；CD4计数：412，HIV抗体检查：阳性。", []),
        ("诊断是二期梅毒。治疗方案：苄星青霉素，查HIV，通知性伴，需要复查滴度。", []),
        ("检查结果显示：血常规检查：白细胞升高，建议做胸部CT。", ["胸部CT"]),
        ("检查见：白细胞升高。我们先查一下血糖。", ["血糖"]),
        ("考虑肺炎，请您去做胸片。", ["胸片"]),
    ],
)
def test_orders_in_chinese(text: str, names: list[str]) -> None:
    assert list(orders_examinations(text, "zh")) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I'd like to order a CBC and a chest X-ray.", ["CBC", "chest X ray"]),
        (
            "Let's get an ECG. We also need an abdominal ultrasound.",
            ["ECG", "abdominal ultrasound"],
        ),
        (
            "Please have the following tests:\n- urinalysis\n- CT of the head",
            ["urinalysis", "CT of the head"],
        ),
        ("Did you have an X-ray of the knee last year?", []),
        ("Have you ever had a colonoscopy?", []),
        ("Your CBC shows anemia.", []),
        ("There is no need for an MRI.", []),
        ("You don't need a CT scan.", []),
        ("If the pain gets worse, we will do a CT scan.", []),
        ("How long has your stomach been hurting?", []),
        ("I will check your blood pressure now.", ["blood pressure"]),
        ("Treatment plan:\n- metformin\n- check HbA1c in three months", []),
        ("The diagnosis is gout. Treatment plan: colchicine; check uric acid, obtain an ECG.", []),
        ("Examination shows: sodium: 121, ECG obtained in the lobby: tall T waves.", []),
        ("Tests showed: white cells: 15, please get a chest X-ray.", ["chest X ray"]),
        ("I suspect pneumonia, please get a chest X-ray.", ["chest X ray"]),
    ],
)
def test_orders_in_english(text: str, names: list[str]) -> None:
    assert list(orders_examinations(text, "en")) == names


def test_a_report_states_the_results_whose_name_and_value_it_gives() -> None:
    report = "血常规：白细胞13.1×10^9/L，血红蛋白 101g/L。胸部CT示左下肺片状阴影。心电图正常。"
    assert stated_examinations(report, ZH, "zh") == ("e1", "e2", "e6")


def test_a_report_in_other_words_states_the_same_results() -> None:
    report = "Hb was low at 9.8. Brain MRI showed no mass. The chest film had clear lungs."
    assert stated_examinations(report, EN, "en") == ("e1", "e4", "e5")


def test_naming_an_examination_states_no_result() -> None:
    assert stated_examinations("建议做血常规、胸部CT和心电图。", ZH, "zh") == ()


def test_every_concept_points_to_concepts_that_exist() -> None:
    lexicon = load_examination_lexicon()
    for concept in lexicon.concepts.values():
        linked = (*concept.part_of, *concept.regions, *concept.organ_tests)
        assert all(other in lexicon.concepts for other in linked)
        assert concept.zh or concept.en
    kinds = Counter(c.kind for c in lexicon.concepts.values())
    assert kinds["test"] + kinds["panel"] + kinds["imaging"] + kinds["sign"] >= 250


@pytest.mark.skipif(not DATA.exists(), reason="the published data are not here")
@pytest.mark.parametrize(
    ("file", "share"),
    [("mvme/patients_full.json", 0.97), ("agentclinic/agentclinic_medqa.jsonl", 0.97)],
)
def test_published_records_give_an_item_under_its_own_name(file: str, share: float) -> None:
    from records.readers import read_records

    asked = got = 0
    for record in read_records(DATA / file):
        examinations = record.physical_examination + record.auxiliary_examinations
        for examination in examinations:
            if examination.category is None:
                continue
            named = f"{examination.category} {examination.name}"
            asked += 1
            got += examination.id in found(named, examinations, record.language)
    assert got / asked >= share


@pytest.mark.parametrize("said", ["b", "x", "1", "no", "CT", "normal", "无", "血", "阴性"])
def test_a_letter_or_a_word_gives_no_result(said: str) -> None:
    for record in bundled_records():
        examinations = (*record.physical_examination, *record.auxiliary_examinations)
        assert stated_examinations(said, examinations, record.language) == (), record.id
