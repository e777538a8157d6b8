"""What conferences look like on a terminal: the minutes of one, and the sums of a run's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.padding import Padding

from hospital.columns import Row, Sheet, clean, names_in_sheets, shortened, text
from hospital.shown import NONE
from records.conference import Contradiction, Minutes, Participant, Round
from records.medical_record import MedicalRecord
from records.visit import Visit

_ENDED = {
    "agreement": "agreement",
    "round_limit": "the limit of rounds",
    "one_left": "one doctor left: its report stands",
    "none_left": "no doctor left",
    "vote": "a vote on the linked diagnoses",
    "summary": "the chair's summary",
}
_DISCUSSED = {"agreement", "round_limit"}
_LONGEST_CLAIM = 120


def print_minutes(console: Console, minutes: Minutes, record: MedicalRecord, visit: Visit) -> None:
    """Print how a conference went, round by round, and what the record says of it."""
    console.print()
    console.print(text("Conference", style="bold underline"))
    for name, value in _facts(minutes):
        console.print(text(f"{name:<11}{value}"))
    for participant in minutes.participants:
        _print_participant(console, participant)
    outcomes = _outcomes(visit, record)
    for number, contradiction in enumerate(minutes.contradictions):
        outcome = outcomes[number] if number < len(outcomes) else ""
        _print_contradiction(console, number + 1, contradiction, outcome)
    if minutes.facts is not None:
        console.print()
        console.print(text("Facts as merged", style="bold"))
        console.print(_indented(minutes.facts.symptoms or NONE))
        console.print(_indented(minutes.facts.examinations or NONE))
    for held in minutes.rounds:
        _print_round(console, held)


def print_conferences(
    console: Console, visits: Iterable[Visit], records: Mapping[str, MedicalRecord]
) -> None:
    """Print the sums of a run's conferences; nothing where there are none."""
    visits = list(visits)
    if all(visit.conference is None for visit in visits):
        return
    from evaluation.conference import summarise_conferences
    from records.diseases.icd10 import default_terminology

    summaries = summarise_conferences(visits, records, default_terminology())
    if not summaries:
        return
    rows = [
        Row(
            (
                one.doctor,
                str(one.conferences),
                _rounds(one.rounds) if _DISCUSSED & one.ended_by.keys() else NONE,
                *(str(n) if one.known else NONE for n in (one.better, one.worse, one.flips)),
                _outcome_counts(one.contradictions),
                _percent(one.f1_alone),
                _percent(one.f1_final),
            ),
            _stayed_out(one.stayed_out),
        )
        for one in summaries
    ]
    headings = ("Doctor", "Held", "Agreed", "Better", "Worse", "Flips", "Settled")
    sheet = Sheet((*headings, "F1 alone", "F1 joint"), tuple(rows), "Doctor")
    console.print()
    console.print(text("Conferences", style="bold"))
    names = names_in_sheets(sheet.names, [sheet], console.width)
    sheet.print(console, names)
    legend = (
        "Agreed: how many agreed after 0/1/2/… rounds, and how many did not; better and worse:"
        " diagnoses taken up or given up in the rounds, towards the reference or away from it;"
        " flips: changes that undid one of the same doctor's; settled: contradictions settled as"
        " the record says, wrongly, lost in the merging, and not on record; F1 alone: of the"
        " doctors' reports before the conference."
    )
    console.print(text(legend, style="dim"))
    for doctor, shown in names.items():
        if shown != clean(doctor):
            console.print(text(f"{shown} is {doctor}", style="dim"))


def conference_figures(
    visits: Iterable[Visit], records: Mapping[str, MedicalRecord]
) -> list[dict[str, object]]:
    """The sums of a run's conferences as JSON values; [] where there are none."""
    visits = list(visits)
    if all(visit.conference is None for visit in visits):
        return []
    from evaluation.conference import summarise_conferences
    from records.diseases.icd10 import default_terminology

    found = summarise_conferences(visits, records, default_terminology())
    return [one.model_dump(mode="json") for one in found]


