"""`hospital records rebuild`: partial records out of published consultations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from records.errors import Fault, InputError


def rebuild(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="The published files: dialog_history_*.jsonl and evaluation_*.jsonl.",
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The JSON Lines file to write.")],
) -> None:
    """Rebuild records from published dialogues: what patient and examiner stated, with its place.

    A finding's attributes, and a result's note, say in which file and turn it was said, whether it
    recurs in another dialogue, and what contradicts it.
    """
    from records.readers import write_records
    from records.rebuild import provenance_of, rebuild_records

    if target.is_dir():
        raise InputError([Fault(target, "is a directory; name the file to write")])
    if target.resolve().parent == directory.resolve():
        # A later run would meet the file among the published ones.
        raise InputError([Fault(target, "lies among the published files; name another place")])
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("patients", total=None)

    def show_progress(done: int, total: int) -> None:
        # Started here, not before: a fault of the files is to be the only line.
        bar.start()
        bar.update(task, completed=done, total=total)

    try:
        rebuilt = rebuild_records(directory, show_progress)
    finally:
        if bar.live.is_started:
            bar.stop()
    write_records(rebuilt.records, target)
    findings = [f for record in rebuilt.records for f in record.findings]
    results = [
        e
        for record in rebuilt.records
        for e in (*record.physical_examination, *record.auxiliary_examinations)
    ]
    print(f"{target}: {len(rebuilt.records)} records written")
    for what, facts in (("findings", findings), ("results", results)):
        known = [p for fact in facts if (p := provenance_of(fact))]
        support = Counter(p.support for p in known)
        told = ", ".join(f"{support[kind]} {kind}" for kind in ("opening", "recurring", "single"))
        against = sum(bool(p.contradicts) for p in known)
        print(f"{len(facts)} {what}: {told}; {against} contradicted by another")
    if rebuilt.without_reference:
        count = len(rebuilt.without_reference)
        Console(stderr=True).print(
            f"{count} left out, without a reference diagnosis: "
            f"{', '.join(rebuilt.without_reference[:8])}{', …' if count > 8 else ''}",
            markup=False,
            highlight=False,
        )
