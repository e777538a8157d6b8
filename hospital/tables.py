"""What a leaderboard looks like on a terminal.

Rich leaves colour out by itself where the output is not a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from rich.console import Console

from evaluation import leaderboard
from evaluation.leaderboard import DiseaseMeans, Leaderboard, MarkMean, OverlapMean
from evaluation.remarks import Spending
from hospital.board_remarks import print_remarks
from hospital.columns import Row, Sheet, clean, names_in_sheets, text
from hospital.shown import HEADINGS, NONE, is_person, percent, setting_name
from records.mark import DIMENSIONS


def print_leaderboard(console: Console, board: Leaderboard, *, title: str) -> None:
    """Print a leaderboard: marks, diseases, trials, costs, and the way from floor to ceiling."""
    console.print(text(title, style="bold"))
    if not board.rows:
        console.print("No visits yet.")
        return
    agents, people = _of(board, people=False), _of(board, people=True)
    sheets = [("", *sheet) for part in (agents,) if part.rows for sheet in _sheets(part)]
    # People are ranked among themselves: they played other cases, under other rules.
    sheets += [("People", *sheet) for part in (people,) if part.rows for sheet in _sheets(part)]
    names = names_in_sheets(
        (row.doctor for row in board.rows), [sheet for _, sheet, _ in sheets], console.width
    )
    told: set[str] = set()
    for heading, sheet, legend in sheets:
        console.print()
        if heading and heading not in told:
            console.print(text(heading, style="bold"))
        sheet.print(console, names)
        if legend not in told:
            console.print(text(legend, style="dim"))
        told |= {heading, legend}
    print_remarks(console, board, names)
    print_full_names(console, names)
    print_fingerprint(console, board)


def _of(board: Leaderboard, *, people: bool) -> Leaderboard:
    """The part of a leaderboard that is of people, or of all others."""

    def of_these(doctor: str | None) -> bool:
        return is_person(doctor or "") is people

    return board.model_copy(
        update={
            "rows": tuple(row for row in board.rows if of_these(row.doctor)),
            "share": tuple(share for share in board.share if of_these(share.doctor)),
            "spending": tuple(one for one in board.spending if of_these(one.doctor)),
        }
    )


def print_full_names(console: Console, names: Mapping[str, str]) -> None:
    """Say which doctor each shortened name is."""
    for doctor, shown in names.items():
        if shown != clean(doctor):
            console.print(text(f"{shown} is {doctor}", style="dim"))


def print_fingerprint(console: Console, board: Leaderboard) -> None:
    """Say what the figures depend on, in one line; nothing where that is not known."""
    if not board.fingerprint:
        return
    what = [f"convention {board.convention}", f"matching {board.matching}"]
    if board.literal_headings:
        what.append("literal headings")
    if board.terminology:
        what.append(f"terminology {board.terminology}")
    if board.extraction:
        what.append(f"extraction {board.extraction}")
    what.append(f"seed {board.seed}")
    console.print(text(f"Fingerprint {board.fingerprint}: {', '.join(what)}.", style="dim"))


def _sheets(board: Leaderboard) -> Iterable[tuple[Sheet, str]]:
    """The tables that have something to say, each with what to know of it."""
    unscored = (
        "an unscored grade counts as D"
        if board.convention == "published"
        else "'of 90%': the share of visits that have a grade, where not all have"
    )
    yield (
        _marks_sheet(board.rows),
        f"Marks by {board.judge or 'nobody yet'}, 0 to 100: mean ±half-width of its 95%"
        f" bootstrap interval over cases ({board.iterations:,} resamples); {unscored}. Ranked by"
        " diagnosis, where a visit without a gradable answer counts as D.",
    )
    yield _diseases_sheet(board.rows), _diseases_legend(board)
    if any(row.pass_rates for row in board.rows):
        yield (
            _trials_sheet(board.rows),
            "pass^k: the chance that all of k trials of a case succeed (diagnosis graded A or B),"
            " estimated without bias, in percent.",
        )
    if any(value is not None for share in board.share for value in share.shares.values()):
        yield (
            _share_sheet(board),
            "Interaction on the way from the floor (zero-turn, 0%) to the ceiling (one-step, 100%),"
            " on the cases that have all three; - where there is no way up, or one of less than"
            f" {leaderboard.SHORT_WAY:.0f} points that the share would leave.",
        )
    if any(one.doctor is not None for one in board.spending):
        yield (
            _spending_sheet(board.spending),
            "What the models of all chairs used, and US dollars; ≥ is at least: some replies did"
            " not tell, or a price is not known.",
        )


def _marks_sheet(rows: Sequence[leaderboard.Row]) -> Sheet:
    def cells(row: leaderboard.Row) -> tuple[str, ...]:
        return (row.doctor, str(row.visits), *(_mean(row.marks[d]) for d in DIMENSIONS))

    return _sheet(("Doctor", "Visits", *(HEADINGS[d] for d in DIMENSIONS)), rows, cells)


def _diseases_sheet(rows: Sequence[leaderboard.Row]) -> Sheet:
    columns: list[tuple[str, Callable[[DiseaseMeans], str]]] = [
        ("#", lambda scores: _number(scores.predicted_mean, 2)),
        ("R", lambda scores: _number(scores.recall, 1)),
        ("P", lambda scores: _number(scores.precision, 1)),
        ("F1", _f1),
    ]
    if any(row.diseases.equal_codes for row in rows):
        columns.append(("F1 code", lambda scores: _beside(scores.equal_codes)))
    if any(row.diseases.left_out for row in rows):
        columns.append(("F1 all", lambda scores: _beside(scores.every_reference)))
    columns.append(("Linked", lambda scores: percent(scores.linked)))
    if len({row.diseases.cases for row in rows}) > 1:
        columns.insert(0, ("Cases", lambda scores: str(scores.cases)))

    def cells(row: leaderboard.Row) -> tuple[str, ...]:
        return (row.doctor, *(show(row.diseases) for _, show in columns))

    return _sheet(("Doctor", *(heading for heading, _ in columns)), rows, cells)


def _diseases_legend(board: Leaderboard) -> str:
    if board.matching == "published":
        what = "Diseases by shared candidate names (AI Hospital)"
    else:
        what = "Diseases by ICD-10 category"
    legend = (
        f"{what}: # predicted a case; recall, precision and F1 in percent, micro averaged, F1 with"
        " the half-width of its interval"
    )
    if any(row.diseases.equal_codes for row in board.rows):
        legend += "; F1 code: whole codes must be equal"
    most = max(row.diseases.left_out for row in board.rows)
    if most:
        references = "reference" if most == 1 else f"{most} references"
        legend += (
            f"; F1 all: with the {references} that the patient tells of or that nothing on"
            " record leads to, which the others leave out"
        )
    if board.literal_headings:
        legend += "; only reports with the published headings to the letter"
    return f"{legend}; linked: the share of reference diagnoses that have a code."


def _trials_sheet(rows: Sequence[leaderboard.Row]) -> Sheet:
    most = max(len(row.pass_rates) for row in rows)

    def cells(row: leaderboard.Row) -> tuple[str, ...]:
        rates = [f"{100 * one.rate:.1f}" for one in row.pass_rates]
        return (row.doctor, *rates, *[NONE] * (most - len(rates)))

    return _sheet(("Doctor", *(f"pass^{k}" for k in range(1, most + 1))), rows, cells)


def _sheet(
    headings: tuple[str, ...],
    rows: Sequence[leaderboard.Row],
    cells: Callable[[leaderboard.Row], tuple[str, ...]],
) -> Sheet:
    """One row for each of the leaderboard's, under the titles of their settings."""
    lines: list[Row | str] = []
    for setting, group in groupby(rows, key=lambda row: row.setting):
        lines += [setting_name(setting), *(Row(cells(row)) for row in group)]
    return Sheet(headings, tuple(lines), "Doctor")


