from __future__ import annotations

from collections.abc import Mapping

import pytest

from records.facts.matching import match_question, stated_findings
from records.findings.splitter import split_findings
from records.medical_record import Diagnosis, Finding, HistorySection, Language, MedicalRecord
from records.views import PatientView


def view_of(language: Language, sections: Mapping[HistorySection, str]) -> PatientView:
    findings = split_findings(sections, language)
    texts = {k: v for k, v in sections.items() if k != "persona"}
    return PatientView.of(
        MedicalRecord.model_validate(
            {
                "id": "case",
                "language": language,
                "findings": findings,
                "diagnoses": (Diagnosis(id="d1", name="x"),),
                "persona": {"chief_complaint": sections.get("persona")},
                **texts,
            }
        )
    )


ZH = view_of(
    "zh",
    {
        "chief_complaint": "右膝疼痛3周。",
        "history_of_present_illness": (
            "3周前爬山后出现右膝疼痛，呈酸痛，上楼时加重，休息后缓解。伴右膝肿胀。"
            "无发热、皮疹，无尿频、尿痛。曾自行贴膏药治疗，效果不佳。睡眠差，大小便正常。"
        ),
        "past_history": (
            "高血压病史6年，服用氨氯地平。否认糖尿病、冠心病。10年前行胆囊切除术。对磺胺类药物过敏。"
        ),
        "personal_history": "吸烟15年，不饮酒。职业为司机。",
        "family_history": "母亲患痛风。",
    },
)
EN = view_of(
    "en",
    {
        "chief_complaint": "Cough for two weeks.",
        "history_of_present_illness": (
            "The patient reports a dry cough that began two weeks ago. It is worse at night and "
            "improves with warm drinks. She has noticed mild chest pain. "
            "She denies fever, night sweats, or weight loss."
        ),
        "past_history": "Asthma as a child. No surgeries. Allergic to penicillin.",
        "personal_history": "Smokes five cigarettes a day. Works as a baker.",
        "family_history": "Her father had a stroke.",
        "medication_history": "Takes ibuprofen for back pain.",
    },
)


def told(question: str, view: PatientView, **given: object) -> list[str]:
    ids = [i for p in match_question(question, view, **given) for i in p.findings]  # type: ignore[arg-type]
    texts = {f.id: f.text for f in view.findings}
    return [texts[i] for i in dict.fromkeys(ids)]


def hits(question: str, view: PatientView, *fragments: str) -> bool:
    """Whether exactly the clauses that hold one of the fragments are told."""
    texts = told(question, view)
    return all(any(f in t for t in texts) for f in fragments) and all(
        any(f in t for f in fragments) for t in texts
    )


@pytest.mark.parametrize(
    ("question", "fragments"),
    [
        ("有没有发烧、起疹子？", ("发热", "皮疹")),
        ("膝盖肿吗？", ("肿胀",)),
        ("小便的时候疼不疼？", ("尿痛",)),
        ("什么情况下会加重？", ("上楼时加重",)),
        ("怎么样能缓解？", ("休息后缓解",)),
        ("您有糖尿病吗？", ("糖尿病",)),
        ("做过什么手术吗？", ("胆囊切除",)),
        ("您对什么药过敏？", ("磺胺",)),
        ("家里人有什么病吗？", ("痛风",)),
        ("抽烟喝酒吗？", ("吸烟", "饮酒")),
        ("睡得好吗？", ("睡眠差",)),
        ("您是做什么工作的？", ("司机",)),
        ("有没有泌尿系统症状？", ("尿频", "尿痛", "大小便")),
    ],
)
def test_chinese_questions(question: str, fragments: tuple[str, ...]) -> None:
    assert hits(question, ZH, *fragments), told(question, ZH)


