"""The marks of several judges as one: a panel's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from records.mark import DIMENSIONS, Grade, Letter, Mark

PANEL = "panel"
"""Names all who marked a run; `panel(A, B)` names some of them."""

RANKS: tuple[Letter, ...] = ("D", "C", "B", "A")
"""Letters by rank, 0 to 3."""


def is_panel(name: str) -> bool:
    """True for `panel` and `panel(A, B)`."""
    return name == PANEL or (name.startswith(f"{PANEL}(") and name.endswith(")"))


def panel_members(name: str) -> tuple[str, ...] | None:
    """The judges that `panel(A, B)` names; None for `panel`: all who marked."""
    inside = name[len(PANEL) + 1 : -1]
    return tuple(one.strip() for one in inside.split(",") if one.strip()) or None


def panel_name(judges: Sequence[str]) -> str:
    """What the marks of these judges together are filed under."""
    return f"{PANEL}({', '.join(judges)})"


def panel_marks(by_judge: Mapping[str, Mapping[str, Mark]]) -> tuple[Mark, ...]:
    """One mark for each visit that at least two judges marked, in the order of their first mark.

    A grade is the median of the judges' grades; between two middle ones it is the lower: a doctor
    is not given what half of its judges deny, and no lenient judge can lift a grade alone. What
    fewer than half of the judges could grade is unscored.

    Args:
        by_judge: by judge and visit key, the marks.
    """
    keys = dict.fromkeys(key for marks in by_judge.values() for key in marks)
    held = ([marks[key] for marks in by_judge.values() if key in marks] for key in keys)
    return tuple(_combined(own, tuple(by_judge)) for own in held if len(own) > 1)


def _combined(marks: Sequence[Mark], judges: Sequence[str]) -> Mark:
    """One mark out of several of one visit; its diseases are those of the first."""
    # What naming the diseases cost is left out, as is what the grades did.
    free = {"usage": None, "cost": None}
    naming = marks[0].naming.model_copy(update=free) if marks[0].naming is not None else None
    asked = [d for d in DIMENSIONS if any(d in mark.grades for mark in marks)]
    return marks[0].model_copy(
        update={
            "judge": panel_name(judges),
            "judge_version": "",
            "version": 1,
            "grades": {d: _median([m.grades.get(d) for m in marks], len(judges)) for d in asked},
            "raw": "",
            "naming": naming,
            **free,
            "prompts_hash": "",
        }
    )


def _median(grades: Sequence[Grade | None], seats: int) -> Grade:
    letters = [grade.grade for grade in grades if grade is not None and grade.grade is not None]
    told = ", ".join(g.grade or "-" if g is not None else "-" for g in grades)
    if 2 * len(letters) < seats or not letters:
        return Grade(grade=None, reason=f"{len(letters)} of {seats} judges could grade it")
    ranks = sorted(RANKS.index(letter) for letter in letters)
    return Grade(grade=RANKS[ranks[(len(ranks) - 1) // 2]], analysis=f"{told}.")
