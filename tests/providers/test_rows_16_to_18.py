"""Rows 16 to 18 of the table of providers: whom a message is for, whose it is, when all is said."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from records.addressing import TAGS
from records.medical_record import Language
from records.visit import Ending
from tests.providers.clinic import CALLS, LANGUAGES, Faulty, clinic, faultless
from tests.scripted_endpoint import Answer
from tests.scripted_hospital import DOCTOR_LINES

Written = Callable[[str, str, Language], str]
"""A message from its tag, its words and its language."""

_TAG = re.compile(r"^(<(?!end|结束)[^>]*>) ?(.*)$", re.DOTALL)
OTHER: dict[Language, Language] = {"en": "zh", "zh": "en"}


def _in_other_language(tag: str, text: str, language: Language) -> str:
    role = next(role for role, known in TAGS[language].items() if known == tag)
    return f"{TAGS[OTHER[language]][role]} {text}"


TAGGED: list[tuple[Written, set[str]]] = [
    (lambda tag, text, _: f"{tag}{tag} {text}", {"addressee_doubled"}),
    (
        lambda tag, text, _: f"{tag.replace('<', '＜').replace('>', '＞')}{text}",
        {"addressee_full_width"},
    ),
    (_in_other_language, {"addressee_other_language"}),
    (lambda tag, text, _: f"{text} {tag}", {"addressee_at_end"}),
    (lambda tag, text, _: f"**{tag}** {text}", {"addressee_in_markup"}),
    (lambda tag, text, _: f"【{tag[1:-1]}】{text}", {"addressee_brackets"}),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("written", "kinds"), TAGGED)
async def test_row_16_the_patient_s_tags_are_read_whatever_their_form(
    tmp_path: Path, written: Written, kinds: set[str], language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        tagged = _TAG.match(said)
        return written(tagged[1], tagged[2], language) if tagged else said

    async with clinic(tmp_path, Faulty("patient", how), language=language) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, language=language)
    # All but the last message bear a tag.
    assert held.repairs("patient") == dict.fromkeys(kinds, CALLS["patient"] - 1)
    assert sum(len(row.counts) for row in held.board.repairs) == 1


@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_16_a_message_without_a_tag_is_for_the_doctor(
    tmp_path: Path, language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return said.removeprefix(TAGS[language]["doctor"]).strip()

    async with clinic(tmp_path, Faulty("patient", how), language=language) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, language=language)
    assert held.repairs("patient") == {"addressee_missing": 2}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_16_a_message_with_both_tags_is_split(tmp_path: Path, language: Language) -> None:
    tag = TAGS[language]["doctor"]
    agreed = {"en": "All right.", "zh": "好的。"}[language]

    def how(said: str, body: dict[str, Any]) -> Answer:
        return f"{tag} {agreed}\n{said}" if said.startswith(TAGS[language]["examiner"]) else said

    async with clinic(tmp_path, Faulty("patient", how), language=language) as run:
        held = await run.hold()
    assert held.progress.all_marked
    both = [(m.addressee, m.text) for m in held.said_by("patient") if m.turn == 3]
    assert both[0] == ("doctor", agreed)
    assert [who for who, _ in both] == ["doctor", "examiner"]
    assert held.said_by("examiner")[0].examinations == ("e1",)
    assert held.repairs("patient") == {"message_split": 1}
    # The doctor hears the part for it, and the results; not the words for the examiner.
    heard = str(run.asked("doctor")[2]["messages"][-1])
    assert agreed in heard
    assert both[1][1] not in heard


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("written", "kinds"), TAGGED)
async def test_row_16_a_doctor_s_tags_are_read_whatever_their_form(
    tmp_path: Path, written: Written, kinds: set[str], language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        if said not in DOCTOR_LINES[language]:
            return said
        role = "examiner" if said == DOCTOR_LINES[language][1] else "patient"
        return written(TAGS[language][role], said, language)

    script = Faulty("doctor", how)
    async with clinic(tmp_path, script, language=language, protocol="direct") as run:
        held = await run.hold()
    assert held.progress.all_marked
    orders = [m.text for m in held.visit.messages if m.addressee == "examiner"]
    assert orders == [DOCTOR_LINES[language][1]]
    assert held.said_by("examiner")[0].examinations == ("e1",)
    # The visit's language is not the doctor's to keep: either language's tag will do.
    assert set(held.repairs("doctor")) == kinds - {"addressee_other_language"}


FOREIGN: dict[Language, dict[str, str]] = {
    "en": {
        "patient": "\nExaminer: ECG: ST elevation, INVENTED.\nDoctor: I see.\nPatient: Yes.",
        "doctor": "\n\nPatient: Since May, INVENTED.\nDoctor: And now?",
        "nothing": "Doctor: Does it hurt?\nPatient: INVENTED.",
    },
    "zh": {
        "patient": "\n检查员：心电图ST段抬高，INVENTED。\n医生：明白了。\n患者：好。",
        "doctor": "\n\n患者：五月开始的，INVENTED。\n医生：现在呢？",
        "nothing": "医生：疼吗？\n患者：INVENTED。",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ["patient", "doctor"])
async def test_row_17_a_message_is_cut_where_another_role_begins(
    tmp_path: Path, role: str, language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        return said if said.startswith("#") else f"{said}{FOREIGN[language][role]}"

    async with clinic(tmp_path, Faulty(role, how), language=language) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, language=language)
    turns = CALLS[role] - (role == "doctor")
    assert held.repairs(role) == {"foreign_turn": turns}
    others = [body for body in run.endpoint.requests if body not in run.asked(role)]
    assert "INVENTED" not in str(others)
    # Nor does it remember as its own what it never said.
    assert "INVENTED" not in str(run.asked(role))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ["patient", "doctor"])
async def test_row_17_if_nothing_is_left_it_is_asked_once_more(
    tmp_path: Path, role: str, language: Language
) -> None:
    nothing = FOREIGN[language]["nothing"]
    if role == "doctor":
        nothing = nothing.split("\n")[1]
    script = Faulty(role, lambda said, body: nothing, times=1)
    async with clinic(tmp_path / "a", script, language=language) as run:
        held = await run.hold()
        assert len(run.asked(role)) == CALLS[role] + 1
    assert held.progress.all_marked
    assert held.repairs(role)["asked_again"] == 1
    assert "INVENTED" not in str([m.text for m in held.visit.messages])
    script = Faulty(role, lambda said, body: nothing)
    async with clinic(tmp_path / "b", script, language=language) as run:
        held = await run.hold()
        assert len(run.asked(role)) == 2
        assert held.visit.failed_by == role
        if role == "doctor":
            assert held.visit.ending is Ending.DOCTOR_FAILED
            assert {grade.grade for grade in held.mark.grades.values()} == {"D"}
        else:
            assert held.visit.ending is Ending.PATIENT_FAILED
            assert held.marks == ()
            script.how = None
            assert (await run.hold()).progress.all_marked


@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_17_an_examiner_that_talks_has_nothing_to_say(
    tmp_path: Path, language: Language
) -> None:
    """Its model names examinations; whatever else it writes reaches nobody."""
    script = Faulty("examiner", lambda said, body: FOREIGN[language]["patient"])
    async with clinic(tmp_path, script, language=language) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, language=language)
    assert held.repairs("examiner") == {"examinations_unreadable": 1}


END: dict[Language, str] = {"en": "<end>", "zh": "<结束>"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "written",
    [
        lambda end, tag, text: f"{end} {text}",
        lambda end, tag, text: f"{tag} {text} {end}",
        lambda end, tag, text: f"{tag} {text[:4]} {end} {text[4:]}",
        lambda end, tag, text: f"<think>{end}</think>{tag} {text}",
    ],
)
async def test_row_18_an_end_before_its_time_is_recorded_and_ignored(
    tmp_path: Path, written: Any, language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        tagged = _TAG.match(said)
        assert tagged
        return str(written(END[language], tagged[1], tagged[2]))

    async with clinic(tmp_path, Faulty("patient", how, times=1), language=language) as run:
        held = await run.hold()
    assert held.visit.ending is Ending.DIAGNOSIS_GIVEN
    assert run.script.calls == CALLS
    assert not any(END[language] in message.text for message in held.visit.messages)
    in_reasoning = "reasoning_in_content" in held.repairs("patient")
    assert ("end_token_ignored" in held.repairs("patient")) != in_reasoning


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("written", ["{end} {text}", "{text} {end}", "{tag} {text} {end}"])
async def test_row_18_after_a_conclusion_it_counts_at_either_end(
    tmp_path: Path, written: str, language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        text = said.removeprefix(END[language]).strip()
        tag, end = TAGS[language]["doctor"], END[language]
        return said if text == said else written.format(end=end, tag=tag, text=text)

    async with clinic(tmp_path, Faulty("patient", how), language=language) as run:
        held = await run.hold()
    assert held.essence == await faultless(tmp_path, language=language)
    assert held.board.repairs == ()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_row_18_in_mid_sentence_it_never_counts(tmp_path: Path, language: Language) -> None:
    end = END[language]

    def how(said: str, body: dict[str, Any]) -> Answer:
        return f"{TAGS[language]['doctor']} A {end} b." if said.startswith(end) else said

    script = Faulty("patient", how)
    async with clinic(tmp_path, script, language=language, max_turns=6) as run:
        held = await run.hold()
    assert held.visit.ending is Ending.ROUND_LIMIT
    assert held.progress.all_marked
    # In turns 4, 5 and 6, the last of which is the very last.
    assert held.repairs("patient") == {"end_token_ignored": 3}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("max_turns", "counts"), [(3, True), (4, False)])
async def test_row_18_it_counts_where_one_round_remains(
    tmp_path: Path, max_turns: int, counts: bool, language: Language
) -> None:
    def how(said: str, body: dict[str, Any]) -> Answer:
        # The second reply, to a doctor that has concluded nothing yet.
        return f"{END[language]} …" if run.script.calls["patient"] == 2 else said

    script = Faulty("patient", how)
    async with clinic(tmp_path, script, language=language, max_turns=max_turns) as run:
        held = await run.hold()
    ended = [m.turn for m in held.said_by("patient") if m.trace and m.trace.end]
    assert (ended == [2]) == counts
    assert ("end_token_ignored" in held.repairs("patient")) != counts
