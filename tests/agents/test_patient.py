from __future__ import annotations

from typing import Any

import pytest

from agents.errors import SeatError
from agents.patient import ModelPatient
from prompts import Prompts
from records.library import bundled_records
from records.medical_record import Finding, HistorySection, Language
from records.views import PatientView
from records.visit import DOCTOR, EXAMINER, PATIENT, Ending, Message, Protocol
from tests.scripted_endpoint import completion, error

PROMPTS = Prompts()
PRESENT: HistorySection = "history_of_present_illness"


def view_in(language: Language) -> PatientView:
    return next(PatientView.of(r) for r in bundled_records() if r.language == language)


def said(role: str, text: str, turn: int, addressee: str = PATIENT) -> Message:
    return Message(turn=turn, role=role, speaker=role, addressee=addressee, text=text)


GREETING = {
    "en": said(DOCTOR, "Hello, what brings you in?", 0),
    "zh": said(DOCTOR, "您好，哪里不舒服？", 0),
}
CONCLUSION = {
    "en": said(DOCTOR, "You have a stomach ulcer. Take omeprazole 20 mg twice daily.", 1),
    "zh": said(DOCTOR, "您得的是胃溃疡，请口服奥美拉唑治疗。", 1),
}


async def reply(
    serve: Any,
    answers: list[Any],
    transcript: list[Message] | None = None,
    language: Language = "en",
    protocol: Protocol = "carried",
    max_turns: int = 10,
) -> tuple[tuple[Message, ...], Any]:
    served = await serve(answers)
    patient = ModelPatient(served.client, PROMPTS, protocol, max_turns)
    heard = transcript or [GREETING[language]]
    return await patient.reply(view_in(language), heard, seed=1), served


def kinds(message: Message) -> list[str]:
    return [repair.kind for repair in message.repairs]


@pytest.mark.parametrize(
    ("language", "answer"), [("en", "<to doctor> My belly hurts."), ("zh", "<对医生讲> 我肚子疼。")]
)
async def test_a_well_formed_reply_is_the_message(
    serve: Any, language: Language, answer: str
) -> None:
    (message,), served = await reply(serve, [answer], language=language)
    assert (message.role, message.addressee, message.repairs) == (PATIENT, DOCTOR, ())
    assert message.text == answer.split("> ")[1]
    assert message.trace is None
    system, greeting = served.asked[0]
    assert system["role"] == "system"
    assert greeting == {"role": "user", "content": GREETING[language].text}


async def test_its_own_messages_are_the_model_s_and_the_doctor_s_are_not(serve: Any) -> None:
    transcript = [
        GREETING["en"],
        said(PATIENT, "My belly hurts.", 1, DOCTOR),
        said(DOCTOR, "Have an ECG done.", 1),
        said(PATIENT, "An ECG, please.", 2, EXAMINER),
        said(DOCTOR, "And since when?", 2),
    ]
    _, served = await reply(serve, ["<to doctor> Since today."], transcript)
    assert [(m["role"], m["content"]) for m in served.asked[0][1:]] == [
        ("user", GREETING["en"].text),
        ("assistant", "<to doctor> My belly hurts."),
        ("user", "Have an ECG done."),
        ("assistant", "<to examiner> An ECG, please."),
        ("user", "And since when?"),
    ]


async def test_facts_of_the_record_are_named_by_id(serve: Any) -> None:
    story = "Cough for three days. No fever."
    view = view_in("en").model_copy(
        update={
            "history_of_present_illness": story,
            "findings": (
                Finding(id="f1", symptom="cough", section=PRESENT, text="Cough for three days"),
                Finding(id="f2", symptom="fever", present=False, section=PRESENT, text="No fever"),
            ),
        }
    )
    served = await serve(["<to doctor> I have had a cough for three days."])
    (message,) = await ModelPatient(served.client, PROMPTS).reply(view, [GREETING["en"]], seed=1)
    assert message.facts == ("f1",)


@pytest.mark.parametrize(
    ("answer", "text", "repairs"),
    [
        ("It hurts.", "It hurts.", ["addressee_missing"]),
        (
            "＜对医生讲＞ It hurts.",
            "It hurts.",
            ["addressee_full_width", "addressee_other_language"],
        ),
        ("It hurts. <to doctor>", "It hurts.", ["addressee_at_end"]),
        ("**<to doctor>** It hurts.", "It hurts.", ["addressee_in_markup"]),
        (
            "<to doctor> It hurts.\nDoctor: Where?\nPatient: Here.",
            "It hurts.",
            ["foreign_turn"],
        ),
        (
            "<to doctor> It hurts.\nExaminer: ECG normal.",
            "It hurts.",
            ["foreign_turn"],
        ),
        ("Patient: <to doctor> It hurts.", "It hurts.", ["own_label"]),
        ("<think><end></think><to doctor> It hurts.", "It hurts.", ["reasoning_in_content"]),
        ("<to doctor> It hurts.\n<to patient> I see.", "It hurts.", ["foreign_turn"]),
    ],
)
async def test_rows_16_and_17_departures_are_read_and_counted(
    serve: Any, answer: str, text: str, repairs: list[str]
) -> None:
    (message,), _ = await reply(serve, [answer])
    assert (message.addressee, message.text) == (DOCTOR, text)
    assert kinds(message) == repairs
    assert message.trace is not None
    assert not message.trace.end


