"""A user's Doctor, given as `package.module:Class`: found, looked at, and made for each visit."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage
from autogen_core import CancellationToken

from agents.errors import SeatError, SpecError
from agents.npc import Doctor
from records.medical_record import Language
from records.secrets import masked
from records.visit import DOCTOR, Ending

_WANTED = "a Doctor is a class, called as Class(language=…), with an async on_messages"


class PythonDoctor:
    """The maker behind a spec `package.module:Class`, a class or a function that makes one.

    The working directory is searched too, after everything installed.

    Raises:
        SpecError: there is no such thing, it cannot be called so, or it is no Doctor.
    """

    def __init__(self, spec: str) -> None:
        module_name, _, name = spec.partition(":")
        self._spec = spec
        self._make = _find(spec, module_name, name)

    def make(self, language: Language) -> Doctor:
        """A fresh Doctor; one that fails at its first message if making it fails."""
        try:
            doctor = self._make(language=language)
        except Exception as error:
            reason = f"{self._spec} cannot be made: {type(error).__name__}: {_first_line(error)}"
            return _Unmade(SeatError(DOCTOR, Ending.DOCTOR_FAILED, reason[:300]))
        if not callable(getattr(doctor, "on_messages", None)):
            return _Unmade(SeatError(DOCTOR, Ending.DOCTOR_FAILED, self._no_doctor(doctor)))
        return cast(Doctor, doctor)

    def try_out(self) -> None:
        """Look at what a function makes, by making one; a class was looked at before.

        Raises:
            SpecError: the function fails, or makes no Doctor.
        """
        if inspect.isclass(self._make):
            return
        made = self.make("en")
        if isinstance(made, _Unmade):
            raise SpecError(made.failure.reason)

    def _no_doctor(self, made: object) -> str:
        return f"{self._spec} made a {type(made).__name__} without on_messages; {_WANTED}"


class _Unmade:
    """The Doctor that could not be made: the visit ends on it as on any other failure."""

    def __init__(self, failure: SeatError) -> None:
        self.failure = failure

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        raise self.failure


def _first_line(error: Exception) -> str:
    return masked(next(iter(str(error).splitlines()), ""))


def _find(spec: str, module_name: str, name: str) -> Callable[..., Any]:
    if not module_name or not name:
        raise SpecError(f"{spec!r} is not of the form package.module:Class")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise SpecError(
            f"cannot import {module_name}: there is no module {error.name}; searched what is "
            f"installed and {here}"
        ) from None
    except Exception as error:
        why = f"{type(error).__name__}: {_first_line(error)}"
        raise SpecError(f"importing {module_name} fails: {why}") from error
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        public = sorted(n for n, v in vars(module).items() if inspect.isclass(v))
        near = ", ".join(n for n in public if not n.startswith("_")) or "no class"
        raise SpecError(f"{module_name} has no {name}; it has {near}")
    if not callable(found):
        raise SpecError(f"{spec} is of type {type(found).__name__}; {_WANTED}")
    if inspect.isclass(found) and not callable(getattr(found, "on_messages", None)):
        raise SpecError(f"{spec} has no on_messages; {_WANTED}")
    try:
        inspect.signature(found).bind(language="en")
    except TypeError as error:
        raise SpecError(f"{spec} cannot be called with language=…: {error}; {_WANTED}") from None
    except ValueError:
        pass  # Something written in C has no signature to look at; calling it will tell.
    return cast(Callable[..., Any], found)
