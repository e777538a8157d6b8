"""From specs to people: the one place where a name of the command line becomes an object."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import inspect
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from autogen_core.models import ChatCompletionClient

from agents.conference_spec import ConferenceSpec
from agents.errors import SpecError
from agents.exec_doctor import ExecDoctor
from agents.human import HUMAN
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
from agents.model.spec_text import models_in
from agents.npc import Doctor, Judge, Npc
from agents.offline.checklist_spec import ChecklistSpec, is_checklist
from agents.python_doctor import PythonDoctor
from prompts import Prompts
from records.conference import is_conference
from records.ledger import RunConfig
from records.medical_record import canonical_hash
from records.views import ExaminerView, PatientView
from records.visit import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, VisitOrder

if TYPE_CHECKING:
    from agents.clerk import Clerk
    from agents.disease_reader import DiseaseReader

Chair = Literal["doctor", "npc", "judge"]

OFFLINE: dict[Chair, tuple[str, ...]] = {
    "doctor": ("checklist",),
    "npc": ("grounded",),
    "judge": ("rubric",),
}
"""By chair, who can sit in it without a model."""

_MODEL = "a model as PROVIDER/MODEL or URL#MODEL"
_OTHERS: dict[Chair, str] = {
    "doctor": f"{_MODEL}, a class as package.module:Class, a command as exec:COMMAND, "
    "or several as conference(A, B)",
    "npc": _MODEL,
    "judge": _MODEL,
}
_EXEC = "exec:"


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
        own = people.doctor is None and (is_python(order.doctor) or order.doctor.startswith(_EXEC))
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
            raise _unknown(spec, "judge")
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
            raise SpecError(f"{spec!r} names no model; give {_MODEL}")
        return Clerk(self.clients.alone(spec), self.prompts)

    def disease_reader(self, spec: str) -> DiseaseReader:
        """A model that names the diseases of diagnosis texts.

        Raises:
            SpecError: the spec names no model.
        """
        from agents.disease_reader import DiseaseReader

        if not is_model(spec):
            raise SpecError(f"{spec!r} names no model; give {_MODEL}")
        return DiseaseReader(self.clients.alone(spec), self.prompts)

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
        if spec.startswith(_EXEC):
            return ExecDoctor(_command(spec), order.language, self._timeout)
        if is_model(spec):
            from agents.doctor import ModelDoctor

            client = self.client(spec, order, role, meter)
            return ModelDoctor(client, self.prompts, order.language, order.protocol, order.setting)
        if ":" in spec:
            if spec not in self._python_doctors:
                self._python_doctors[spec] = PythonDoctor(spec)
            return self._python_doctors[spec].make(order.language)
        raise _unknown(spec, "doctor")

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
            raise _unknown(spec, "doctor" if role == DOCTOR else "npc")
        return self.clients.of_role(spec, order.key, role, meter, order.trial)


def check_spec(
    spec: str, chair: Chair, table: ModelTable | None = None, keys: Keys | None = None
) -> None:
    """Check that a spec names someone for a chair; imports a Doctor's class, starts nothing.

    Args:
        spec: as typed.
        chair: who is to sit there.
        table: the models by name; None loads ours and the user's.
        keys: where a model's key is looked for; None does not look.

    Raises:
        SpecError: it does not; the message says what would be right.
    """
    if spec in OFFLINE[chair]:
        return
    if chair == "doctor" and is_conference(spec):
        met = ConferenceSpec.parse(spec)
        for member in met.doctors:
            check_spec(member, "doctor", table, keys)
        if met.moderated:
            check_spec(met.moderator, "judge", table, keys)
    elif chair == "doctor" and is_checklist(spec):
        ChecklistSpec.parse(spec)
    elif chair == "doctor" and spec.startswith(_EXEC):
        program = _command(spec)[0]
        if shutil.which(program) is None:
            raise SpecError(f"{spec!r}: there is no program {program} to run")
    elif is_model(spec):
        model = (table or ModelTable.load()).resolve(spec)
        if model.component is not None:
            from agents.model.autogen_file import load_client

            load_client(model.url)
        if keys is not None:
            keys.find(model)
    elif chair == "doctor" and is_python(spec):
        PythonDoctor(spec).try_out()
    else:
        raise _unknown(spec, chair)


def human_npc(role: str, name: str, other: str) -> str:
    """The spec of Patient and Examiner where one is a person: `patient=human:NAME+grounded`."""
    return f"{role}={HUMAN}:{name}+{other}"


def other_npc(spec: str) -> str:
    """Of a spec of Patient and Examiner, what the chairs without a person are taken by."""
    return spec.partition("+")[2] if spec.startswith((f"{PATIENT}=", f"{EXAMINER}=")) else spec


def needs_model(order: VisitOrder) -> bool:
    """True if a model sits in one of the visit's chairs."""
    return bool(models_in(order.doctor) or models_in(order.npc))


def is_offline_doctor(spec: str) -> bool:
    """True if a Doctor's spec names one without a model."""
    return spec in OFFLINE["doctor"] or is_checklist(spec)


def is_python(spec: str) -> bool:
    """True for `package.module:Class`."""
    return (
        not is_model(spec)
        and not is_conference(spec)
        and "://" not in spec
        and not spec.startswith((_EXEC, f"{HUMAN}:"))
        and ":" in spec
    )


def sources(specs: Sequence[str], table: ModelTable | None = None) -> dict[str, str]:
    """Of specs that do not tell all by themselves, the hash of what they stand for.

    The file of a Python doctor's module; the files that a command names; what a name of the model
    table stands for. A Doctor that changes is another Doctor, though its spec stays the same.
    """
    found = {}
    members = [m for s in specs if is_conference(s) for m in ConferenceSpec.parse(s).seats]
    for spec in dict.fromkeys([*(s for s in specs if not is_conference(s)), *members]):
        files: list[Path] = []
        if is_model(spec):
            model = (table or ModelTable.load()).resolve(spec)
            if model.provider is not None:
                found[spec] = model.identity
        elif spec.startswith(_EXEC):
            files = [Path(word) for word in _command(spec) if Path(word).is_file()]
        elif is_python(spec):
            module = importlib.import_module(spec.partition(":")[0])
            files = [Path(module.__file__)] if module.__file__ else []
        if files:
            content = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
            found[spec] = canonical_hash(content)
    return found


def _command(spec: str) -> list[str]:
    try:
        command = shlex.split(spec.removeprefix(_EXEC))
    except ValueError as error:
        raise SpecError(f"{spec!r} is no command: {error}") from None
    if not command:
        raise SpecError(f"{spec!r} names no command; write exec:COMMAND, such as exec:./doctor.py")
    return command


def _unknown(spec: str, chair: Chair) -> SpecError:
    if "://" in spec:
        return SpecError(f"{spec!r} names no model; add one after a #, as in {spec}#my-model")
    near = difflib.get_close_matches(spec, OFFLINE[chair], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(OFFLINE[chair])}"
    return SpecError(f"no {chair} {spec!r}; {hint}; or give {_OTHERS[chair]}")
