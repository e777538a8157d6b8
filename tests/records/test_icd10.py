"""ICD-10: linking of names in both languages, codes, the hash, and the bundled names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.diseases.icd10 import (
    Terminology,
    default_terminology,
    named_terminology,
    same_category,
)
from records.errors import InputError
from records.knowledge import load_knowledge
from records.medical_record import Language

PAIRS = (
    Path(__file__).resolve().parents[2].parent
    / "shared"
    / "data"
    / "symptomcheck"
    / "icd10_pairs_even.jsonl"
)

TABLE = (
    ("A01", "Alpha fever"),
    ("A01.1", "Alpha fever with oedema"),
    ("B02", "Beta disease, unspecified"),
    ("B02", "Second name of beta"),
    ("C03", "Tumour of the hand (left)"),
    ("D04", "Alpha fever"),
    ("E05", "丙型病"),
    ("E05.1", "急性丙型病（重度）"),
)


@pytest.fixture(scope="module")
def table() -> Terminology:
    return Terminology.from_pairs(TABLE)


@pytest.mark.parametrize(
    ("name", "code", "how"),
    [
        ("alpha fever", "A01", "exact"),
        ("ALPHA  FEVERS", "A01", "exact"),
        ("Ａｌｐｈａ　ｆｅｖｅｒ", "A01", "exact"),
        ("Alpha fever with edema", "A01.1", "exact"),
        ("fever, alpha", "A01", "exact"),
        ("Beta disease", "B02", "exact"),
        ("second name of beta", "B02", "synonym"),
        ("hand tumors [right]", "C03", "exact"),
        ("丙型病", "E05", "exact"),
        ("急性 丙型病", "E05.1", "exact"),
        ("左侧丙型病（待查）", "E05", "exact"),
        ("轻度丙型病", "E05", "fuzzy"),
    ],
)
def test_equal_names_link_however_they_are_written(
    table: Terminology, name: str, code: str, how: str
) -> None:
    link = table.link(name, "zh" if re.search("[一-鿿]", name) else "en")
    assert (link.icd10, link.how) == (code, how)
    assert link.name == name
    assert link.term is not None


def test_a_name_like_no_other_is_not_linked(table: Terminology) -> None:
    for name in ("zygomatic quux", "", "天书", "!!!", "x" * 5000):
        link = table.link(name, "en")
        assert (link.icd10, link.term, link.how, link.score) == (None, None, "none", 0.0)


def test_ties_go_to_the_first_row_of_the_table() -> None:
    assert Terminology.from_pairs([("D04", "Alpha"), ("A01", "alpha")]).link(
        "alpha", "en"
    ).icd10 == ("D04")


def test_the_hash_tells_codes_and_names_apart(table: Terminology) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", table.hash)
    assert Terminology.from_pairs(TABLE).hash == table.hash
    assert Terminology.from_pairs(TABLE[:-1]).hash != table.hash
    assert Terminology.from_pairs((*TABLE[:-1], ("E05.2", TABLE[-1][1]))).hash != table.hash


def test_codes_exist_with_their_titles(table: Terminology) -> None:
    assert table.exists("A01.1")
    assert not table.exists("A01.9")
    assert table.title("B02") == "Beta disease, unspecified"
    assert table.title("Z99") is None


def test_rows_without_a_code_are_left_out() -> None:
    rows = [("code", "name"), ("", "nameless"), ("A01", ""), ("A01.x00", "Gamma")]
    kept = Terminology.from_pairs(rows)
    assert len(kept) == 1
    assert kept.link("gamma", "en").icd10 == "A01.x00"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("I63.9", "I63", True),
        ("I63.9", "I63.0", True),
        ("I63.9", "I64", False),
        (None, "I64", False),
        (None, None, False),
        ("", "", False),
    ],
)
def test_same_category(first: str | None, second: str | None, same: bool) -> None:
    assert same_category(first, second) is same


@pytest.mark.parametrize(
    ("name", "language", "category"),
    [
        ("Cerebral infarction", "en", "I63"),
        ("Anaemia, iron deficiency", "en", "D50"),
        ("Iron deficiency anemia", "en", "D50"),
        ("COPD", "en", "J44"),
        ("COPD", "zh", "J44"),
        ("heart attack", "en", "I21"),
        ("Osteomyelitis of vertebrae", "en", "M46"),
        ("Pnuemonia", "en", "J18"),
        ("急性脑梗塞", "zh", "I63"),
        ("左侧股骨颈骨折", "zh", "S72"),
        ("双肾小结石", "zh", "N20"),
        ("2型糖尿病", "zh", "E11"),
        ("Ⅱ型糖尿病", "zh", "E11"),
        ("肺癌", "zh", "C34"),
        ("肺恶性肿瘤", "zh", "C34"),
        ("新型冠状病毒肺炎", "zh", "U07"),
    ],
)
def test_everyday_and_clinical_names_link(name: str, language: Language, category: str) -> None:
    code = default_terminology().link(name, language).icd10
    assert code is not None
    assert code[:3] == category


@pytest.mark.parametrize(
    ("name", "wrong"), [("脾挫裂伤", "S06"), ("卵巢透明细胞癌", "C64"), ("子宫瘢痕", "O00")]
)
def test_another_site_is_another_disease(name: str, wrong: str) -> None:
    assert not same_category(default_terminology().link(name, "zh").icd10, wrong)


def test_a_text_links_name_by_name() -> None:
    links = default_terminology().link_text("上消化道出血：消化性溃疡出血；排除肺栓塞", "zh")
    assert [(link.name, link.icd10) for link in links] == [
        ("上消化道出血", "K92.2"),
        ("消化性溃疡出血", "K27.4"),
    ]
    english = default_terminology().link_text("Gout with possible gallstones", "en")
    assert [link.icd10 for link in english] == ["M10", "K80.2"]


@pytest.mark.parametrize(
    ("text", "language", "codes"),
    [
        ("Type 2 diabetes with ketoacidosis", "en", ["E11.1"]),
        ("Severe type 2 diabetes complicated by ketoacidosis, gout", "en", ["E11.1", "M10"]),
        ("duodenal ulcer with haemorrhage", "en", ["K26.4"]),
        ("Duodenal ulcer with bleeding and asthma", "en", ["K26.4", "J45"]),
        ("Giant cell arteritis with polymyalgia rheumatica", "en", ["M31.5"]),
        ("Pneumonia with pleural effusion", "en", ["J18.9", "J90"]),
        ("Diabetes and neuropathy", "en", ["E14.9", "G62.9"]),
        ("2型糖尿病伴酮症酸中毒", "zh", ["E11.1"]),
        ("十二指肠溃疡合并出血，高血压", "zh", ["K26.4", "I10"]),
        ("肺炎合并胸腔积液", "zh", ["J18.9", "J90"]),
        ("大叶性肺炎", "zh", ["J18.1"]),
        ("肝细胞性肝癌T2N1M0IVA期", "zh", ["C22.0"]),
        ("急性胰腺炎高脂血症型", "zh", ["K85.9"]),
        ("K25.4; I10", "en", ["K25.4", "I10"]),
        ("Pneumonia 肺炎", "zh", ["J18.9"]),
        ("Pneumonia 肺炎", "en", ["J18.9"]),
        ("1. Gout（痛风）\n2. 肺炎 Pneumonia", "zh", ["M10.9", "J18.9"]),
        ("1. Gout 痛风\n2. Asthma 哮喘", "en", ["M10", "J45"]),
    ],
)
def test_a_disease_with_its_circumstance_is_one(
    text: str, language: Language, codes: list[str]
) -> None:
    links = default_terminology().link_text(text, language)
    assert [link.icd10 for link in links] == codes


@pytest.mark.parametrize("written", ["E11.9", "e11.9", "E119", " E11.9 "])
def test_a_code_links_to_itself(written: str) -> None:
    for language in ("en", "zh"):
        link = default_terminology().link(written, language)
        assert (link.icd10, link.how) == ("E11.9", "exact")
    assert default_terminology().link("E11.99", "en").icd10 is None
    assert default_terminology().link("B12", "en").how != "exact"


def test_two_names_side_by_side_link_only_if_they_agree() -> None:
    assert default_terminology().link("Gout 肺炎", "zh").how != "exact"


def test_every_code_of_ours_is_a_who_code() -> None:
    terminology = default_terminology()
    path = Path(__file__).resolve().parents[2] / "records" / "diseases" / "icd10_names.json"
    names = json.loads(path.read_text(encoding="utf-8"))
    assert set(names) == {"zh", "en"}
    for language in ("zh", "en"):
        listed = [name for many in names[language].values() for name in many]
        assert len(listed) == len(set(listed))
        assert all(terminology.exists(code) for code in names[language])


def test_every_bundled_name_links_to_its_own_category() -> None:
    terminology = default_terminology()
    path = Path(__file__).resolve().parents[2] / "records" / "diseases" / "icd10_names.json"
    names: dict[Language, dict[str, list[str]]] = json.loads(path.read_text(encoding="utf-8"))
    # Where the knowledge file prefers a name for a narrower disease, the file's code stands.
    known = {
        name for disease in load_knowledge() for many in disease.names.values() for name in many[:1]
    }
    strays = [
        (name, code, terminology.link(name, language).icd10)
        for language, codes in names.items()
        for code, many in codes.items()
        for name in many
        if name not in known and not same_category(terminology.link(name, language).icd10, code)
    ]
    assert strays == []


def test_the_knowledge_files_names_link() -> None:
    terminology = default_terminology()
    for disease in load_knowledge():
        for language, many in disease.names.items():
            link = terminology.link(many[0], language)
            assert same_category(link.icd10, disease.icd10), (many[0], link)


@settings(deadline=None)
@given(st.text(max_size=40), st.sampled_from(["zh", "en"]))
def test_linking_never_raises_and_repeats_itself(name: str, language: Language) -> None:
    terminology = default_terminology()
    link = terminology.link(name, language)
    assert link == terminology.link(name, language)
    assert (link.icd10 is None) == (link.how == "none")
    assert 0 <= link.score <= 100


@settings(deadline=None)
@given(st.text(max_size=30) | st.sampled_from(["fever", "肺炎", "broken arm"]))
def test_candidates_are_distinct_categories_with_the_link_first(name: str) -> None:
    terminology = default_terminology()
    language: Language = "zh" if re.search("[一-鿿]", name) else "en"
    found = terminology.candidates(name, language)
    categories = [str(link.icd10)[:3] for link in found]
    assert len(set(categories)) == len(categories) <= 10
    chosen = terminology.link(name, language)
    assert chosen.icd10 is None or found[0] == chosen
    assert terminology.candidates(name, language, 3) == found[:3]


def test_candidates_name_what_else_it_might_be(table: Terminology) -> None:
    assert table.candidates("alpha fever", "en")[0].icd10 == "A01"
    assert "D04" in [link.icd10 for link in table.candidates("alpha fever", "en")]
    assert table.candidates("zzz", "en") == ()


def test_a_terminology_is_chosen_by_name(tmp_path: Path) -> None:
    assert named_terminology("who") is default_terminology()
    table = tmp_path / "t.csv"
    table.write_text("A00,quux fever\nA01,zork\n", encoding="utf-8")
    assert named_terminology(str(table)).link("quux fever", "en").icd10 == "A00"
    with pytest.raises(InputError, match="no such terminology; there are who, who"):
        named_terminology("icd-11")


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Temporomandibular joint disorder, unspecified", "K07"),
        ("Acute embolism and thrombosis of deep veins of unspecified upper extremity", "I80"),
        ("Cardiac infarction NOS", "I21"),
        ("Gonarthrosis", "M17"),
    ],
)
def test_cm_synonyms_have_who_codes(name: str, category: str) -> None:
    pytest.importorskip("simple_icd_10_cm")
    terminology = named_terminology("who+cm")
    assert terminology.hash != default_terminology().hash
    assert same_category(terminology.link(name, "en").icd10, category)


def test_every_cm_synonym_has_a_code_that_exists() -> None:
    pytest.importorskip("simple_icd_10_cm")
    from records.diseases.cm_names import cm_terms

    codes = {term.code for term in cm_terms()}
    assert len(codes) > 5000
    assert all(default_terminology().exists(code) for code in codes)


@pytest.mark.skipif(not PAIRS.is_file(), reason="the published pairs are not here")
def test_published_english_names_link_to_their_category() -> None:
    terminology = default_terminology()
    with PAIRS.open(encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    right = sum(
        any(
            same_category(terminology.link(pair["name"], "en").icd10, code)
            for code in pair["codes"]
        )
        for pair in pairs
    )
    assert right / len(pairs) >= 0.72
    among = sum(
        any(
            same_category(link.icd10, code)
            for link in terminology.candidates(pair["name"], "en")
            for code in pair["codes"]
        )
        for pair in pairs
    )
    assert among / len(pairs) >= 0.90
