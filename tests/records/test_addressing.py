from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.addressing import (
    TAGS,
    cut_foreign_turns,
    end_token,
    has_end_token,
    split_addressed,
)
from records.medical_record import Language


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("role", ["doctor", "examiner", "patient"])
def test_the_tag_that_is_asked_for_needs_no_repair(language: Language, role: str) -> None:
    addressed = split_addressed(f"{TAGS[language][role]} Hello there.", "doctor", language)
    assert addressed.parts == ((role, "Hello there."),)
    assert addressed.repairs == ()


@pytest.mark.parametrize(
    ("text", "parts", "repairs"),
    [
        ("我肚子疼。", [("doctor", "我肚子疼。")], ["addressee_missing"]),
        ("＜对医生讲＞我肚子疼。", [("doctor", "我肚子疼。")], ["addressee_full_width"]),
        ("**<对检查员讲>** 我要做CT。", [("examiner", "我要做CT。")], ["addressee_in_markup"]),
        ("<**对检查员讲**> 我要做CT。", [("examiner", "我要做CT。")], ["addressee_in_markup"]),
        ("<to examiner> CT", [("examiner", "CT")], ["addressee_other_language"]),
        ("我要做CT。<对检查员讲>", [("examiner", "我要做CT。")], ["addressee_at_end"]),
        ("【对检查员讲】我要做CT。", [("examiner", "我要做CT。")], ["addressee_brackets"]),
        ("对检查员说：我要做CT。", [("examiner", "我要做CT。")], ["addressee_brackets"]),
        ("<对医生讲>疼</对医生讲>", [("doctor", "疼")], ["addressee_closed"]),
        ("<对医生讲>疼。<对医生讲>很疼。", [("doctor", "疼。\n很疼。")], ["addressee_doubled"]),
        ("<对医生讲><对医生讲>疼。", [("doctor", "疼。")], ["addressee_doubled"]),
        (
            "<对医生讲>好的。<对检查员讲>我要做CT。",
            [("doctor", "好的。"), ("examiner", "我要做CT。")],
            [],
        ),
        (
            "好的。<对检查员讲>我要做CT。",
            [("doctor", "好的。"), ("examiner", "我要做CT。")],
            ["addressee_late"],
        ),
        ("\ufeff\n「<对检查员讲>我要做CT。", [("examiner", "我要做CT。")], []),
        ("```\n<对医生讲>疼。", [("doctor", "疼。")], []),
        ("<对医生讲>", [], []),
        ("", [], ["addressee_missing"]),
    ],
)
def test_row_16_what_departs_from_one_tag_is_read_and_counted(
    text: str, parts: list[tuple[str, str]], repairs: list[str]
) -> None:
    addressed = split_addressed(text, "doctor", "zh")
    assert list(addressed.parts) == parts
    assert [repair.kind for repair in addressed.repairs] == repairs


@pytest.mark.parametrize(
    "text",
    [
        "I said to the doctor: it hurts.",
        "上次我对医生说：我疼。",
        "Do I go to the examiner now?",
        "I gave it <to my sister>.",
        "血压 <120，>80。",
    ],
)
def test_a_role_spoken_of_is_no_tag(text: str) -> None:
    assert split_addressed(text, "doctor").parts == (("doctor", text),)


@pytest.mark.parametrize(
    ("text", "left", "counts"),
    [
        ("<结束> 谢谢医生。", "谢谢医生。", True),
        ("谢谢医生。<结束>", "谢谢医生。", True),
        ("谢谢医生。<结束>。", "谢谢医生。 。", True),
        ("**<end>** Thank you.", "Thank you.", True),
        ("＜结束＞", "", True),
        ("<to doctor> <END> Bye.", "<to doctor> Bye.", True),
        ("Should I write <end> now?", "Should I write now?", False),
        ("It hurts in the end.", "It hurts in the end.", False),
        ("<ending> is near", "<ending> is near", False),
    ],
)
def test_row_18_an_end_token_counts_at_either_end(text: str, left: str, counts: bool) -> None:
    assert end_token(text) == (left, counts)
    assert not has_end_token(left)