@pytest.mark.parametrize(
    ("question", "fragments"),
    [
        ("Any fevers or night sweats?", ("fever", "night sweats")),
        ("Does anything make it worse?", ("worse at night",)),
        ("What relieves the cough?", ("improves with warm drinks",)),
        ("Have you ever had an operation?", ("No surgeries",)),
        ("Are you allergic to anything?", ("Allergic to penicillin",)),
        ("Do you smoke?", ("Smokes five",)),
        ("What do you do for a living?", ("baker",)),
        ("Does anyone in your family have health problems?", ("father had a stroke",)),
        ("Have you lost any weight?", ("weight loss",)),
        ("Does your chest hurt?", ("chest pain",)),
        ("What medications are you on?", ("ibuprofen",)),
    ],
)
def test_english_questions(question: str, fragments: tuple[str, ...]) -> None:
    assert hits(question, EN, *fragments), told(question, EN)


def test_onset_of_the_complaint_where_nothing_is_named() -> None:
    assert any("began two weeks ago" in t for t in told("When did it start?", EN))
    assert any("3周" in t for t in told("什么时候开始的？", ZH))


@pytest.mark.parametrize(
    ("question", "view", "fragment"),
    [
        ("Hello, since when have you been ill?", EN, "began two weeks ago"),
        ("How long have you been feeling unwell?", EN, "began two weeks ago"),
        ("Can you tell me more about that?", EN, "worse at night"),
        ("能详细说说吗？", ZH, "上楼时加重"),
        ("请您再详细讲讲", ZH, "上楼时加重"),
    ],
)
def test_the_present_illness_as_a_whole(question: str, view: PatientView, fragment: str) -> None:
    assert any(fragment in t for t in told(question, view)), told(question, view)


def test_a_living_is_no_place_to_live() -> None:
    assert [p.kind for p in match_question("What do you do for a living?", EN)] == ["history"]


def test_what_it_means_comes_from_the_doctors_earlier_messages() -> None:
    alone = told("How bad is it?", EN)
    spoken = told("How bad is it?", EN, context=("Do you have any chest pain?",))
    assert spoken == told("Does your chest hurt?", EN)
    assert alone != spoken


def test_parts_come_in_the_order_asked() -> None:
    parts = match_question("有没有咳嗽？膝盖肿不肿？对什么过敏？", ZH)
    assert [p.kind for p in parts] == ["symptom", "symptom", "history"]
    assert parts[0].findings == ()
    assert parts[0].concept == "cough"
    assert parts[1].findings


def test_an_announced_list_is_asked_item_by_item() -> None:
    text = "我需要了解以下情况：\n1. 有无发热\n2. 过敏史\n3. 家族史"
    concepts = [p.concept for p in match_question(text, ZH)]
    assert concepts == ["fever", "allergy", "family"]


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("谢谢您的信息。建议您多休息，避免爬楼，注意膝盖保暖。", ZH),
        ("根据您的描述，膝盖疼痛可能是关节炎引起的。", ZH),
        ("您愿意接受这项检查吗？", ZH),
        ("Your chest X-ray is normal and there is no sign of pneumonia.", EN),
        ("I recommend that you rest and drink plenty of fluids for the cough.", EN),
        ("Do you have any questions?", EN),
    ],
)
def test_statements_and_requests_for_consent_ask_nothing(text: str, view: PatientView) -> None:
    assert match_question(text, view) == ()


def test_what_is_set_aside_is_not_asked() -> None:
    texts = told("除了膝盖疼，还有哪里不舒服？", ZH)
    assert any("肿胀" in t for t in texts)
    assert not any("酸痛" in t or "发热" in t for t in texts)


def test_anything_else_leaves_out_what_was_told() -> None:
    first = match_question("Anything else?", EN)[0].findings
    assert first
    assert match_question("Anything else?", EN, said=frozenset(first))[0].findings == ()


def test_other_places_and_sides_do_not_answer() -> None:
    assert told("左边的膝盖疼吗？", ZH) == []
    assert told("Does your belly hurt?", EN) == []


