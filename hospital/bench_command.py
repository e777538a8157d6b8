"""`hospital bench`: the main job. Cases and doctors go in, a leaderboard comes out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from evaluation.preset import PRESETS
from hospital.counting_options import counting_of
from hospital.earlier_runs import earlier_runs, reused
from hospital.holding import INTERRUPTED, Means, hold_all
from hospital.model_options import KeyFile, ModelsFile, PromptsDirectory
from hospital.run_display import tell_how_to_go_on
from hospital.spending_options import Cache, MaxCost, MaxTokens, cache_directory, check_prices
from records.conference import is_conference
from records.errors import Fault, InputError
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.library import bundled_records
from records.medical_record import Language, MedicalRecord
from records.readers import is_table, read_records
from records.visit import Protocol, Setting, Unrecorded

if TYPE_CHECKING:
    from evaluation.case_scores import Counting
    from evaluation.linking import Linking

OFFLINE_DOCTORS = ("checklist",)
OFFLINE_JUDGES = ("rubric",)
SETTINGS: tuple[Setting, ...] = ("interaction", "one_step", "zero_turn")


def bench(
    cases: Annotated[
        list[str] | None,
        typer.Option(help="A file of cases, or 'library' for the bundled ones. Repeatable."),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            help="Of the tables among the cases: the TOML file that says which column is what. "
            "[default: NAME.mapping.toml beside each]",
            show_default=False,
        ),
    ] = None,
    doctor: Annotated[
        list[str] | None,
        typer.Option(
            help="Who sits in the Doctor's chair: checklist, PROVIDER/MODEL, URL#MODEL, "
            "package.module:Class, exec:COMMAND, or several in conference(A, B; OPTIONS). "
            "Repeatable."
        ),
    ] = None,
    from_: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="RUN",
            help="A run whose consultations conferences take instead of holding them again. "
            "Repeatable.",
            show_default=False,
        ),
    ] = None,
    setting: Annotated[
        str | None,
        typer.Option(
            help="Settings of single doctors, comma-separated. A conference is always held in the "
            f"setting of that name. [default: {','.join(SETTINGS)}]",
            show_default=False,
        ),
    ] = None,
    npc: Annotated[
        str, typer.Option(help="Patient and Examiner: grounded, PROVIDER/MODEL, or URL#MODEL.")
    ] = "grounded",
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="The marking Chief Physician: rubric, PROVIDER/MODEL, or URL#MODEL. Repeatable: "
            "several are a panel. [default: rubric]",
            show_default=False,
        ),
    ] = None,
    unrecorded: Annotated[
        Unrecorded | None,
        typer.Option(
            help="What the Examiner says of an examination that is not on record. "
            "[default: unavailable]",
            show_default=False,
        ),
    ] = None,
    protocol: Annotated[
        Protocol | None,
        typer.Option(
            help="Who takes requests to the Examiner: the patient, or the doctor itself. "
            "[default: carried]",
            show_default=False,
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Hold, mark and count as a publication did: "
            f"{', '.join(PRESETS)}. It fixes the two above, --max-turns, and how marks count.",
            show_default=False,
        ),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Visits of each case and doctor.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Only the first N cases, in the order of 'hospital records list': of the bundled"
            " ones the Chinese come first.",
            show_default=False,
        ),
    ] = None,
    language: Annotated[
        Language | None,
        typer.Option(help="Only the cases in this language.", show_default=False),
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Visits under way at once.")] = 8,
    timeout: Annotated[
        float,
        typer.Option(min=0.1, help="Seconds that a class or command has for one reply as Doctor."),
    ] = 300.0,
    max_turns: Annotated[
        int | None,
        typer.Option(
            min=1, help="Rounds before the report is due. [default: 10]", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The run's directory. [default: runs/HASH, of the configuration]"),
    ] = None,
    prompts: PromptsDirectory = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    cache: Cache = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say how many visits and calls are owed and what they are likely to cost, and "
            "stop. Judged by --probes visits that are held for real and kept in the run, so that "
            "they are not paid for twice; where none can be held, by a rehearsal without a model.",
        ),
    ] = False,
    probes: Annotated[
        int,
        typer.Option(
            min=0,
            help="Visits of each doctor and setting that --dry-run holds. 0 asks no model.",
        ),
    ] = 2,
    json_: Annotated[
        bool, typer.Option("--json", help="Print the leaderboard, or the estimate, as JSON.")
    ] = False,
) -> None:
    """Hold visits, mark them, and print a leaderboard.

    The same command again resumes; more doctors, cases or trials extend the run. A model's spec
    may set limits for its endpoint: requests_per_minute=, tokens_per_minute=, concurrency=.

    Exit codes: 0 every order is held and marked; 2 bad input; 3 some order has no mark, and the
    summary says by kind which are owed and will be tried again; 130 interrupted, what is finished
    or paid is kept.
    """
    from agents.conference_spec import canonical
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.model.spec_text import without_limits
    from agents.seats import Seats
    from agents.seats import sources as seat_sources
    from prompts import Prompts

    words, table, keys = Prompts(prompts), ModelTable.load(models), Keys(key_file)
    sources = tuple(cases or ("library",))
    typed = (*(doctor or OFFLINE_DOCTORS), npc, *(judge or OFFLINE_JUDGES))
    named = (without_limits(spec) for spec in doctor or OFFLINE_DOCTORS)
    doctors = tuple(dict.fromkeys(canonical(spec) for spec in named))
    npc = without_limits(npc)
    judges = tuple(dict.fromkeys(map(without_limits, judge or OFFLINE_JUDGES)))
    records = gather_cases(sources, limit, mapping, language)
    counting = counting_of(preset, None, None)
    fixed = _fixed(preset, protocol=protocol, unrecorded=unrecorded, max_turns=max_turns)
    config = RunConfig(
        shared=SharedSettings(npc=npc, seed=seed, prompts_hash=words.hash, **fixed),
        doctors=doctors,
        settings=_settings(setting, doctors),
        trials=trials,
        judges=judges,
        cases={record.id: record.content_hash for record in records},
    )
    Seats.check(config, table, keys)
    seated = (*doctors, npc, *judges)
    config = config.model_copy(update={"sources": seat_sources(seated, table)})
    directory = out or Path("runs") / config.name
    console = Console(stderr=True)
    runs = earlier_runs(from_ or (), config, records)
    if runs:
        line = f"{reused(runs, config, records)} consultations are taken from earlier runs."
        console.print(line, highlight=False)
    means = Means(
        words,
        table,
        keys,
        typed,
        concurrency=concurrency,
        timeout=timeout,
        cache=cache_directory(cache),
        max_cost=max_cost,
        max_tokens=max_tokens,
        linking=_linking(counting),
        earlier_runs=runs,
    )
    check_prices(means, doctors, console)
    if dry_run:
        from hospital.dry_run import dry_run as estimate

        code = estimate(directory, config, records, means, console, probes=probes, as_json=json_)
        if code == INTERRUPTED:
            tell_how_to_go_on(console, "Interrupted; what is finished or paid is kept. To go on:")
        raise typer.Exit(code)
    with LedgerWriter(directory, config, records) as ledger:
        outcome = hold_all(ledger, means, console)
    if outcome.code == INTERRUPTED:
        tell_how_to_go_on(console, "Interrupted; what is finished or paid is kept. To go on:")
        raise typer.Exit(outcome.code)
    self_test = sources == ("library",) and doctors == OFFLINE_DOCTORS and npc == "grounded"
    _print_leaderboard(directory, judges, json_, counting, self_test=self_test)
    console.print(f"The run is in {directory}", highlight=False, soft_wrap=True)
    if outcome.owed:
        larger = " with a larger budget" if outcome.used_up else ""
        tell_how_to_go_on(console, f"Unfinished. To go on{larger}:")
    raise typer.Exit(outcome.code)


def _fixed(preset: str | None, **given: Any) -> dict[str, Any]:
    """What a preset fixes of the visits, else what was given; what is left out has its default.

    Raises:
        BadParameter: an option contradicts the preset.
    """
    fixed = PRESETS[preset].model_dump() if preset else {}
    for name, value in given.items():
        if preset and value not in (None, fixed[name]):
            option = f"--{name.replace('_', '-')}"
            raise typer.BadParameter(
                f"{preset} has {fixed[name]}; leave one of the two options out", param_hint=option
            )
    values = {name: fixed.get(name, value) for name, value in given.items()}
    return {name: value for name, value in values.items() if value is not None}


def _linking(counting: Counting) -> Linking | None:
    """How diseases are scored; None leaves it to the default."""
    if counting.matching == "code":
        return None
    from evaluation.linking import Linking

    return Linking.of(published=True, convention=counting.convention)


def gather_cases(
    sources: Sequence[str],
    limit: int | None = None,
    mapping: Path | None = None,
    language: Language | None = None,
) -> list[MedicalRecord]:
    """Read all sources, tables through `mapping`; `limit` counts over them in order.

    Args:
        sources: files, or `library`.
        limit: how many cases; all if None.
        mapping: of the tables.
        language: of the cases, whose others do not count; either if None.

    Raises:
        InputError: a source cannot be read, two cases have the same id, or none is in the language.
    """
    gathered: dict[str, tuple[MedicalRecord, str]] = {}
    for source in sources:
        library = source == "library"
        through = mapping if len(sources) == 1 or is_table(Path(source)) else None
        for record in bundled_records() if library else read_records(Path(source), through):
            known = gathered.get(record.id)
            if known and known[0].content_hash != record.content_hash:
                what = f"another case of this id is in {known[1]}; ids must differ within a run"
                raise InputError([Fault(source, what, record=record.id)])
            gathered[record.id] = (record, source)
    found = [r for r, _ in gathered.values() if language in (None, r.language)]
    if gathered and not found:
        raise InputError([Fault(", ".join(sources), f"there is no case in language {language}")])
    return found[:limit]


def _settings(typed: str | None, doctors: Sequence[str]) -> tuple[Setting, ...]:
    """The settings to hold: those typed for single doctors, and the conference of the others."""
    met = [doctor for doctor in doctors if is_conference(doctor)]
    text = ",".join(SETTINGS) if typed is None else typed
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if typed is not None and "conference" in names and not met:
        what = "a conference is held by a doctor conference(A, B); there is none"
        raise typer.BadParameter(what, param_hint="--setting")
    if len(met) == len(doctors):
        if typed is not None and set(names) != {"conference"}:
            what = "these doctors meet in conferences, whose only setting is conference"
            raise typer.BadParameter(what, param_hint="--setting")
        return ("conference",)
    names = tuple(name for name in names if name != "conference")
    for name in names:
        if name not in SETTINGS:
            raise typer.BadParameter(
                f"{name!r} is no setting; there are {', '.join(SETTINGS)}", param_hint="--setting"
            )
    if not names:
        raise typer.BadParameter(
            f"name at least one of {', '.join(SETTINGS)}", param_hint="--setting"
        )
    single = tuple(name for name in SETTINGS if name in names)
    return (*single, "conference") if met else single


def _print_leaderboard(
    directory: Path,
    judges: Sequence[str],
    as_json: bool,
    counting: Counting,
    *,
    self_test: bool,
) -> None:
    from evaluation.panel_marks import panel_name
    from hospital.run_commands import print_leaderboard

    title = "Self-test: offline doctors on the bundled cases" if self_test else None
    # A judge whose every mark is still owed has no leaderboard yet; what there is is shown.
    marked = {mark.judge for mark in Ledger(directory).marks()}
    there = [judge for judge in judges if judge in marked]
    of = panel_name(there) if len(there) > 1 else next(iter(there), None)
    print_leaderboard(directory, as_json, title=title, judge=of, counting=counting)