def _facts(minutes: Minutes) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = [("strategy", minutes.strategy)]
    if minutes.moderator:
        facts.append(("moderator", minutes.moderator))
    if minutes.strategy == "discuss":
        on = {"disputes": minutes.disputes, "facts": minutes.facts_exchanged}
        switched = [name for name, value in on.items() if not value]
        facts.append(("rounds", f"{minutes.rounds_held} of {minutes.round_limit}"))
        facts += [("without", ", ".join(switched))] if switched else []
    if minutes.ended_by is not None:
        facts.append(("ended by", _ENDED[minutes.ended_by]))
    return facts


def _print_participant(console: Console, participant: Participant) -> None:
    line = text(f"{participant.speaker:<11}", style="bold")
    line.append(text(participant.doctor))
    console.print(line)
    held = participant.consultation
    if held is not None:
        said = held.report.diagnosis.strip().replace("\n", "; ") if held.report else ""
        told = f"consultation {held.key}, {len(held.messages)} messages: {said or NONE}"
        console.print(_indented(told, style="dim"))
        if held.taken_from:
            console.print(_indented(f"held in run {held.taken_from}", style="dim"))
    elif participant.visit_key is not None:
        console.print(_indented(f"consultation {participant.visit_key}", style="dim"))
    if participant.out is not None:
        when = "never took part" if participant.out_since == -1 else "left"
        when += f" in round {participant.out_since}" if when == "left" else ""
        console.print(_indented(f"{when}: {participant.out}", style="yellow"))


def _print_contradiction(
    console: Console, number: int, contradiction: Contradiction, outcome: str
) -> None:
    console.print()
    console.print(text(f"Contradiction {number}", style="bold"))
    for speaker, claim in contradiction.claims.items():
        console.print(_indented(f"{speaker}: {shortened(claim, _LONGEST_CLAIM)}"))
    console.print(_indented(f"to the {contradiction.asked_of}: {contradiction.question}"))
    console.print(_indented(contradiction.answer or NONE))
    if outcome:
        style = "yellow" if outcome in ("wrong", "lost") else "dim"
        console.print(_indented(f"settled: {outcome.replace('_', ' ')}", style=style))


def _print_round(console: Console, held: Round) -> None:
    console.print()
    title = f"Round {held.number}" if held.number else "Revision on the merged facts"
    console.print(text(title, style="bold"))
    for number, point in enumerate(held.points, 1):
        hidden = "" if held.points_shown else " (not told)"
        console.print(_indented(f"{number}. {point}{hidden}"))
    changes = {change.speaker: change for change in held.changes}
    for speaker, report in held.reports.items():
        change = changes.get(speaker)
        diagnosis = report.diagnosis.strip().replace("\n", "; ") or NONE
        console.print(_indented(f"{speaker}: {diagnosis}"))
        if speaker in held.kept:
            console.print(_indented(f"   keeps its report: {held.kept[speaker]}", style="yellow"))
        elif change is None:
            console.print(_indented("   changes nothing", style="dim"))
        else:
            moved = [f"takes up {name}" for name in change.took_up]
            moved += [f"gives up {name}" for name in change.gave_up]
            told = "; ".join(moved) or f"changes {', '.join(change.parts)}"
            console.print(_indented(f"   {told}", style="dim"))


def _outcomes(visit: Visit, record: MedicalRecord) -> list[str]:
    if visit.conference is None or not visit.conference.contradictions:
        return []
    from evaluation.conference import mark_conference
    from records.diseases.icd10 import default_terminology

    marks = mark_conference(visit, record, default_terminology())
    return [settlement.outcome for settlement in marks.settlements]


def _rounds(rounds: Mapping[str, int]) -> str:
    most = max((int(n) for n in rounds if n != "none"), default=0)
    counts = "/".join(str(rounds.get(str(n), 0)) for n in range(most + 1))
    return f"{counts}, {rounds.get('none', 0)} not"


def _outcome_counts(counts: Mapping[str, int]) -> str:
    if not counts:
        return NONE
    return "/".join(str(counts.get(name, 0)) for name in ("right", "wrong", "lost", "not_recorded"))


def _stayed_out(out: Mapping[str, int]) -> str:
    return "; ".join(f"{doctor} stayed out of {times}" for doctor, times in out.items())


def _percent(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def _indented(words: str, style: str = "") -> Padding:
    return Padding(text(words, style=style), (0, 0, 0, 3), expand=False)
