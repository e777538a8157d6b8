"""A patient without a model: answers each part of a question with the facts that it knows.

It holds a `PatientView` and nothing else, so that all it can state is there; what is not there is
"not that I noticed" and is marked as such in the trace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.conclusion import names_disease, names_treatment
from agents.offline.voice import Voice
from records.examinations.requests import orders_examinations
from records.facts.matching import AskedPart, match_question
from records.medical_record import Finding
from records.views import PatientView
from records.visit import (
    DOCTOR,
    EXAMINER,
    PATIENT,
    Answer,
    AnswerKind,
    Message,
    Protocol,
    Trace,
)

_TAMPERING = re.compile(
    r"ignore (?:all |any )?(?:your |the |previous |prior |above )+(?:instruction|prompt|rule)|"
    r"system prompt|"
    r"(?:print|reveal|show|output|repeat|dump) (?:me )?(?:your |the )(?:whole |full |entire |"
    r"complete )?(?:record|prompt|instructions|system|file|chart)|"
    r"(?:忽略|无视|忘(?:记|掉)).{0,10}(?:指令|提示|设定|要求|规则)|系统提示|"
    r"(?:打印|输出|显示|泄露|复述|公布).{0,8}(?:病历|记录|提示|指令|设定|诊断结果|标准答案)",
    re.IGNORECASE,
)
_OF_NOW = frozenset({"prior_tests", "treatment", "surgery"})
"""What an order names too: "have a scan done" asks nothing about earlier scans."""


class GroundedPatient:
    """The Patient of AI Hospital (section 2.1), answering by rule.

    Args:
        protocol: under `carried` it takes the doctor's orders to the examiner itself.
    """

    def __init__(self, protocol: Protocol = "carried") -> None:
        self._protocol = protocol

    async def reply(
        self, view: PatientView, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        """Answer the doctor's last message; see `agents.npc.Npc`.

        Raises:
            ValueError: the transcript is empty.
        """
        if not transcript:
            raise ValueError("a patient answers a message; the transcript is empty")
        last = transcript[-1]
        voice = Voice(view, seed)
        if last.turn == 0:
            return (_opening(view, last.turn, voice),)
        if _TAMPERING.search(last.text):
            refusal = Answer(asked=last.text, kind="refused")
            return (_to_doctor(last.turn, voice.puzzled(), (), (refusal,)),)
        return self._consult(view, transcript, voice)

    def _consult(
        self, view: PatientView, transcript: Sequence[Message], voice: Voice
    ) -> tuple[Message, ...]:
        last = transcript[-1]
        orders = orders_examinations(last.text, view.language)
        parts = match_question(
            last.text,
            view,
            context=tuple(m.text for m in transcript[:-1] if m.role == DOCTOR and m.turn > 0),
            said=frozenset(f for m in transcript if m.role == PATIENT for f in m.facts),
        )
        if orders:
            parts = tuple(p for p in parts if p.findings or p.concept not in _OF_NOW)
        messages: list[Message] = []
        if parts:
            messages.append(_answers(view, last.turn, parts, voice))
        if orders and self._protocol == "carried":
            text = voice.request(orders)
            messages.append(
                Message(
                    turn=last.turn, role=PATIENT, speaker=PATIENT, addressee=EXAMINER, text=text
                )
            )
        if messages:
            return tuple(messages)
        if not orders and names_disease(last.text) and names_treatment(last.text):
            return (_to_doctor(last.turn, voice.farewell(), (), (), end=True),)
        return (_to_doctor(last.turn, voice.acknowledgement(), (), ()),)


def _to_doctor(
    turn: int, text: str, facts: tuple[str, ...], answers: tuple[Answer, ...], *, end: bool = False
) -> Message:
    return Message(
        turn=turn,
        role=PATIENT,
        speaker=PATIENT,
        addressee=DOCTOR,
        text=text,
        facts=facts,
        trace=Trace(answers=answers, end=end),
    )


def _opening(view: PatientView, turn: int, voice: Voice) -> Message:
    section = "persona" if view.persona.chief_complaint else "chief_complaint"
    facts = tuple(f.id for f in view.findings if f.section == section)
    answer = Answer(asked="chief complaint", kind="recorded" if facts else "unknown", ids=facts)
    return _to_doctor(turn, voice.complaint(), facts, (answer,))


def _answers(view: PatientView, turn: int, parts: Sequence[AskedPart], voice: Voice) -> Message:
    findings = {f.id: f for f in view.findings}
    sentences: list[str] = []
    unnoticed: list[str | None] = []
    answers: list[Answer] = []
    stated: list[str] = []
    for part in parts:
        fresh = [findings[i] for i in part.findings if i not in stated]
        answer, said = _answer(part, [findings[i] for i in part.findings], fresh, voice)
        if answer.kind == "default_negative":
            unnoticed.append(part.concept)
        elif unnoticed:
            sentences.append(voice.not_noticed(unnoticed))
            unnoticed = []
        if said and said not in sentences:
            sentences.append(said)
        answers.append(answer)
        stated += [f.id for f in fresh]
    if unnoticed:
        sentences.append(voice.not_noticed(unnoticed))
    text = voice.join(sentences) or voice.said_already()
    return _to_doctor(turn, text, tuple(stated), tuple(answers))


def _answer(
    part: AskedPart, told: Sequence[Finding], fresh: Sequence[Finding], voice: Voice
) -> tuple[Answer, str]:
    """One part's answer and its words; a default negative's come with those beside it."""
    ids = tuple(f.id for f in told)
    if told:
        kind: AnswerKind = "recorded" if any(f.present for f in told) else "recorded_negative"
        return Answer(asked=part.asked, kind=kind, ids=ids), voice.tell(fresh)
    known = voice.demographic(part.concept)
    if known:
        return Answer(asked=part.asked, kind="recorded"), known
    if part.kind == "symptom" and part.concept and not part.attributes:
        return Answer(asked=part.asked, kind="default_negative"), ""
    unknown = Answer(asked=part.asked, kind="unknown")
    if part.kind == "open":
        return unknown, voice.nothing_else()
    return unknown, voice.not_known(part.kind == "symptom")
