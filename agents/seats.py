"""From specs to people: the one place where a name of the command line becomes an object."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autogen_core.models import ChatCompletionClient

from agents.errors import SpecError
from agents.exec_doctor import ExecDoctor
from agents.metered_judge import MeteredJudge
from agents.model.budget import Budget
from agents.model.call_log import CallLog
from agents.model.clients import Clients
from agents.model.journaled_client import ReplyStore
from agents.model.keys import Keys
from agents.model.meter import Meter
from agents.model.model_spec import is_model
from agents.model.model_table import ModelTable
from agents.model.patience import Patience
from agents.model.reply_cache import ReplyCache
from agents.npc import Doctor, Judge, Npc
from agents.offline.checklist_spec import ChecklistSpec, is_checklist
from agents.python_doctor import PythonDoctor
from agents.seat_specs import (
    EXEC,
    MODEL,
    OFFLINE,
    Chair,
    check_spec,
    command_of,
    human_npc,
    is_offline_doctor,
    is_python,
    needs_model,
    other_npc,
    sources,
    unknown,
)
from prompts import Prompts
from records.ledger import RunConfig
from records.views import ExaminerView, PatientView
from records.visit import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, VisitOrder

if TYPE_CHECKING:
    from agents.behaviour_judge import BehaviourJudge
    from agents.clerk import Clerk
    from agents.disease_reader import MeteredReader

__all__ = [
    "OFFLINE",
    "Chair",
    "People",
    "Seated",
    "Seats",
    "check_spec",
    "human_npc",
    "needs_model",
    "sources",
]


@dataclass
class Seated:
    """The people of one visit, fresh for it."""

    doctor: Doctor
    patient: Npc[PatientView]
    examiner: Npc[ExaminerView]
    meter: Meter = field(default_factory=Meter)
    timeout: float | None = None
    """Longest wait for one reply of the doctor's, in seconds; None leaves it to the doctor."""
    free: bool = False
    """True if nobody here can have cost anything: no model, and no doctor of the user's."""
    metered: bool = True
    """False if someone here spends what the meter does not see: a doctor of the user's."""

    @property
    def cost(self) -> float | None:
        """US dollars so far; None is unknown."""
        if self.free or (self.meter.cost is None and self.cost_complete):
            return 0.0
        return self.meter.cost

    @property
    def cost_complete(self) -> bool:
        """False if the cost is "at least"."""
        return self.free or (self.metered and self.meter.cost_complete)

    async def close(self) -> None:
        """Let go of what the doctor holds: its process, its connections."""
        closing = getattr(self.doctor, "close", None)
        if callable(closing):
            done = closing()
            if inspect.isawaitable(done):
                await done


@dataclass(frozen=True)
class People:
    """Persons who sit in chairs themselves; None leaves a chair to whom the order names."""

    doctor: Doctor | None = None
    patient: Npc[PatientView] | None = None
    examiner: Npc[ExaminerView] | None = None


