"""The report parser: every shape of heading, refusals, and replies that are no report at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.report_parser import read_report
from records.visit import REPORT_PARTS

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"

ZH = {
    "symptoms": "发热三天，咳嗽",
    "examinations": "胸片：右下肺斑片影",
    "diagnosis": "右下肺肺炎",
    "rationale": "发热、咳嗽与胸片相符",
    "treatment": "口服抗菌药物，多饮水",
}
EN = {
    "symptoms": "fever for three days, cough",
    "examinations": "chest film: patchy shadow in the right lower lobe",
    "diagnosis": "right lower lobe pneumonia",
    "rationale": "fever and cough agree with the film",
    "treatment": "oral antibiotics and fluids",
}
ZH_HEADS = ("症状", "辅助检查", "诊断结果", "诊断依据", "治疗方案")
EN_HEADS = ("Symptoms", "Auxiliary examinations", "Diagnosis", "Rationale", "Treatment plan")


def parts_of(text: str) -> dict[str, str]:
    report = read_report(text).report
    return {part: getattr(report, part) for part in REPORT_PARTS}


def written(shape: str, heads: tuple[str, ...], parts: dict[str, str]) -> str:
    """Write a report: `{h}` is a heading, `{n}` its number, `{t}` the part's text."""
    return "\n".join(
        shape.format(h=head, n=number, t=text)
        for number, (head, text) in enumerate(zip(heads, parts.values(), strict=True), 1)
    )


SHAPES = (
    "#{h}#\n{t}\n",
    "#{h}#{t}",
    "＃{h}＃\n{t}",
    "# {h} #\n{t}",
    "# {h}\n\n{t}\n",
    "### {h}\n{t}",
    "### {n}. {h}\n{t}",
    "**{h}**\n{t}",
    "**{h}**：\n{t}",
    "**{h}:** {t}",
    "**{n}. {h}**\n{t}",
    "{n}. **{h}**: {t}",
    "- **{h}**: {t}",
    "{n}. {h}: {t}",
    "{n}、{h}：{t}",
    "({n}) {h}：\n{t}",
    "{h}: {t}",
    "{h}：\n{t}",
    "{h}\n{t}\n",
    "【{h}】{t}",
    "【{h}】\n{t}",
    "<{h}>\n{t}\n</{h}>",
    "> **{h}**\n> \n{t}",
    "## **{h}**\n{t}",
    "Part {n}: {h}\n{t}",
    "### {h}（初步）\n{t}",
    "### Final {h}\n{t}",
    "\ufeff#{h}#\n{t}",
    "\u202b**{h}**: {t}",
)


@pytest.mark.parametrize("shape", SHAPES)
def test_reads_a_report_in_every_shape_of_heading(shape: str) -> None:
    if "Final" not in shape:
        assert parts_of(written(shape, ZH_HEADS, ZH)) == ZH
    assert parts_of(written(shape, EN_HEADS, EN)) == EN


@pytest.mark.parametrize(
    "heads",
    [
        ("患者症状", "检查结果", "初步诊断结果", "诊断理由", "治疗计划"),
        ("主要症状", "检查", "最终诊断", "依据", "治疗"),
        ("症状与体征", "辅助检查结果", "初步诊断", "诊断分析", "初步治疗方案"),
        ("主诉", "检查项目", "诊断", "诊断依据", "治疗建议"),
    ],
)
def test_reads_chinese_synonyms_of_headings(heads: tuple[str, ...]) -> None:
    assert parts_of(written("#{h}#\n{t}", heads, ZH)) == ZH
    assert parts_of(written("{h}：{t}", heads, ZH)) == ZH


@pytest.mark.parametrize(
    "heads",
    [
        ("Clinical symptoms", "Test results", "Final diagnosis", "Diagnostic basis", "Management"),
        ("Chief complaint and symptoms", "Tests", "Diagnostic result", "Reasoning", "Plan"),
        ("SYMPTOMS", "Investigations", "Provisional Diagnosis", "Justification", "Treatment"),
        (
            "Signs and symptoms",
            "Examinations and results",
            "Most likely diagnosis",
            "Rationale for the diagnosis",
            "Treatment recommendations",
        ),
    ],
)
def test_reads_english_synonyms_of_headings(heads: tuple[str, ...]) -> None:
    assert parts_of(written("### {h}\n{t}", heads, EN)) == EN
    assert parts_of(written("{n}. {h}: {t}", heads, EN)) == EN


