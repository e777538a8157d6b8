"""The specs of seats: whom they name, and what is wrong with one that names nobody."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from agents.conference_spec import ConferenceSpec
from agents.errors import SpecError
from agents.human import HUMAN
from agents.model.keys import Keys
from agents.model.model_spec import is_model
from agents.model.model_table import ModelTable
from agents.model.spec_text import models_in
from agents.offline.checklist_spec import ChecklistSpec, is_checklist
from agents.python_doctor import PythonDoctor
from records.conference import is_conference
from records.medical_record import canonical_hash
from records.visit import EXAMINER, PATIENT, VisitOrder

Chair = Literal["doctor", "npc", "judge"]

OFFLINE: dict[Chair, tuple[str, ...]] = {
    "doctor": ("checklist",),
    "npc": ("grounded",),
    "judge": ("rubric",),
}
"""By chair, who can sit in it without a model."""

MODEL = "a model as PROVIDER/MODEL or URL#MODEL"
_OTHERS: dict[Chair, str] = {
    "doctor": f"{MODEL}, a class as package.module:Class, a command as exec:COMMAND, "
    "or several as conference(A, B)",
    "npc": MODEL,
    "judge": MODEL,
}
EXEC = "exec:"


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
    elif chair == "doctor" and spec.startswith(EXEC):
        program = command_of(spec)[0]
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
        raise unknown(spec, chair)


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
        and not spec.startswith((EXEC, f"{HUMAN}:"))
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
        elif spec.startswith(EXEC):
            files = [Path(word) for word in command_of(spec) if Path(word).is_file()]
        elif is_python(spec):
            module = importlib.import_module(spec.partition(":")[0])
            files = [Path(module.__file__)] if module.__file__ else []
        if files:
            content = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
            found[spec] = canonical_hash(content)
    return found


def command_of(spec: str) -> list[str]:
    """The words of an `exec:` command.

    Raises:
        SpecError: it is none.
    """
    try:
        command = shlex.split(spec.removeprefix(EXEC))
    except ValueError as error:
        raise SpecError(f"{spec!r} is no command: {error}") from None
    if not command:
        raise SpecError(f"{spec!r} names no command; write exec:COMMAND, such as exec:./doctor.py")
    return command


def unknown(spec: str, chair: Chair) -> SpecError:
    """What to raise for a spec that names no one for a chair: it says what would be right."""
    if "://" in spec:
        return SpecError(f"{spec!r} names no model; add one after a #, as in {spec}#my-model")
    near = difflib.get_close_matches(spec, OFFLINE[chair], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(OFFLINE[chair])}"
    return SpecError(f"no {chair} {spec!r}; {hint}; or give {_OTHERS[chair]}")
