"""What a model moderator's replies are read as, in whatever shape they come."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.moderation import Question, Verdict
from agents.moderator_reading import read_conclusion, read_facts, read_questions, read_verdict
from records.conference import Facts


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("[]", ()),
        ("```json\n[]\n```", ()),
        ("The notes hold no contradictions.", ()),
        ("各位医生的记录没有矛盾。", ()),
        (
            'Here: [{"to": "patient", "question": "Any fever?"}]',
            (Question("patient", "Any fever?"),),
        ),
        (
            '{"questions": [{"to": "检查员", "question": "请报告血红蛋白"}]}',
            (Question("examiner", "请报告血红蛋白"),),
        ),
        ('{"to": "患者", "question": "发热吗？"}', (Question("patient", "发热吗？"),)),
        ('[{"对象": "患者", "问题": "发热吗？"}]', (Question("patient", "发热吗？"),)),
        (
            '["Any fever?", "What did the chest X-ray show?"]',
            (
                Question("patient", "Any fever?"),
                Question("examiner", "What did the chest X-ray show?"),
            ),
        ),
        ("1. 患者：有没有发热？\n2. 检查员：血红蛋白是多少？", None),
        ("Interesting case.", "unreadable"),
        ('[{"to": "patient"}]', "unreadable"),
        ("", "unreadable"),
    ],
)
def test_questions(text: str, questions: tuple[Question, ...] | str | None) -> None:
    read = read_questions(text)
    if questions == "unreadable":
        assert read is None
        return
    assert read is not None
    if questions is None:
        questions = (
            Question("patient", "有没有发热？"),
            Question("examiner", "血红蛋白是多少？"),
        )
    assert read.value == questions


def test_of_many_questions_the_first_ten_are_asked() -> None:
    read = read_questions(json.dumps([f"Question {n}?" for n in range(30)]))
    assert read is not None
    assert [q.text for q in read.value] == [f"Question {n}?" for n in range(10)]
    assert [repair.kind for repair in read.repairs] == ["questions_cut"]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            '{"symptoms": "Cough", "examinations": "CRP 9"}',
            Facts(symptoms="Cough", examinations="CRP 9"),
        ),
        (
            '好的。{"症状": ["咳嗽", "发热"], "检查": {"CRP": 9}}',
            Facts(symptoms="咳嗽\n发热", examinations="CRP: 9"),
        ),
        ('{"symptoms": "Cough", "examinations": null}', Facts(symptoms="Cough")),
        ("##症状##\n咳嗽\n\n##辅助检查##\nCRP 9", Facts(symptoms="咳嗽", examinations="CRP 9")),
        ('{"symptoms": "", "examinations": ""}', None),
        ("I merged them.", None),
    ],
)
def test_facts(text: str, facts: Facts | None) -> None:
    read = read_facts(text)
    assert (read and read.value) == facts


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"agreement": true, "disputes": []}', Verdict(True)),
        ('{"agreement": "是"}', Verdict(True)),
        ('{"一致": false, "分歧": ["肺炎还是支气管炎"]}', Verdict(False, ("肺炎还是支气管炎",))),
        ('{"agreement": false, "disputes": []}', Verdict(False)),
        ('{"disputes": []}', Verdict(True)),
        ('{"disputes": ["a"]}', Verdict(False, ("a",))),
        ('{"agreement": true, "disputes": ["a"]}', Verdict(True)),
        (
            json.dumps({"agreement": False, "disputes": [f"point {n}" for n in range(10)]}),
            Verdict(False, ("point 0", "point 1", "point 2")),
        ),
        (
            '{"agreement": false, "disputes": [{"point": "dose", "weight": 2}, "dose", "dose"]}',
            Verdict(False, ("point: dose; weight: 2", "dose")),
        ),
        ('{"agreement": false, "disputes": "1. a\\n2. b"}', Verdict(False, ("a", "b"))),
        (
            "They do not agree.\n1. ulcer or gastritis\n2. endoscopy",
            Verdict(False, ("ulcer or gastritis", "endoscopy")),
        ),
        ("医生们尚未达成一致。", Verdict(False)),
        ("各位医生的意见已经基本达成一致。", Verdict(True)),
        ("The doctors agree.", Verdict(True)),
        ("Thank you all.", None),
        ("{}", None),
        ("", None),
    ],
)
def test_verdicts(text: str, verdict: Verdict | None) -> None:
    read = read_verdict(text)
    assert (read and read.value) == verdict


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("#Diagnosis#\nGout", True),
        ("诊断结果：痛风", True),
        ("I cannot give a diagnosis.", False),
        ("", False),
    ],
)
def test_conclusions(text: str, kept: bool) -> None:
    read = read_conclusion(text)
    assert (read is not None) is kept
    assert read is None or read.value == text


@given(st.text(max_size=200) | st.text(alphabet='[]{}":,toquesin患者truefals \n1.', max_size=200))
def test_no_reply_breaks_a_reader(text: str) -> None:
    read = read_questions(text)
    assert read is None or all(q.text.strip() for q in read.value)
    verdict = read_verdict(text)
    assert verdict is None or len(verdict.value.points) <= 3
    facts = read_facts(text)
    assert facts is None or facts.value != Facts()