@pytest.mark.parametrize(
    ("heads", "parts"),
    [
        (ZH_HEADS, ZH),
        (EN_HEADS, EN),
        (("symptoms", "auxiliary_examinations", "diagnosis", "rationale", "treatment_plan"), EN),
    ],
)
def test_reads_json_bare_fenced_nested_and_with_talk_around(
    heads: tuple[str, ...], parts: dict[str, str]
) -> None:
    body = json.dumps(dict(zip(heads, parts.values(), strict=True)), ensure_ascii=False)
    assert parts_of(body) == parts
    assert parts_of(f"Here is {{my}} report:\n```json\n{body}\n```\nTake care.") == parts
    assert parts_of(f'{{"report": {body}}}') == parts
    assert parts_of(body[:-1] + ",}") == parts


def test_json_lists_and_objects_become_readable_lines() -> None:
    text = json.dumps(
        {
            "Symptoms": ["cough", "fever"],
            "Diagnosis": {"primary": "pneumonia", "secondary": ["anaemia", "gout"]},
            "Treatment": [{"drug": "amoxicillin", "days": 5}],
        }
    )
    read = parts_of(text)
    assert read["symptoms"] == "cough\nfever"
    assert read["diagnosis"] == "primary: pneumonia\nsecondary:\nanaemia\ngout"
    assert read["treatment"] == "drug: amoxicillin; days: 5"


def test_json_that_was_cut_off_keeps_what_came() -> None:
    read = parts_of('{"symptoms": "cough", "diagnosis": "acute bronchitis", "rationale": "because')
    assert read["diagnosis"] == "acute bronchitis"
    assert read["rationale"] == "because"


@pytest.mark.parametrize(("heads", "parts"), [(ZH_HEADS, ZH), (EN_HEADS, EN)])
def test_reads_tables_with_headings_down_or_across(
    heads: tuple[str, ...], parts: dict[str, str]
) -> None:
    down = "| 项目 | 内容 |\n|---|---|\n" + written("| **{h}** | {t} |", heads, parts)
    across = "\n".join("| " + " | ".join(row) + " |" for row in (heads, parts.values()))
    assert parts_of(down) == parts
    assert parts_of(across.replace("\n", "\n|---|---|---|---|---|\n")) == parts


def test_reads_a_report_written_on_one_line() -> None:
    assert parts_of(written("#{h}#{t}", ZH_HEADS, ZH).replace("\n", " ")) == ZH
    line = written("{h}: {t}.", EN_HEADS, EN).replace("\n", " ")
    assert parts_of(line) == {part: text + "." for part, text in EN.items()}


def test_talk_before_the_first_heading_is_not_of_the_report() -> None:
    text = "好的，以下是症状、辅助检查、诊断结果的总结：\n\n" + written("#{h}#\n{t}", ZH_HEADS, ZH)
    assert parts_of(text) == ZH


def test_labels_inside_a_part_are_not_headings() -> None:
    text = (
        "#症状#\n咳嗽\n#辅助检查#\n(1) 检查：血常规正常\n#诊断结果#\n肺炎\n#诊断依据#\n"
        "(1) 症状：咳嗽\n(2) 辅助检查：血常规\n#治疗方案#\n(1) 检查：复查胸片\n(2) 治疗：休息"
    )
    read = parts_of(text)
    assert read["symptoms"] == "咳嗽"
    assert read["rationale"] == "(1) 症状：咳嗽\n(2) 辅助检查：血常规"
    assert read["treatment"] == "(1) 检查：复查胸片\n(2) 治疗：休息"


def test_subheadings_of_a_part_stay_in_it() -> None:
    text = (
        "## Symptoms\ncough\n## Diagnosis\ngout\n## Rationale\n### Symptoms\npain\n### Tests\nurate"
    )
    read = parts_of(text)
    assert read["symptoms"] == "cough"
    assert read["rationale"].startswith("### Symptoms\npain")


