"""Chinese ways of asking, read through the public reading of questions."""

from __future__ import annotations

import pytest

from records.facts.chinese_questions import plain_chinese, rejoined
from records.facts.questions import read_questions


def named(question: str) -> set[str]:
    """Ids of the concepts that a question names."""
    return {c.id for q in read_questions(question, "zh") for u in q.units for c in u.concepts}


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("疼不疼？", "疼吗？"),
        ("发没发烧？", "有没有发烧？"),
        ("嗓子哑没哑，出不出汗？", "嗓子哑吗，有没有出汗？"),
        ("有没有咳嗽？能不能走？", "有没有咳嗽？能不能走？"),
        ("抽了多少年烟？", "抽烟多少年？"),
        ("咳嗽以外还有什么不舒服？", "除了咳嗽以外，还有什么不舒服？"),
    ],
)
def test_a_question_is_written_plainly(question: str, plain: str) -> None:
    assert plain_chinese(question) == plain


def test_a_parted_word_is_put_together() -> None:
    assert rejoined("饭量有没有变大") == "有没有饭量变大"
    assert rejoined("有没有咳嗽") == "有没有咳嗽"
    assert rejoined("夜里有没有咳嗽") == "夜里有没有咳嗽"


@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("身上出不出汗？", "sweating"),
        ("脾气有没有变急？", "irritability"),
        ("最近掉秤了吗？", "weight_loss"),
        ("防疫针打过没有？", "vaccination"),
        ("自己验过孕吗？", "pregnancy_test"),
        ("落下什么毛病没有？", "sequelae"),
        ("药有没有停停吃吃？", "adherence"),
        ("看东西是不是两个影？", "diplopia"),
    ],
)
def test_lay_words_name_their_concepts(question: str, concept: str) -> None:
    assert concept in named(question)


@pytest.mark.parametrize(
    ("question", "attributes"),
    [
        ("发作之间隔多久？", {"frequency"}),
        ("什么时候又加重的？", {"onset"}),
        ("一般什么时候容易犯？", {"trigger"}),
        ("痰是白的还是黄的？", {"character"}),
    ],
)
def test_what_is_asked_of_a_symptom(question: str, attributes: set[str]) -> None:
    asked = {a for q in read_questions(question, "zh") for a in q.attributes}
    assert asked == attributes


def test_a_pain_is_where_the_symptom_named_with_it_is() -> None:
    (question,) = read_questions("胸闷的时候疼吗？", "zh")
    assert [s.id for u in question.units for s in u.sites] == ["site_chest"]
