"""What a visit would take of its models, judged without asking any.

The visit is held by the offline players, and what the models would have been sent and would have
said is counted from its messages: a call carries the role's instructions and all that it said and
heard before. Models ask in their own way and some think before they speak, so this tells no more
than the order of magnitude.
"""

from __future__ import annotations

from agents.model.spec_text import models_in
from agents.model.token_estimate import token_estimate
from agents.seats import Seats
from hospital.experiment import hold
from prompts import Prompts
from records.mark import DIMENSIONS
from records.medical_record import MedicalRecord
from records.views import PatientView
from records.visit import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    PATIENT,
    Message,
    Report,
    Usage,
    Visit,
    VisitOrder,
)

_LISTED = 20
"""Tokens of the list of examinations that a model names in a request."""
_GRADED = 120
"""Tokens that a judge writes about one part of a report."""


async def rehearse(
    order: VisitOrder, record: MedicalRecord, seats: Seats, prompts: Prompts
) -> tuple[dict[str, Usage], Usage]:
    """Hold a visit offline and count what models would use in it.

    Args:
        order: of a single Doctor; which chairs models sit in is taken from it.
        record: its case.
        seats: makes the offline players.
        prompts: the words of the house.

    Returns:
        The use by role, and that of a model that marks the report.
    """
    offline = order.model_copy(update={"doctor": "checklist", "npc": "grounded"})
    visit = await hold(offline, record, seats, prompts)
    used = {}
    if models_in(order.doctor):
        used[DOCTOR] = _talking(visit, DOCTOR, _doctor_prompt(order, prompts))
    # In the other settings the case is handed over, and nobody answers for it.
    if models_in(order.npc) and order.setting == "interaction":
        view = PatientView.of(record)
        system = prompts.render(
            order.language, PATIENT, "system", view=view, protocol=order.protocol
        )
        used[PATIENT] = _talking(visit, PATIENT, system)
        used[EXAMINER] = _examining(visit, order, prompts)
    return used, _marking(visit, record, prompts)


def _doctor_prompt(order: VisitOrder, prompts: Prompts) -> str:
    purpose = "system" if order.setting == "interaction" else "system_one_step"
    return prompts.render(order.language, DOCTOR, purpose, protocol=order.protocol)


def _talking(visit: Visit, role: str, system: str) -> Usage:
    """One call for every turn that a role speaks in, but for the doctor's greeting."""
    calls = prompt = completion = 0
    heard = token_estimate(system)
    last: Message | None = None
    for message in visit.messages:
        size = token_estimate(message.text)
        if message.role == role and not (role == DOCTOR and message.turn == 0 and last is None):
            if last is None or last.role != role:
                calls += 1
                prompt += heard
            completion += size
        if role in (message.role, message.addressee):
            heard += size
        last = message
    return Usage(calls=calls, prompt_tokens=prompt, completion_tokens=completion)


def _examining(visit: Visit, order: VisitOrder, prompts: Prompts) -> Usage:
    asked = [message.text for message in visit.messages if message.addressee == EXAMINER]
    rendered = (
        prompts.render(order.language, EXAMINER, "name_examinations", request=text)
        for text in asked
    )
    return Usage(
        calls=len(asked),
        prompt_tokens=sum(map(token_estimate, rendered)),
        completion_tokens=_LISTED * len(asked),
    )


def _marking(visit: Visit, record: MedicalRecord, prompts: Prompts) -> Usage:
    prompt = prompts.render(
        record.language, CHIEF_PHYSICIAN, "mark", record=record, report=visit.report or Report()
    )
    return Usage(
        calls=1,
        prompt_tokens=token_estimate(prompt),
        completion_tokens=_GRADED * len(DIMENSIONS),
    )