def _share_sheet(board: Leaderboard) -> Sheet:
    rows = [
        Row(
            (
                share.doctor,
                str(share.cases),
                *(percent(share.shares.get(d)) for d in (*DIMENSIONS, "f1")),
            )
        )
        for share in board.share
    ]
    headings = ("Doctor", "Cases", *(HEADINGS[d] for d in DIMENSIONS), "F1")
    return Sheet(headings, tuple(rows), "Doctor")


def _spending_sheet(spending: Sequence[Spending]) -> Sheet:
    lines: list[Row | str] = []
    of_doctors = [one for one in spending if one.doctor is not None]
    for setting, group in groupby(of_doctors, key=lambda one: one.setting or ""):
        lines.append(setting_name(setting))
        lines += [
            Row(
                (
                    one.doctor or "",
                    f"{one.calls:,}",
                    f"{'' if one.tokens_complete else '≥'}{one.prompt_tokens:,}",
                    f"{'' if one.tokens_complete else '≥'}{one.completion_tokens:,}",
                    dollars(one.cost, one.cost_complete),
                    dollars(None if one.cost is None else one.cost / one.visits, one.cost_complete),
                )
            )
            for one in group
        ]
    headings = ("Doctor", "Calls", "Tokens in", "Tokens out", "US$", "US$/visit")
    return Sheet(headings, tuple(lines), "Doctor")


def dollars(cost: float | None, complete: bool) -> str:
    """A cost in US dollars, with ≥ before what is known in part."""
    if cost is None:
        return NONE
    return (
        f"{'' if complete else '≥'}{cost:.4f}"
        if cost < 1
        else f"{'' if complete else '≥'}{cost:,.2f}"
    )


def _f1(scores: DiseaseMeans) -> str:
    if scores.f1 is None or scores.f1_half_width is None:
        return NONE
    return f"{scores.f1:.1f} ±{scores.f1_half_width:.1f}"


def _beside(scores: OverlapMean | None) -> str:
    return NONE if scores is None else f"{scores.f1:.1f}"


def _mean(mark: MarkMean) -> str:
    if mark.mean is None or mark.half_width is None:
        return NONE
    mean = f"{mark.mean:.1f} ±{mark.half_width:.1f}"
    # Never rounded up to all: a share of 0.999 is not 100%.
    return mean if mark.coverage >= 1 else f"{mean}\nof {int(100 * mark.coverage)}%"


def _number(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:.{digits}f}"
