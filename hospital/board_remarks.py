"""The lines below a leaderboard: what a reader of its tables must know besides."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from evaluation.leaderboard import Leaderboard
from evaluation.panel_marks import is_panel
from evaluation.remarks import Endings, People, Spending
from hospital.columns import shortened, text
from hospital.shown import setting_name
from records.visit import DOCTOR, Ending

_LONGEST_REASON = 120


def print_remarks(console: Console, board: Leaderboard, names: Mapping[str, str]) -> None:
    """Print endings out of the ordinary, repairs, models mixed, missing marks, other judges.

    Args:
        console: where to.
        board: what the tables were of.
        names: by doctor, the name that the tables show.
    """
    for row in board.endings:
        if set(row.counts) - {Ending.DIAGNOSIS_GIVEN.value}:
            style = "dim" if Ending.DIAGNOSIS_GIVEN.value in row.counts else "yellow"
            line = f"{names[row.doctor]}, {setting_name(row.setting)}: {_odd_endings(row)}"
            console.print(text(line, style=style))
    for repaired in board.repairs:
        told = "; ".join(
            f"{role}'s {', '.join(f'{kind} {n}' for kind, n in kinds.items())}"
            for role, kinds in repaired.counts.items()
        )
        where = f"{names[repaired.doctor]}, {setting_name(repaired.setting)}"
        console.print(text(f"{where}: repaired: {told}", style="dim"))
    for mixed in board.versions:
        chair = "" if mixed.role == DOCTOR else f" ({mixed.role})"
        told = ", ".join(f"{model} in {n} visits" for model, n in mixed.answered.items())
        shown = names.get(mixed.spec, mixed.spec)
        console.print(
            text(f"{shown}{chair} was answered by several models: {told}.", style="yellow")
        )
    for people in board.people:
        console.print(text(_with_people(people, names[people.doctor]), style="dim"))
    if board.unmarked:
        what = "1 visit has" if board.unmarked == 1 else f"{board.unmarked} visits have"
        console.print(text(f"{what} no mark.", style="yellow"))
    for marked in board.rows:
        # Marked, as its diseases are compared, and yet without a single grade: the judge's doing.
        compared = marked.diseases.predicted_mean is not None
        if compared and all(mark.mean is None for mark in marked.marks.values()):
            where = f"{names[marked.doctor]}, {setting_name(marked.setting)}"
            told = "the judge gave no grade at all; 'hospital show RUN KEY' tells why"
            console.print(text(f"{where}: {told}", style="yellow"))
    if len(board.judge_words) > 1:
        console.print(
            text(
                f"The judge was asked in {len(board.judge_words)} different wordings"
                f" ({', '.join(board.judge_words)}); mark again for one.",
                style="yellow",
            )
        )
    for spent in board.spending:
        if spent.doctor is None:
            console.print(text(_marking_spent(spent), style="dim"))
    others = [judge for judge in board.judges if judge != board.judge]
    if others:
        told = f"There are also marks by {', '.join(others)}"
        together = "" if is_panel(board.judge or "") else "; --judge panel takes the median of all"
        console.print(text(f"{told}{together}.", style="dim"))


def _odd_endings(row: Endings) -> str:
    """How many ended otherwise than with a diagnosis, and the commonest reason for each ending."""
    held = sum(row.counts.values())
    told = []
    for ending, n in row.counts.items():
        if ending == Ending.DIAGNOSIS_GIVEN.value:
            continue
        line = f"{n} of {held} {ending}"
        for reason, times in list(row.failures.get(ending, {}).items())[:1]:
            mostly = "" if times == n else f" ({times} times)"
            line += f": {shortened(reason, _LONGEST_REASON)}{mostly}"
        told.append(line)
    return "; ".join(told)


def _with_people(people: People, doctor: str) -> str:
    """How a person's visits were held: what helped it, and whether it was examined."""
    visits = "1 visit" if people.visits == 1 else f"{people.visits} visits"
    exams = f", {people.exams} as an examination" if people.exams else ""
    chair = "" if people.role == DOCTOR else f" with a person as {people.role.replace('_', ' ')}"
    where = f"{doctor}, {setting_name(people.setting)}{chair}"
    return f"{where}: {visits}{exams}; hints {people.hints}, turns taken back {people.undos}"


def _marking_spent(spent: Spending) -> str:
    least = "" if spent.tokens_complete else "at least "
    line = (
        f"Marking {spent.visits} visits took {spent.calls:,} calls, {least}"
        f"{spent.prompt_tokens:,} tokens in and {spent.completion_tokens:,} out"
    )
    if spent.cost is None:
        return f"{line}; its cost is not known."
    return f"{line}, {'' if spent.cost_complete else 'at least '}US$ {spent.cost:,.4f}."
