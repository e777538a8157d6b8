"""Settling by a judge what facts leave open of the players' behaviour."""

from __future__ import annotations

from typing import Protocol

from evaluation.behaviour import Behaviour, Verdict, behaviour_of, exchanges
from records.medical_record import MedicalRecord
from records.views import ExaminerView, PatientView
from records.visit import EXAMINER, PATIENT, Unrecorded, Visit


class Settler(Protocol):
    """What is needed of `agents.behaviour_judge.BehaviourJudge`."""

    async def answer(self, view: PatientView, asked: str, reply: str) -> dict[str, bool]:
        """Whether a patient's reply is `relevant` and `honest`."""
        ...

    async def examination(
        self, view: ExaminerView, asked: str, reply: str, unrecorded: Unrecorded
    ) -> dict[str, bool]:
        """Whether an examiner's reply is `accurate`."""
        ...


async def settle(
    visit: Visit, record: MedicalRecord, judge: Settler, unrecorded: Unrecorded
) -> Behaviour:
    """The behaviour in a visit, by facts where they tell and by a judge where they do not.

    Only what is open is asked about, so that a verdict by facts is nobody's opinion.

    Raises:
        SeatError: the judge's model failed.
    """
    known = behaviour_of(visit, record)
    pairs: list[Verdict] = []
    view = PatientView.of(record)
    for verdict, exchange in zip(known.pairs, exchanges(visit.messages, PATIENT), strict=True):
        if verdict.relevant is None or verdict.honest is None:
            said = await judge.answer(view, exchange.asked.text, exchange.reply.text)
            verdict = _with(verdict, said)
        pairs.append(verdict)
    requests: list[Verdict] = []
    results = ExaminerView.of(record)
    for verdict, exchange in zip(known.requests, exchanges(visit.messages, EXAMINER), strict=True):
        if verdict.accurate is None:
            said = await judge.examination(
                results, exchange.asked.text, exchange.reply.text, unrecorded
            )
            verdict = _with(verdict, said)
        requests.append(verdict)
    return known.model_copy(update={"pairs": tuple(pairs), "requests": tuple(requests)})


def _with(verdict: Verdict, said: dict[str, bool]) -> Verdict:
    """The verdict with what was open in it filled in."""
    filled = {name: value for name, value in said.items() if getattr(verdict, name) is None}
    return verdict.model_copy(update=filled)
