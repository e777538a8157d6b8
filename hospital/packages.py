"""Noticing at the door that a stranger's package hides one of ours; the names are generic."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

ROOMS = ("agents", "evaluation", "prompts", "records")


def stranger(home: Path | None = None) -> str | None:
    """Say in one line which package hides one of our rooms and what to do; None if none does.

    Args:
        home: the directory that our packages lie in; by default where this one does.
    """
    home = home or Path(__file__).resolve().parents[1]
    for room in ROOMS:
        spec = find_spec(room)
        origin = spec.origin if spec else None
        found = Path(origin).resolve().parent if origin else None
        if found != home / room:
            where = f"the one at {found}" if found else "no package of that name with code in it"
            return (
                f"'import {room}' finds {where}, not ours at {home / room}; install ai-hospital "
                "in a virtual environment of its own (python -m venv), or run it from another "
                "directory"
            )
    return None