async def test_row_16_a_message_for_two_is_split(serve: Any) -> None:
    (first, second), _ = await reply(
        serve, ["<to doctor> All right. <to examiner> An ECG, please."]
    )
    assert (first.addressee, first.text) == (DOCTOR, "All right.")
    assert (second.addressee, second.text) == (EXAMINER, "An ECG, please.")
    assert kinds(first) == ["message_split"]
    assert kinds(second) == []


async def test_under_the_direct_protocol_all_goes_to_the_doctor(serve: Any) -> None:
    (message,), _ = await reply(serve, ["<to examiner> An ECG, please."], protocol="direct")
    assert (message.addressee, kinds(message)) == (DOCTOR, ["addressee_changed"])


async def test_row_17_if_nothing_is_left_it_is_asked_again_once(serve: Any) -> None:
    foreign = "Doctor: Where does it hurt?\nPatient: Here."
    (message,), served = await reply(serve, [foreign, "<to doctor> It hurts."])
    assert message.text == "It hurts."
    assert kinds(message) == ["foreign_turn", "addressee_missing", "asked_again"]
    assert served.asked[1][-2]["role"] == "assistant"
    with pytest.raises(SeatError) as caught:
        await reply(serve, [foreign, foreign])
    assert (caught.value.role, caught.value.ending) == (PATIENT, Ending.PATIENT_FAILED)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "answer", ["{end} Thank you.", "Thank you. {end}", "{tag} Thank you. {end}"]
)
async def test_row_18_the_end_counts_after_a_conclusion(
    serve: Any, language: Language, answer: str
) -> None:
    end, tag = ("<end>", "<to doctor>") if language == "en" else ("<结束>", "<对医生讲>")
    transcript = [GREETING[language], said(PATIENT, "…", 1, DOCTOR), CONCLUSION[language]]
    answers = [answer.format(end=end, tag=tag)]
    (message,), _ = await reply(serve, answers, transcript, language)
    assert message.text == "Thank you."
    assert message.trace is not None
    assert message.trace.end
    assert message.repairs == ()


@pytest.mark.parametrize(
    ("answer", "transcript"),
    [
        ("<end> My belly hurts.", [GREETING["en"]]),
        (
            "<to doctor> Do I write <end> when we are done?",
            [GREETING["en"], said(PATIENT, "…", 1, DOCTOR), CONCLUSION["en"]],
        ),
        (
            "<to examiner> An ECG, please. <end>",
            [GREETING["en"], said(PATIENT, "…", 1, DOCTOR), CONCLUSION["en"]],
        ),
    ],
)
async def test_row_18_elsewhere_the_end_is_recorded_and_ignored(
    serve: Any, answer: str, transcript: list[Message]
) -> None:
    (message,), _ = await reply(serve, [answer], transcript)
    assert "<end>" not in message.text
    assert "end_token_ignored" in kinds(message)
    assert message.trace is not None
    assert not message.trace.end


async def test_row_18_the_end_counts_where_one_round_remains(serve: Any) -> None:
    transcript = [
        GREETING["en"],
        said(PATIENT, "It hurts.", 1, DOCTOR),
        said(DOCTOR, "Where?", 1),
    ]
    (message,), _ = await reply(serve, ["<end> Bye."], transcript, max_turns=3)
    assert message.trace is not None
    assert message.trace.end
    (message,), _ = await reply(serve, ["<end> Bye."], transcript, max_turns=4)
    assert message.trace is not None
    assert not message.trace.end


async def test_an_end_without_a_word_ends_the_visit(serve: Any) -> None:
    transcript = [GREETING["en"], said(PATIENT, "…", 1, DOCTOR), CONCLUSION["en"]]
    (message,), _ = await reply(serve, ["<end>"], transcript)
    assert message.text == ""
    assert message.trace is not None
    assert message.trace.end


async def test_row_10_reasoning_is_kept_out_of_the_message(serve: Any) -> None:
    answer = completion("<to doctor> It hurts.", reasoning_content="I must not say <end>")
    (message,), _ = await reply(serve, [answer])
    assert message.text == "It hurts."
    assert message.trace is not None
    assert message.trace.reasoning == "I must not say <end>"


@pytest.mark.parametrize(
    ("answers", "role", "ending"),
    [
        (["", ""], PATIENT, Ending.PATIENT_FAILED),
        ([error(400, "no", code="content_filter")], PATIENT, Ending.CONTENT_FILTERED),
        ([error(500, "oops")] * 2, "provider", Ending.INFRASTRUCTURE),
        ([error(429, "no", code="insufficient_quota")], "provider", Ending.INFRASTRUCTURE),
        ([error(401, "wrong key")], "provider", Ending.INFRASTRUCTURE),
    ],
)
async def test_failures_are_attributed(
    serve: Any, answers: list[Any], role: str, ending: Ending
) -> None:
    with pytest.raises(SeatError) as caught:
        await reply(serve, answers)
    assert (caught.value.role, caught.value.ending) == (role, ending)
