"""Which checklist Doctor a spec asks for: `checklist`, or `checklist(questions=2)` and the like."""

from __future__ import annotations

import difflib

from pydantic import Field

from agents.errors import SpecError
from records.knowledge import Disease, load_knowledge
from records.medical_record import Paper

CHECKLIST = "checklist"
QUESTIONS = 5
"""Questions that it has."""
_OPTIONS = ("questions", "first", "department")
_EXAMPLE = "checklist(questions=2, first=examinations, department=Cardiology)"


class ChecklistSpec(Paper):
    """How a checklist Doctor differs from the plain one: baselines that know or ask less."""

    questions: int = Field(default=QUESTIONS, ge=0, le=QUESTIONS)
    """How many of its questions it asks, the first ones."""
    first: str = "questions"
    """`examinations`: it examines before it asks."""
    department: str | None = None
    """The only department whose diseases it knows, by its name in either language."""

    @classmethod
    def parse(cls, spec: str) -> ChecklistSpec:
        """Read a spec as typed.

        Raises:
            SpecError: an option is unknown or has no such value.
        """
        body = spec.strip().removeprefix(CHECKLIST).strip()
        if body and not (body.startswith("(") and body.endswith(")")):
            raise SpecError(f"{spec!r} is no checklist; write {_EXAMPLE}")
        values: dict[str, object] = {}
        for part in body[1:-1].split(","):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not part.strip():
                continue
            if not equals or name not in _OPTIONS:
                near = difflib.get_close_matches(name, _OPTIONS, n=1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_OPTIONS)}"
                raise SpecError(f"{spec}: {part.strip()!r} is no option of a checklist; {hint}")
            values[name] = _value(spec, name, value)
        return cls.model_validate(values)

    @property
    def knowledge(self) -> tuple[Disease, ...] | None:
        """The diseases that it knows; None for all of the bundled ones."""
        if self.department is None:
            return None
        wanted = self.department
        return tuple(d for d in load_knowledge() if wanted in _departments(d))


def is_checklist(spec: str) -> bool:
    """True if a spec asks for a checklist Doctor, rightly or not."""
    return spec == CHECKLIST or spec.startswith(f"{CHECKLIST}(")


def _value(spec: str, name: str, value: str) -> object:
    if name == "questions":
        if not (value.isascii() and value.isdigit() and int(value) <= QUESTIONS):
            raise SpecError(f"{spec}: questions={value}: give a number from 0 to {QUESTIONS}")
        return int(value)
    if name == "first":
        if value not in ("questions", "examinations"):
            raise SpecError(f"{spec}: first={value}: it is questions or examinations")
        return value
    departments = dict.fromkeys(n for d in load_knowledge() for n in _departments(d))
    if value not in departments:
        near = difflib.get_close_matches(value, departments, n=1, cutoff=0.4)
        english = ", ".join(dict.fromkeys(d.department["en"] for d in load_knowledge()))
        hint = f"did you mean {near[0]}?" if near else f"there are {english}"
        raise SpecError(f"{spec}: no department {value!r} in the disease knowledge; {hint}")
    return value


def _departments(disease: Disease) -> tuple[str, ...]:
    return tuple(disease.department.values())
