"""The splitter: atomic findings in both languages, negation kept, nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.findings.splitter import split_findings
from records.medical_record import Finding, HistorySection, Language


def split(text: str, language: Language) -> tuple[Finding, ...]:
    return split_findings({"history_of_present_illness": text}, language)


def told(text: str, language: Language) -> list[tuple[str, bool]]:
    return [(finding.symptom, finding.present) for finding in split(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("无头痛、发热、恶心", [("头痛", False), ("发热", False), ("恶心", False)]),
        ("否认咳嗽或胸痛。", [("咳嗽", False), ("胸痛", False)]),
        ("未见皮疹，偶有头晕", [("皮疹", False), ("头晕", True)]),
        ("没有腹泻、便血等症状，食欲差", [("腹泻", False), ("便血", False), ("食欲差", True)]),
        ("发热伴寒战3天", [("发热", True), ("寒战", True)]),
        ("左上肢无力2小时", [("左上肢无力", True)]),
        ("无明显诱因出现心悸", [("心悸", True)]),
        ("关节肿痛未缓解", [("关节肿痛未缓解", True)]),
        ("浅表淋巴结未见异常", [("浅表淋巴结异常", False)]),
        (
            "无多饮或多尿的感觉，如口干、乏力",
            [("多饮", False), ("多尿", False), ("口干", False), ("乏力", False)],
        ),
        ("头疼、耳鸣这些都没有", [("头疼", False), ("耳鸣", False)]),
        ("有慢性胃炎病史6年", [("慢性胃炎", True)]),
    ],
)
def test_chinese_findings(text: str, expected: list[tuple[str, bool]]) -> None:
    assert told(text, "zh") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Denies fever, cough or chest pain.",
            [("fever", False), ("cough", False), ("chest pain", False)],
        ),
        (
            "No rash, itching, or swelling",
            [("rash", False), ("itching", False), ("swelling", False)],
        ),
        ("The patient reports nausea and denies vomiting", [("nausea", True), ("vomiting", False)]),
        ("He has dizziness but no headache", [("dizziness", True), ("headache", False)]),
        (
            "Earache without fever or discharge",
            [("Earache", True), ("fever", False), ("discharge", False)],
        ),
        ("Non-smoker, drinks wine", [("smoker", False), ("drinks wine", True)]),
        ("A 3-week history of hoarseness and cough", [("hoarseness", True), ("cough", True)]),
        (
            "Does not smoke, drink alcohol, or use drugs",
            [("smoke", False), ("drink alcohol", False), ("use drugs", False)],
        ),
        (
            "Red, scaly patches on elbows and knees",
            [("Red, scaly patches on elbows and knees", True)],
        ),
        ("No pain associated with the lump", [("pain associated with the lump", False)]),
        ("Denies chills. Knees ache at night", [("chills", False), ("Knees ache at night", True)]),
    ],
)
def test_english_findings(text: str, expected: list[tuple[str, bool]]) -> None:
    assert told(text, "en") == expected


def test_members_of_a_list_have_the_words_that_they_share() -> None:
    allergies = split("无药物、海鲜过敏史", "zh")
    assert [finding.text for finding in allergies] == ["无药物过敏史", "海鲜过敏史"]
    functions = split("睡眠、大便均正常", "zh")
    assert [finding.text for finding in functions] == ["睡眠正常", "大便均正常"]
    drugs = split("Denies alcohol or drug use", "en")
    assert [finding.text for finding in drugs] == ["alcohol use", "drug use"]


def test_text_is_what_stands_at_the_offsets_unless_it_shares_words() -> None:
    text = "患者昨晚开始腹痛，无发热、呕吐，夜间加重。"
    for finding in split(text, "zh"):
        assert text[finding.start : finding.end] == finding.text
    assert [finding.text for finding in split(text, "zh")][1:3] == ["无发热", "呕吐"]


def test_what_qualifies_a_finding_stays_with_it() -> None:
    (pain,) = split("Burning pain, worse after meals, for two weeks", "en")
    assert pain.attributes["duration"] == "for two weeks"
    assert pain.attributes["trigger"] == "worse after meals"
    (weakness,) = split("3天前突然出现左侧肢体无力", "zh")
    assert (weakness.symptom, weakness.attributes["onset"]) == ("左侧肢体无力", "3天前")


def test_an_illness_of_a_relative_is_marked_as_one() -> None:
    (illness,) = split("Her father has a history of gout", "en")
    assert illness.attributes["relation"] == "father"


def test_ids_go_through_the_sections_in_order() -> None:
    sections: dict[HistorySection, str] = {
        "past_history": "高血压",
        "chief_complaint": "胸痛、气短",
    }
    findings = split_findings(sections, "zh")
    assert [(f.id, f.section) for f in findings] == [
        ("f1", "chief_complaint"),
        ("f2", "chief_complaint"),
        ("f3", "past_history"),
    ]


_WORDS = {
    "zh": "无否认未见没有不伴出现头痛发热、，。；（）和及或等病史近三天后正常\n1年a.“”",
    "en": "abnor de ,.;()\n'12%-",
}
_TEXTS = {
    "zh": st.one_of(st.text(), st.text(alphabet=_WORDS["zh"])),
    "en": st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(
                ["no", "denies", "fever", "and", "or", ",", ".", "pain", "the patient", "reports",
                 "without", "in", "legs", "(", ")", "which", "for 2 weeks", "is", "Dr.", "use"]
            )
        ).map(" ".join),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", ["zh", "en"])
@given(data=st.data())
def test_offsets_are_right_and_never_overlap(language: Language, data: st.DataObject) -> None:
    text = data.draw(_TEXTS[language])
    end = 0
    for finding in split(text, language):
        assert finding.start is not None
        assert finding.end is not None
        assert end <= finding.start < finding.end <= len(text)
        own = text[finding.start : finding.end]
        assert finding.text.startswith(own.removesuffix("史"))
        assert finding.symptom.strip()
        end = finding.end


@given(st.lists(st.sampled_from(["咽痛", "流涕", "腰酸", "耳鸣", "盗汗"]), min_size=1, unique=True))
def test_no_member_of_a_list_is_lost(members: list[str]) -> None:
    for opening in ("", "无", "否认", "伴"):
        found = split(opening + "、".join(members), "zh")
        assert [finding.symptom for finding in found] == members
        assert {finding.present for finding in found} == {opening not in ("无", "否认")}


@given(
    st.lists(
        st.sampled_from(["sore throat", "fatigue", "night sweats", "joint pain", "dizziness"]),
        min_size=2,
        unique=True,
    )
)
def test_no_member_of_an_english_list_is_lost(members: list[str]) -> None:
    told_of = f"{', '.join(members[:-1])} or {members[-1]}"
    found = split(f"Patient denies any {told_of}.", "en")
    assert [(finding.symptom, finding.present) for finding in found] == [
        (m, False) for m in members
    ]


@given(st.text(alphabet="甲乙丙丁戊12，。；、 "))
def test_all_words_of_a_plain_text_belong_to_a_finding(text: str) -> None:
    covered = {i for f in split(text, "zh") for i in range(f.start or 0, f.end or 0)}
    assert {i for i, char in enumerate(text) if char.isalnum()} <= covered