def test_a_heading_given_twice_is_joined_and_a_repetition_is_not() -> None:
    assert parts_of("#诊断结果#\n肺炎\n#症状#\n咳嗽\n#诊断结果#\n贫血")["diagnosis"] == "肺炎\n贫血"
    assert parts_of("#诊断结果#\n肺炎\n#症状#\n咳嗽\n" * 50)["diagnosis"] == "肺炎"


def test_a_report_that_stops_early_has_empty_parts_and_says_which() -> None:
    reading = read_report("#症状#\n咳嗽\n#辅助检查#\n胸片未做")
    assert reading.report.examinations == "胸片未做"
    assert reading.report.diagnosis == ""
    assert [r.detail for r in reading.repairs if r.kind == "report_parts_missing"] == [
        "diagnosis, rationale, treatment"
    ]


@pytest.mark.parametrize(
    "wrap",
    [
        "<think>诊断结果：胃癌\n#诊断结果#\n胃癌</think>\n{}",
        "#诊断结果#\n胃癌</think>{}",
        "<THINK>x</THINK>{}<think>#诊断结果#\n胃癌",
        "<thinking>\nDiagnosis: cancer\n</thinking>\n{}",
    ],
)
def test_reasoning_is_no_part_of_the_report(wrap: str) -> None:
    reading = read_report(wrap.format(written("#{h}#\n{t}\n", ZH_HEADS, ZH)))
    assert reading.report.diagnosis == ZH["diagnosis"]
    assert "胃癌" not in reading.report.raw
    assert "cancer" not in reading.report.raw
    assert "reasoning_removed" in {repair.kind for repair in reading.repairs}


@pytest.mark.parametrize(
    "text",
    [
        "很抱歉，由于没有提供检查结果，无法给出诊断结果和治疗方案。",
        "抱歉，作为人工智能助手，我不能替代医生。",
        "请先描述症状，目前还没有收到检查的结果。",
        "I'm sorry, but as an AI I cannot provide a diagnosis.",
        "There is not enough information to reach a diagnosis.",
        "#症状#\n咳嗽\n#辅助检查#\n未做\n由于检查尚未完成，无法给出确切的诊断。",
        "#诊断结果#\n无法确定\n#治疗方案#\n休息",
        "#诊断结果#\n暂无\n#治疗方案#\n休息",
        "#诊断结果#\n根据现有症状和检查结果，目前无法明确诊断，建议进一步检查以排除肺炎。",
        "Symptoms: cough\nDiagnosis: cannot be determined from the information given.\nPlan: rest",
        "Symptoms: cough\nDiagnosis: N/A\nPlan: rest",
        '{"symptoms": "cough", "diagnosis": "Undetermined"}',
    ],
)
def test_a_refusal_is_declined_and_kept(text: str) -> None:
    reading = read_report(text)
    assert reading.declined
    assert reading.report.raw == text


@pytest.mark.parametrize(
    "text",
    [
        "#诊断结果#\n考虑肺炎，需进一步检查\n#治疗方案#\n休息",
        "#诊断结果#\n尚无法给出确切诊断，可能的诊断为肺炎。",
        "#诊断结果#\n眩晕待查",
        "抱歉，检查结果不全，我无法提供完整的总结。\n#症状#\n发热\n#诊断结果#\n热性惊厥可能",
        "Symptoms: cough\nDiagnosis: possible pneumonia, cannot be confirmed without a film",
        "Symptoms: none\nDiagnosis: Acute appendicitis\nPlan: surgery",
    ],
)
def test_an_uncertain_diagnosis_is_not_declined(text: str) -> None:
    assert not read_report(text).declined


@pytest.mark.parametrize(
    ("text", "diagnosis"),
    [
        ("根据您的情况，初步诊断为急性胃炎。请注意休息。", "诊断为急性胃炎。"),
        ("The most likely diagnosis is acute gastritis. Please rest.", "acute gastritis."),
        ("您好，请多休息。", ""),
        ("如果发热，则可能诊断为肺炎。", ""),
        ("", ""),
    ],
)
def test_without_headings_a_sentence_may_state_the_diagnosis(text: str, diagnosis: str) -> None:
    report = read_report(text).report
    assert report.diagnosis.endswith(diagnosis)
    assert bool(report.diagnosis) == bool(diagnosis)
    assert report.raw == text


