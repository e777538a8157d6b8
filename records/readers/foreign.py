"""Other people's JSON, read field by field; what is wrong is collected, not raised one by one."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


class ShapeError(ValueError):
    """A case does not have the shape of its format; `problems` are (field, what) pairs."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{name}: {what}" for name, what in problems))


@dataclass
class Foreign:
    """One JSON object of a format that is not ours."""

    value: Any
    path: str = ""
    problems: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not isinstance(self.value, dict):
            self.problems.append((self.path or "(record)", "is not a JSON object"))
            self.value = {}

    def only(self, known: Sequence[str]) -> None:
        """Any field not known is wrong: to pass over it would lose a part of the case."""
        for name in self.value:
            if name not in known:
                near = difflib.get_close_matches(str(name), known, 1)
                hint = f'did you mean "{near[0]}"?' if near else f"known are {', '.join(known)}"
                self.wrong(str(name), f"unknown field; {hint}")

    def inner(self, name: str) -> Foreign:
        """The object in a field; its problems are reported with this one's."""
        return Foreign(self.value.get(name, {}), f"{self.path}{name}.", self.problems)

    def text(self, name: str) -> str | None:
        """A field as text: stripped; lists of texts comma by comma; None if absent or empty."""
        value = self.value.get(name)
        if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
            value = ", ".join(str(item).strip() for item in value)
        if isinstance(value, bool) or not isinstance(value, str | int | float | None):
            self.wrong(name, "is not a text; expected a text")
            return None
        return None if value is None else str(value).strip() or None

    def wrong(self, name: str, what: str) -> None:
        """Note one problem with a field."""
        self.problems.append((f"{self.path}{name}", what))

    def raise_if_wrong(self) -> None:
        """Raise `ShapeError` if anything was found wrong."""
        if self.problems:
            raise ShapeError(self.problems)
