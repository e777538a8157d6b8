"""The people of a conference, fresh for it: several Doctors, one patient, a moderator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from agents.conference_spec import ConferenceSpec, consultation_trial
from agents.model.meter import Meter
from agents.model.model_spec import is_model
from agents.moderation import Moderator
from agents.npc import Doctor, Npc
from agents.seats import Seated, Seats
from records.views import ExaminerView, PatientView
from records.visit import CHIEF_PHYSICIAN, VisitOrder


@dataclass
class Chair:
    """One Doctor's place: its own consultation, then the conference."""

    speaker: str
    """`doctor_1`, `doctor_2`, …"""
    order: VisitOrder
    """Of its consultation, the same as if it had been asked for by itself."""
    seated: Seated
    """Who is at that consultation."""
    fresh: Callable[[], Doctor] | None = None
    """Makes the Doctor that goes on in the conference, whose calls are the conference's; it is
    reminded of the consultation. None where the Doctor of the consultation itself goes on: one
    that cannot be reminded without being asked again."""


@dataclass
class Convened:
    """The people of one conference."""

    spec: ConferenceSpec
    chairs: tuple[Chair, ...]
    patient: Npc[PatientView]
    examiner: Npc[ExaminerView]
    moderator: Moderator | None
    """None where the strategy has none."""
    meter: Meter = field(default_factory=Meter)
    """Of the conference itself; each consultation has its own."""

    @property
    def cost(self) -> float | None:
        """US dollars of the conference itself so far; None is unknown."""
        return 0.0 if self.meter.cost is None and self.cost_complete else self.meter.cost

    @property
    def cost_complete(self) -> bool:
        """False if the cost is "at least"."""
        return self.meter.cost_complete and all(chair.seated.metered for chair in self.chairs)

    async def close(self) -> None:
        """Let go of what the Doctors hold."""
        for chair in self.chairs:
            await chair.seated.close()


def convene(seats: Seats, order: VisitOrder) -> Convened:
    """Seat the people of a conference.

    The calls of each consultation are filed under its own order, as if it had been asked for by
    itself; those of the conference under the conference's, by speaker.

    Args:
        seats: the factory of players.
        order: whose `doctor` is a conference's spec.

    Raises:
        SpecError: a spec names nothing.
    """
    spec = ConferenceSpec.parse(order.doctor)
    meter = Meter()
    return Convened(
        spec=spec,
        chairs=tuple(_chair(seats, order, spec, i, meter) for i in range(len(spec.doctors))),
        patient=seats.patient(order, meter),
        examiner=seats.examiner(order, meter),
        moderator=_moderator(seats, order, spec, meter) if spec.moderated else None,
        meter=meter,
    )


def consultation_orders(order: VisitOrder) -> tuple[VisitOrder, ...]:
    """The orders of the Doctors' own consultations, in the order of the conference's spec."""
    doctors = ConferenceSpec.parse(order.doctor).doctors
    return tuple(
        order.model_copy(
            update={
                "setting": "interaction",
                "doctor": doctor,
                "trial": consultation_trial(doctors, i, order.trial),
            }
        )
        for i, doctor in enumerate(doctors)
    )


def _chair(
    seats: Seats, order: VisitOrder, spec: ConferenceSpec, index: int, meter: Meter
) -> Chair:
    own, doctor = consultation_orders(order)[index], spec.doctors[index]
    speaker = f"doctor_{index + 1}"

    def fresh() -> Doctor:
        return seats.doctor(order, meter, doctor, speaker)

    return Chair(speaker, own, seats.seat(own), fresh if is_model(doctor) else None)


def _moderator(seats: Seats, order: VisitOrder, spec: ConferenceSpec, meter: Meter) -> Moderator:
    if spec.moderator == "rubric":
        from agents.offline.rubric_moderator import RubricModerator

        return RubricModerator(order.language)
    from agents.moderator import ModelModerator

    client = seats.client(spec.moderator, order, CHIEF_PHYSICIAN, meter)
    return ModelModerator(client, seats.prompts, order.language)