class Seats:
    """Makes the players of visits and the judges of marks; their connections are shared.

    Args:
        prompts: the words of the house.
        journal: where paid replies are kept and looked up; None keeps none.
        patience: of the model client's attempts.
        table: the models by name; None loads ours and the user's.
        keys: of the models' endpoints.
        cache: of replies across runs; None keeps none.
        calls: the log of calls; None writes none.
        budget: what the models are paid from; None only counts.
        timeout: longest wait for one reply of a user's own Doctor, in seconds. A model's is a
            parameter of its spec.

    Attributes:
        clients: of the models, with the budget and the endpoints' limiters.
    """

    def __init__(
        self,
        *,
        prompts: Prompts,
        journal: ReplyStore | None = None,
        patience: Patience | None = None,
        timeout: float = 300.0,
        table: ModelTable | None = None,
        keys: Keys | None = None,
        cache: ReplyCache | None = None,
        calls: CallLog | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.clients = Clients(
            table=table,
            keys=keys,
            patience=patience,
            journal=journal,
            cache=cache,
            calls=calls,
            budget=budget,
        )
        self._timeout = timeout
        self.prompts = prompts
        self._python_doctors: dict[str, PythonDoctor] = {}

    @staticmethod
    def check(config: RunConfig, table: ModelTable | None = None, keys: Keys | None = None) -> None:
        """Check every spec of a run before anything is held.

        Raises:
            SpecError: one names nothing, or a model that needs a key and has none.
        """
        table, keys = table or ModelTable.load(), keys or Keys()
        chairs: tuple[tuple[Chair, Sequence[str]], ...] = (
            ("doctor", config.doctors),
            ("npc", (config.shared.npc,)),
            ("judge", config.judges),
        )
        for chair, specs in chairs:
            for spec in specs:
                check_spec(spec, chair, table, keys)

    def seat(self, order: VisitOrder, people: People = People()) -> Seated:
        """The people of a visit.

        Args:
            order: names who sits where; `human:NAME` is a person's seat.
            people: the persons among them.

        Raises:
            SpecError: a spec names nothing.
        """
        meter = Meter()
        doctor_is_free = people.doctor is not None or is_offline_doctor(order.doctor)
        own = people.doctor is None and (is_python(order.doctor) or order.doctor.startswith(EXEC))
        return Seated(
            doctor=people.doctor or self.doctor(order, meter),
            patient=people.patient or self.patient(order, meter),
            examiner=people.examiner or self.examiner(order, meter),
            meter=meter,
            timeout=self._timeout if is_python(order.doctor) else None,
            free=doctor_is_free and other_npc(order.npc) in OFFLINE["npc"],
            metered=not own,
        )

    def judge(self, spec: str, version: int = 1) -> Judge:
        """A judge of reports in either language.

        Args:
            spec: names it.
            version: how many times it grades, this time included: what it is paid for the second
                time is not looked up among the replies of the first.

        Raises:
            SpecError: the spec names nothing.
        """
        if spec == "rubric":
            from agents.offline.rubric import RubricChiefPhysician

            return RubricChiefPhysician()
        if not is_model(spec):
            raise unknown(spec, "judge")
        from agents.chief_physician import ModelChiefPhysician

        filed = f"mark {spec}" if version == 1 else f"mark {spec} {version}"

        def make(meter: Meter) -> Judge:
            def client() -> ChatCompletionClient:
                return self.clients.of_role(spec, filed, CHIEF_PHYSICIAN, meter, version)

            return ModelChiefPhysician(client, self.prompts, name=spec)

        return MeteredJudge(make, spec)

    def clerk(self, spec: str) -> Clerk:
        """A clerk that sorts notes with a model.

        Raises:
            SpecError: the spec names no model.
        """
        from agents.clerk import Clerk

        if not is_model(spec):
            raise SpecError(f"{spec!r} names no model; give {MODEL}")
        return Clerk(self.clients.alone(spec), self.prompts)

    def disease_reader(self, spec: str) -> MeteredReader:
        """A model that names the diseases of diagnosis texts.

        Raises:
            SpecError: the spec names no model.
        """
        from agents.disease_reader import DiseaseReader, MeteredReader

        if not is_model(spec):
            raise SpecError(f"{spec!r} names no model; give {MODEL}")

        def make(meter: Meter) -> DiseaseReader:
            client = self.clients.of_role(spec, f"extract {spec}", CHIEF_PHYSICIAN, meter)
            return DiseaseReader(client, self.prompts)

        return MeteredReader(make)

    def behaviour_judge(self, spec: str, visit_key: str) -> BehaviourJudge:
        """A model that judges how the players of one visit behaved.

        Raises:
            SpecError: the spec names no model.
        """
        from agents.behaviour_judge import BehaviourJudge

        if not is_model(spec):
            raise SpecError(f"{spec!r} names no model; give {MODEL}")
        filed = f"analyse {spec} {visit_key}"
        client = self.clients.of_role(spec, filed, CHIEF_PHYSICIAN, Meter())
        return BehaviourJudge(client, self.prompts)

    async def close(self) -> None:
        """Close all connections."""
        await self.clients.close()

    def doctor(
        self, order: VisitOrder, meter: Meter, spec: str | None = None, role: str = DOCTOR
    ) -> Doctor:
        """The Doctor of an order, or another one whose calls are filed under it.

        Args:
            order: of the visit.
            meter: counts its calls.
            spec: of another than the order's.
            role: what its calls are filed under.

        Raises:
            SpecError: the spec names nothing.
        """
        spec = spec or order.doctor
        if is_checklist(spec):
            from agents.offline.checklist import ChecklistDoctor

            asked = ChecklistSpec.parse(spec)
            return ChecklistDoctor(order.language, asked.knowledge, order.protocol, asked)
        if spec.startswith(EXEC):
            return ExecDoctor(command_of(spec), order.language, self._timeout)
        if is_model(spec):
            from agents.doctor import ModelDoctor

            client = self.client(spec, order, role, meter)
            return ModelDoctor(client, self.prompts, order.language, order.protocol, order.setting)
        if ":" in spec:
            if spec not in self._python_doctors:
                self._python_doctors[spec] = PythonDoctor(spec)
            return self._python_doctors[spec].make(order.language)
        raise unknown(spec, "doctor")

    def patient(self, order: VisitOrder, meter: Meter) -> Npc[PatientView]:
        """The Patient of an order."""
        if other_npc(order.npc) == "grounded":
            from agents.offline.grounded_patient import GroundedPatient

            return GroundedPatient(protocol=order.protocol)
        from agents.patient import ModelPatient

        client = self.client(other_npc(order.npc), order, PATIENT, meter)
        return ModelPatient(client, self.prompts, order.protocol, order.max_turns)

    def examiner(self, order: VisitOrder, meter: Meter) -> Npc[ExaminerView]:
        """The Examiner of an order."""
        if other_npc(order.npc) == "grounded":
            from agents.offline.grounded_examiner import GroundedExaminer

            return GroundedExaminer(order.unrecorded)
        from agents.examiner import ModelExaminer

        client = self.client(other_npc(order.npc), order, EXAMINER, meter)
        return ModelExaminer(client, self.prompts, order.unrecorded)

    def client(self, spec: str, order: VisitOrder, role: str, meter: Meter) -> ChatCompletionClient:
        """A role's client for one visit."""
        if not is_model(spec):
            raise unknown(spec, "doctor" if role == DOCTOR else "npc")
        return self.clients.of_role(spec, order.key, role, meter, order.trial)
