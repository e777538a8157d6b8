"""What the analysis of a run looks like on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from evaluation.analysis import Analysis, Conduct
from evaluation.harm import HarmFlag
from evaluation.regression import PREDICTORS, Regression
from hospital.columns import Row, Sheet, names_in_sheets, text
from hospital.shown import NONE, percent, setting_name
from hospital.tables import print_full_names

_ERRORS = {
    "omission": "Omission",
    "complications": "Complications",
    "judgement": "Judgement",
}
_HARM = {
    "allergy": "Allergy",
    "pregnancy": "Pregnancy",
    "age": "Age",
    "contraindication": "Contraind.",
    "interaction": "Interaction",
    "red_flag_not_found": "Not found",
    "red_flag_not_acted_on": "Not acted on",
}
_MOST_EXAMPLES = 12


def print_analysis(console: Console, analysis: Analysis, *, title: str) -> None:
    """Print the tables of an analysis, each with what to know of it."""
    console.print(text(title, style="bold"))
    if not analysis.conducts:
        console.print("No visits yet.")
        return
    sheets = [(sheet, legend) for sheet, legend in _sheets(analysis) if sheet.rows]
    doctors = [conduct.doctor for conduct in analysis.conducts]
    names = names_in_sheets(doctors, [sheet for sheet, _ in sheets], console.width)
    for sheet, legend in sheets:
        console.print()
        sheet.print(console, names)
        console.print(text(legend, style="dim"))
    _print_flags(console, analysis)
    print_full_names(console, names)


def _sheets(analysis: Analysis) -> list[tuple[Sheet, str]]:
    judged = f" by {analysis.judge}" if analysis.judge else ""
    return [
        (
            _process_sheet(analysis.conducts),
            "Process: shares of the recorded present illness, other history, signs and results that"
            " were collected; a visit's replies that brought nothing new, and its requests for what"
            " is not on record. Early: premature closure, concluded on none of the reference"
            " diagnoses with rounds left and abnormal results not asked for.",
        ),
        (
            _behaviour_sheet(analysis.conducts),
            "Behaviour, in percent of what is settled: the patient's answers to the doctor, the"
            " examiner's to requests, the report against the dialogue. Open: facts do not settle it"
            " (--settle asks a model).",
        ),
        (
            _errors_sheet(analysis.conducts),
            f"Diagnoses graded D{judged}: telling results not asked for; only what comes with the"
            " main disease named; all was there and the conclusion wrong.",
        ),
        (
            _regression_sheet(analysis.conducts),
            "Regression of the diagnosis score (0 to 100) on information collected: points for each"
            " ten percentage points more of it, with the 95% bootstrap interval over visits.",
        ),
        (
            _harm_sheet(analysis.conducts),
            "Harm flags, visits with at least one: a plan against what is on record, and red flags"
            " that were not found or not acted on. By rule, each with its source; a clinician may"
            " overrule them.",
        ),
    ]


def _process_sheet(conducts: Sequence[Conduct]) -> Sheet:
    rows = [
        (
            conduct.doctor,
            str(way.visits),
            f"{way.turns:.1f}",
            *map(percent, (way.present_illness, way.other_history, way.signs, way.results)),
            f"{way.redundant:.1f}",
            f"{way.unrecorded:.1f}",
            percent(way.closed_early),
        )
        for conduct in conducts
        if (way := conduct.process) is not None
    ]
    heads = ("Visits", "Turns", "Illness", "History", "Signs", "Results", "Redundant")
    return _sheet((*heads, "Unrecorded", "Early"), rows)


def _behaviour_sheet(conducts: Sequence[Conduct]) -> Sheet:
    rows = [
        (
            conduct.doctor,
            str(own.pairs),
            *map(_fine, (own.relevance, own.honesty)),
            str(own.requests),
            *map(_fine, (own.accuracy, own.consistency)),
            str(own.open),
        )
        for conduct in conducts
        if (own := conduct.behaviour) is not None
    ]
    heads = ("Pairs", "Relevant", "Honest", "Requests", "Accurate", "Consistent", "Open")
    return _sheet(heads, rows)


def _errors_sheet(conducts: Sequence[Conduct]) -> Sheet:
    rows = [
        (
            conduct.doctor,
            setting_name(conduct.setting),
            str(conduct.graded),
            str(sum(conduct.errors.values())),
            *(str(conduct.errors.get(kind, 0)) for kind in _ERRORS),
        )
        for conduct in conducts
        if conduct.graded
    ]
    return _sheet(("Setting", "Graded", "D", *_ERRORS.values()), rows)


def _regression_sheet(conducts: Sequence[Conduct]) -> Sheet:
    rows = [
        (
            conduct.doctor,
            str(line.visits),
            *(_slope(line, predictor) for predictor in PREDICTORS),
            f"{line.explained:.2f}",
        )
        for conduct in conducts
        if (line := conduct.regression) is not None
    ]
    return _sheet(("Visits", "Symptoms", "Results", "R²"), rows)


def _harm_sheet(conducts: Sequence[Conduct]) -> Sheet:
    kinds = [kind for kind in _HARM if any(c.harm.get(kind) for c in conducts)]
    rows = [
        (
            conduct.doctor,
            setting_name(conduct.setting),
            str(conduct.visits),
            *(str(conduct.harm.get(kind, 0)) for kind in kinds),
        )
        for conduct in conducts
    ]
    return _sheet(("Setting", "Visits", *(_HARM[kind] for kind in kinds)), rows if kinds else [])


def _sheet(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Sheet:
    return Sheet(
        ("Doctor", *headings), tuple(map(Row, rows)), "Doctor", frozenset({"Setting"} & {*headings})
    )


def _print_flags(console: Console, analysis: Analysis) -> None:
    """The flags of plans one by one, the first few; red flags are told by visit in JSON."""
    plans = [
        (one, flag)
        for one in analysis.visits
        for flag in one.harm
        if not flag.kind.startswith("red_flag")
    ]
    if plans:
        console.print()
    for one, flag in plans[:_MOST_EXAMPLES]:
        console.print(text(f"{one.visit_key} {one.record_id}: {flag_line(flag)}", style="yellow"))
    if len(plans) > _MOST_EXAMPLES:
        console.print(text(f"and {len(plans) - _MOST_EXAMPLES} more (--json).", style="dim"))


def flag_line(flag: HarmFlag) -> str:
    """A flag in one line: what, against what, by which source."""
    against = f" against {flag.against}" if flag.against else ""
    evidence = f" [{' '.join(flag.evidence)}]" if flag.evidence else ""
    source = f"; {flag.source}" if flag.source else ""
    return f"{flag.kind.replace('_', ' ')}: {flag.what}{against}{evidence}{source}"


def _slope(line: Regression, predictor: str) -> str:
    for slope in line.slopes:
        if slope.predictor == predictor:
            return f"{slope.per_ten_points:+.1f} ({slope.lower:+.1f} to {slope.upper:+.1f})"
    return NONE


def _fine(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f}"