def test_a_general_denial_answers_for_what_it_covers() -> None:
    view = view_of("zh", {"history_of_present_illness": "咳嗽2天，无消化道症状。"})
    assert told("有没有拉肚子？", view) == ["无消化道症状"]


@pytest.mark.parametrize(
    ("said", "fragment", "stated"),
    [
        ("我没有发烧", "发热", True),
        ("我发烧了", "发热", False),
        ("膝盖有点肿", "肿胀", True),
        ("咳嗽", "肿胀", False),
        ("我有高血压", "高血压", True),
    ],
)
def test_a_statement_tells_a_finding_with_the_same_polarity(
    said: str, fragment: str, stated: bool
) -> None:
    finding = next(f for f in ZH.findings if fragment in f.text)
    assert (finding.id in stated_findings(said, ZH.findings, "zh")) is stated


def test_an_english_report_is_read_for_its_findings() -> None:
    report = "Dry cough for two weeks with chest pain; no fever; mother had a stroke."
    texts = {f.id: f.text for f in EN.findings}
    ids = stated_findings(report, EN.findings, "en")
    assert any("cough" in texts[i] for i in ids)
    assert any("fever" in texts[i] for i in ids)
    assert not any("weight loss" in texts[i] for i in ids)


def test_it_is_the_complaint_after_symptoms_that_the_patient_lacks() -> None:
    texts = told("Any rash or diarrhea? When did it start?", EN)
    assert any("began two weeks ago" in t for t in texts)


def test_the_family_and_ones_own_history_in_one_breath() -> None:
    texts = told("Tell me about your past medical history and family history.", EN)
    assert any("Asthma" in t for t in texts)
    assert any("father" in t for t in texts)


def test_one_relative_is_asked_about() -> None:
    view = view_of("zh", {"family_history": "父亲患高血压，母亲患糖尿病。"})
    assert told("您母亲有什么病？", view) == ["母亲患糖尿病"]


def test_a_narrower_denial_does_not_answer() -> None:
    view = view_of("zh", {"history_of_present_illness": "头晕2天，无呕血。"})
    assert told("有没有呕吐？", view) == []
    assert told("有没有吐血？", view) == ["无呕血"]


def test_what_sways_a_symptom_and_how_it_goes_are_two_questions() -> None:
    sways = told("What makes it better or worse?", EN)
    assert any("worse at night" in t for t in sways)
    assert not any("two weeks" in t for t in sways)


def test_a_relatives_illness_is_not_ones_own() -> None:
    view = view_of("zh", {"past_history": "高血压5年。", "family_history": "母亲患高血压。"})
    own, kin = view.findings
    assert stated_findings("我有高血压", view.findings, "zh") == (own.id,)
    assert stated_findings("我母亲有高血压", view.findings, "zh") == (kin.id,)


def test_told_about_one_symptom_the_patient_tells_its_qualities_too() -> None:
    texts = told("Tell me about the cough.", EN)
    assert any("began two weeks ago" in t for t in texts)
    assert any("worse at night" in t for t in texts)
    assert not any("chest pain" in t or "fever" in t for t in texts)
    assert told("Tell me about the rash.", EN) == []


def test_a_sentence_that_leads_up_to_questions_asks_nothing_itself() -> None:
    text = "我需要更详细地了解您的病情。请问您有没有发热？"
    assert [p.concept for p in match_question(text, ZH)] == ["fever"]


@pytest.mark.parametrize(
    ("text", "symptom", "language", "told"),
    [
        ("A dry cough for three days.", "cough", "en", True),
        ("No dry cough.", "cough", "en", False),
        ("干咳3天。", "咳嗽", "zh", True),
        ("无干咳。", "咳嗽", "zh", False),
    ],
)
def test_a_kind_of_a_symptom_tells_the_symptom_and_its_absence_nothing(
    text: str, symptom: str, language: Language, told: bool
) -> None:
    finding = Finding(id="f1", symptom=symptom, section="history_of_present_illness", text=symptom)
    assert bool(stated_findings(text, (finding,), language)) is told