@pytest.mark.parametrize(
    ("text", "diagnosis"),
    [
        ("我推测是急性咽炎，但具体的结果需要喉镜检查才能确定。", "推测是急性咽炎"),
        ("The diagnosis is acute gout, but it is certain only once the joint is tapped.", "gout"),
        ("如果咳嗽不好，可能是肺炎，但也许不是。", ""),
    ],
)
def test_what_a_sentence_turns_to_takes_no_diagnosis_back(text: str, diagnosis: str) -> None:
    stated = read_report(text).report.diagnosis
    assert diagnosis in stated
    assert bool(stated) == bool(diagnosis)


def test_a_form_that_is_shown_and_not_filled_in_is_no_report() -> None:
    form = "抱歉，资料不足，我无法作出诊断。格式如下：\n" + "\n".join(
        f"#{heading}#\n(1)xx\n(2)…" for heading in ("症状", "辅助检查", "诊断结果", "诊断依据")
    )
    reading = read_report(form)
    assert reading.declined
    assert not any(getattr(reading.report, part) for part in REPORT_PARTS)


def test_headings_named_in_a_refusal_have_nothing_in_them() -> None:
    reading = read_report("#症状#\n咳嗽\n\n结果没有出来，暂时无法给出#诊断结果#、#诊断依据#。")
    assert reading.declined
    assert (reading.report.symptoms, reading.report.diagnosis) == (
        "咳嗽\n\n结果没有出来，暂时无法给出",
        "",
    )


def test_lone_surrogates_are_escaped_and_nul_kept() -> None:
    reading = read_report("#诊断结果#\n肺炎\ud800\x00")
    assert reading.report.diagnosis == "肺炎\\ud800\x00"
    assert read_report("\ud83d\ude00").report.raw == "😀"


@pytest.mark.parametrize(
    "text",
    [
        "#诊断结果#\n肺炎，" * 900_000,
        "诊断" * 2_000_000,
        "{" * 3_000_000,
        '{"a":' * 400_000,
        "| a | b |\n" * 300_000,
        "<think>" * 300_000,
        "*" * 3_000_000,
        ("x" * 100_000 + "\n") * 11 + "Diagnosis: gout",
        "如果诊断为" * 500_000,
    ],
    ids=["repeated", "word", "braces", "nested", "table", "think", "stars", "long", "sentence"],
)
def test_huge_replies_are_read_without_a_crash(text: str) -> None:
    reading = read_report(text)
    assert len(reading.report.diagnosis) <= 1_000_000
    assert "<think>" in text or reading.report.raw == text
    assert "report_too_long" in {repair.kind for repair in reading.repairs} or "<think>" in text


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "#诊断结果#",
                "### 诊断",
                "**Diagnosis**:",
                "|",
                '{"诊断":',
                '"}',
                "```json",
                "\n",
                "(1)",
                "<think>",
                "</think>",
                "无法诊断",
                "肺炎",
                "\ud800",
                "\x00",
                "\u202e",
                ": ",
            ]
        )
        | st.text(max_size=8),
        max_size=30,
    )
)
def test_never_raises_and_keeps_what_was_written(pieces: list[str]) -> None:
    text = "".join(pieces)
    reading = read_report(text)
    reading.report.model_dump_json()
    if "think" not in text.lower() and not any("\ud800" <= c <= "\udfff" for c in text):
        assert reading.report.raw == text


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published reports are not here")
def test_published_reports_are_read_or_declined() -> None:
    whole = unread = total = 0
    for path in sorted(PUBLISHED.glob("dialog_history_*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                reading = read_report(json.loads(line)["dialog_history"][-1]["content"])
                total += 1
                whole += all(getattr(reading.report, part) for part in REPORT_PARTS)
                unread += not (reading.report.diagnosis or reading.declined)
    assert total == 2023
    assert whole >= 1944
    assert unread == 0