@pytest.mark.parametrize(
    ("text", "left", "repairs"),
    [
        ("It hurts.\nDoctor: Where?\nPatient: Here.", "It hurts.", [("foreign_turn", "doctor")]),
        ("我疼。\n检查员：血常规正常。", "我疼。", [("foreign_turn", "examiner")]),
        ("我疼。 医生：哪里疼？", "我疼。", [("foreign_turn", "doctor")]),
        ("**Doctor:** Where does it hurt?", "", [("foreign_turn", "doctor")]),
        ("Patient: It hurts.", "It hurts.", [("own_label", "patient")]),
        ("患者：疼。\n患者：很疼。", "疼。\n很疼。", [("own_label", "patient")] * 2),
        ("<对医生讲> 我疼。", "<对医生讲> 我疼。", []),
        ("Doctor, it hurts: here.", "Doctor, it hurts: here.", []),
        ("I asked my old doctor: no help.", "I asked my old doctor: no help.", []),
    ],
)
def test_row_17_a_message_ends_where_another_role_begins(
    text: str, left: str, repairs: list[tuple[str, str]]
) -> None:
    kept, made = cut_foreign_turns(text, "patient")
    assert kept == left
    assert [(repair.kind, repair.detail) for repair in made] == repairs


PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"


@pytest.mark.parametrize(
    ("doctor", "untagged", "both", "ends"),
    [
        ("gpt3", 216, 8, 497),
        ("gpt4", 134, 0, 456),
        ("qwen_max", 123, 42, 462),
        ("wenxin", 138, 47, 475),
    ],
)
def test_the_published_dialogues_are_read_as_they_were_counted(
    doctor: str, untagged: int, both: int, ends: int
) -> None:
    path = PUBLISHED / f"dialog_history_{doctor}.jsonl"
    if not path.exists():
        pytest.skip("the published dialogues are not here")
    count: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        for message in json.loads(line)["dialog_history"]:
            if message["role"] == "Patient":
                text, cuts = cut_foreign_turns(message["content"], "patient")
                text, ended = end_token(text)
                addressed = split_addressed(text, "doctor", "zh")
                count["cut"] += len(cuts)
                count["ends"] += ended
                count["both"] += len(addressed.parts) > 1
                count["untagged"] += any(r.kind == "addressee_missing" for r in addressed.repairs)
    assert (count["untagged"], count["both"], count["ends"]) == (untagged, both, ends)
    assert count["cut"] == 0


_PIECES = st.sampled_from(
    [*TAGS["zh"].values(), *TAGS["en"].values(), "<end>", "<结束>", "Doctor:", "患者：", "**", "\n"]
)


@given(st.lists(st.one_of(_PIECES, st.text(max_size=8)), max_size=12).map("".join))
def test_any_text_is_split_into_one_part_a_role_without_tags(text: str) -> None:
    left, _ = end_token(cut_foreign_turns(text, "patient")[0])
    parts = split_addressed(left, "doctor").parts
    assert len({role for role, _ in parts}) == len(parts)
    assert all(part.strip() == part and part for _, part in parts)
    tags = [*TAGS["zh"].values(), *TAGS["en"].values()]
    assert not any(tag in part for tag in tags for _, part in parts)


@pytest.mark.parametrize(
    "piece", ["*", " ", "<", "\n", "。 ", "**<", "to ", "<to doctor>", "Doctor: "]
)
def test_row_23_one_piece_repeated_without_end_is_read(piece: str) -> None:
    # With an unbounded repetition in any expression this would not come to an end.
    text = piece * (100_000 // len(piece))
    cut, _ = cut_foreign_turns(text, "doctor")
    left, ended = end_token(cut)
    assert not ended
    assert len(split_addressed(left, "doctor").parts) <= 1
