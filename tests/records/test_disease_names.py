"""Disease names out of diagnosis texts of both languages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.diseases.disease_names import extract_diseases, guess_language
from records.medical_record import Language


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("急性胃炎", ["急性胃炎"]),
        ("1. 2型糖尿病\n2. 肝囊肿", ["2型糖尿病", "肝囊肿"]),
        ("（1）贫血；（2）痛风", ["贫血", "痛风"]),
        ("①贫血 ②痛风", ["贫血", "痛风"]),
        ("1、肺炎 2、胸腔积液", ["肺炎", "胸腔积液"]),
        ("- **肺炎**\n- **胸腔积液**", ["肺炎", "胸腔积液"]),
        ("肺炎、胸腔积液，贫血。", ["肺炎", "胸腔积液", "贫血"]),
        ("急性胆囊炎伴胆囊结石", ["急性胆囊炎", "胆囊结石"]),
        ("冠心病合并心力衰竭", ["冠心病", "心力衰竭"]),
        ("肝硬化并伴有腹水和肾结石", ["肝硬化", "腹水", "肾结石"]),
        ("胃炎或胃溃疡", ["胃炎", "胃溃疡"]),
        ("妊娠合并子宫肌瘤", ["妊娠合并子宫肌瘤"]),
        ("臀部和下肢软组织感染", ["臀部和下肢软组织感染"]),
        ("肝硬化引起的腹水", ["肝硬化", "腹水"]),
        ("脾功能亢进，可能由肝硬化引起", ["脾功能亢进", "肝硬化"]),
        ("肺炎，肺炎", ["肺炎"]),
        ("冠状动脉疾病（可能为心绞痛或心肌梗死）", ["冠状动脉疾病", "心绞痛", "心肌梗死"]),
        ("心脏疾病（如心绞痛、冠心病等）", ["心脏疾病", "心绞痛", "冠心病"]),
        ("脑血管病，如脑梗死或脑出血", ["脑血管病", "脑梗死", "脑出血"]),
        (
            "冠状动脉粥样硬化性心脏病不稳定型心绞痛缺血性心肌病心力衰竭2型糖尿病",
            ["冠状动脉粥样硬化性心脏病", "不稳定型心绞痛", "缺血性心肌病", "心力衰竭", "2型糖尿病"],
        ),
    ],
)
def test_splits_a_chinese_list_into_its_names(text: str, names: list[str]) -> None:
    assert list(extract_diseases(text, "zh")) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("高血压病（2级，很高危）", ["高血压病"]),
        ("高血压3级极高危", ["高血压"]),
        ("糖尿病（2型）", ["2型糖尿病"]),
        ("右肺腺癌（T2N1M0）", ["右肺腺癌"]),
        ("左侧股骨颈骨折", ["左侧股骨颈骨折"]),
        ("急性阑尾炎[化脓性]", ["急性阑尾炎"]),
        ("上消化道出血：消化性溃疡出血", ["上消化道出血", "消化性溃疡出血"]),
        ("初步诊断：肺炎", ["肺炎"]),
        ("肺炎：根据咳嗽与胸片结果，考虑为感染所致", ["肺炎"]),
        ("肝细胞性肝癌T2N1M0IVA期", ["肝细胞性肝癌"]),
        ("急性胰腺炎高脂血症型", ["急性胰腺炎"]),
        ("考虑大叶性肺炎可能性大", ["大叶性肺炎"]),
        (
            "慢性阻塞性肺疾病急性加重期右肺下叶大叶性肺炎Ⅱ型呼吸衰竭",
            ["慢性阻塞性肺疾病急性加重期", "右肺下叶大叶性肺炎", "Ⅱ型呼吸衰竭"],
        ),
        ("2型糖尿病 E11.9", ["2型糖尿病"]),
        ("高血压 I10；痛风M10.9", ["高血压", "痛风"]),
        ("K25.4；I10", ["K25.4", "I10"]),
        ("Pneumonia 肺炎", ["Pneumonia 肺炎"]),
        ("严重骨质疏松症", ["严重骨质疏松症"]),
        ("原发性醛固酮增多症", ["原发性醛固酮增多症"]),
        ("宫颈鳞癌IA1期", ["宫颈鳞癌"]),
        ("支气管哮喘急性发作重度", ["支气管哮喘急性发作"]),
        ("无并发症的阑尾炎", ["阑尾炎"]),
        ("正常妊娠", ["正常妊娠"]),
        ("胸片显示左下肺炎", ["左下肺炎"]),
        ("我怀疑您可能患有急性胆囊炎：胆囊壁厚", ["急性胆囊炎"]),
    ],
)
def test_keeps_a_chinese_name_clean(text: str, names: list[str]) -> None:
    assert list(extract_diseases(text, "zh")) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("根据您的症状，患者可能患有急性胃炎", ["急性胃炎"]),
        ("考虑肺炎，需进一步检查", ["肺炎"]),
        ("眩晕待查", ["眩晕"]),
        ("肺癌？", ["肺癌"]),
        ("喉癌可能性大", ["喉癌"]),
        ("考虑诊断为“眩晕待查”。", ["眩晕"]),
        ("可能的诊断包括但不限于子宫肌瘤、子宫内膜异位症等。", ["子宫肌瘤", "子宫内膜异位症"]),
        ("不能排除肺栓塞", ["肺栓塞"]),
        ("大叶性肺炎不除外", ["大叶性肺炎"]),
        ("肺癌不能排除", ["肺癌"]),
        ("高血压并可能伴有高血压性心脏病", ["高血压", "高血压性心脏病"]),
    ],
)
def test_uncertain_chinese_names_count(text: str, names: list[str]) -> None:
    assert list(extract_diseases(text, "zh")) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("需排除肺栓塞", []),
        ("肺癌已排除，考虑肺炎", ["肺炎"]),
        ("肺炎，未见胸腔积液、气胸", ["肺炎"]),
        ("急性胃炎。鉴别诊断：胃溃疡、胰腺炎", ["急性胃炎"]),
        ("急性阑尾炎，需与肾结石相鉴别", ["急性阑尾炎"]),
        ("慢性胃炎，需排除其他原因，如胃溃疡、胃癌", ["慢性胃炎"]),
        ("无症状性心肌缺血", ["无症状性心肌缺血"]),
        ("股骨头无菌性坏死", ["股骨头无菌性坏死"]),
        ("目前无法确定具体的诊断", []),
        ("暂无", []),
        ("", []),
    ],
)
def test_excluded_chinese_names_do_not_count(text: str, names: list[str]) -> None:
    assert list(extract_diseases(text, "zh")) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Acute appendicitis", ["Acute appendicitis"]),
        ("1. Hypertension (stage 2)\n2. CKD stage 3", ["Hypertension", "CKD"]),
        ("1) Gout; 2) Anemia", ["Gout", "Anemia"]),
        (
            "Type 2 diabetes mellitus with diabetic neuropathy",
            ["Type 2 diabetes mellitus", "diabetic neuropathy"],
        ),
        ("Pneumonia, asthma and gout", ["Pneumonia", "asthma", "gout"]),
        ("Pneumonia complicated by pleural effusion", ["Pneumonia", "pleural effusion"]),
        ("Hand, foot and mouth disease", ["Hand, foot and mouth disease"]),
        ("Pneumonia, right lower lobe", ["Pneumonia"]),
        ("Croup", ["Croup"]),
        ("Left distal radius fracture", ["Left distal radius fracture"]),
        ("Heart failure, NYHA class III", ["Heart failure"]),
        ("**Acute otitis media**", ["Acute otitis media"]),
        ("Diagnosis: Gout\nExplanation follows.", ["Gout"]),
        ("Type 2 diabetes E11.9, gout M10.9", ["Type 2 diabetes", "gout"]),
        ("K25.4; I10", ["K25.4", "I10"]),
        ("Gout; 急性阑尾炎", ["Gout", "急性阑尾炎"]),
        ("Vitamin B12 deficiency", ["Vitamin B12 deficiency"]),
    ],
)
def test_splits_an_english_list_into_clean_names(text: str, names: list[str]) -> None:
    assert list(extract_diseases(text, "en")) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Possible pneumonia; pulmonary embolism ruled out", ["pneumonia"]),
        ("No evidence of MI. GERD likely.", ["GERD"]),
        ("Suspected appendicitis?", ["appendicitis"]),
        ("Rule out myocardial infarction", []),
        ("Pulmonary embolism cannot be ruled out", ["Pulmonary embolism"]),
        ("Acute gastritis, meningitis unlikely", ["Acute gastritis"]),
        ("Asthma. Differential diagnosis: GERD, COPD", ["Asthma"]),
        (
            "The most likely diagnosis is acute cholecystitis because of the fever and the scan.",
            ["acute cholecystitis"],
        ),
        (
            "The patient has acute pancreatitis and gallstones.",
            ["acute pancreatitis", "gallstones"],
        ),
        ("Pneumonia - an infection of the lung tissue", ["Pneumonia"]),
        ("Cannot be determined from the information given", []),
        ("None", []),
    ],
)
def test_english_hedges_are_stripped_and_exclusions_dropped(text: str, names: list[str]) -> None:
    assert list(extract_diseases(text, "en")) == names


@pytest.mark.parametrize(
    ("text", "language", "known", "names"),
    [
        ("Ulcer with fever", "en", "ulcer with fever", ["Ulcer with fever"]),
        ("Ulcer with fever", "en", "ulcer", ["Ulcer", "fever"]),
        (
            "Gout, ulcer with fever and asthma",
            "en",
            "ulcer with fever",
            ["Gout", "ulcer with fever", "asthma"],
        ),
        ("Ulcer with possible fever", "en", "ulcer with fever", ["Ulcer", "fever"]),
        ("Gout, asthma", "en", "gout, asthma", ["Gout", "asthma"]),  # a list, whatever is known
        ("溃疡伴出血热", "zh", "溃疡伴出血热", ["溃疡伴出血热"]),
        ("痛风、溃疡伴出血热和哮喘", "zh", "溃疡伴出血热", ["痛风", "溃疡伴出血热", "哮喘"]),
        ("痛风、哮喘", "zh", "痛风、哮喘", ["痛风", "哮喘"]),
    ],
)
def test_a_connector_does_not_split_a_known_name(
    text: str, language: Language, known: str, names: list[str]
) -> None:
    assert list(extract_diseases(text, language, lambda n: n.casefold() == known)) == names


@pytest.mark.parametrize(
    ("text", "language", "known", "names"),
    [
        ("副脾甲，痛风", "zh", {"副脾甲"}, ["副脾甲", "痛风"]),
        ("脾大脾功能亢进", "zh", {"脾大", "脾功能亢进"}, ["脾大", "脾功能亢进"]),
        ("脾大脾功能亢进", "zh", {"脾大"}, ["脾大脾功能亢进"]),
        ("心功能III级，痛风", "zh", {"心功能III级", "痛风"}, ["痛风"]),
        ("broken collarbone and gout", "en", {"broken collarbone"}, ["broken collarbone", "gout"]),
        ("broken collarbone and gout", "en", set(), ["broken collarbone and gout"]),
    ],
)
def test_a_known_name_counts_however_it_ends(
    text: str, language: Language, known: set[str], names: list[str]
) -> None:
    assert list(extract_diseases(text, language, lambda n: n in known)) == names


def test_language_is_guessed_by_script() -> None:
    assert guess_language("COPD 急性加重") == "zh"
    assert guess_language("pneumonia") == "en"
    assert guess_language("") == "en"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    "text", ["肺炎、" * 1_000_000, "gout and " * 500_000, "(" * 2_000_000, "考虑" * 500_000]
)
def test_a_repeating_text_is_bounded(text: str, language: Language) -> None:
    assert len(extract_diseases(text, language)) <= 2


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "肺炎",
                "、",
                "，",
                "伴",
                "排除",
                "(",
                ")",
                "：",
                "1.",
                "and",
                " with ",
                "gout",
                "\n",
                "?",
            ]
        )
        | st.text(max_size=5),
        max_size=25,
    ),
    st.sampled_from(["zh", "en"]),
)
def test_names_are_distinct_pieces_without_line_breaks(
    pieces: list[str], language: Language
) -> None:
    names = extract_diseases("".join(pieces), language)
    assert len(set(names)) == len(names)
    assert all(name == name.strip() and name and "\n" not in name for name in names)
