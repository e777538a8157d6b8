"""`hospital records add`: write a case in the terminal, checked as one goes."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from records.errors import Fault, InputError

UNFINISHED = 3
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def add(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The JSON Lines file to add the case to.")
    ] = Path("cases.jsonl"),
    resume: Annotated[bool, typer.Option("--resume", help="Take up the draft of a case.")] = False,
) -> None:
    """Write a case, question by question; it is checked as you go and added to OUT.

    Ctrl-C or the end of the input keeps what was written in OUT.draft.json.
    """
    from hospital.case_draft import CaseDraft, append_record, draft_of, ids_in
    from hospital.case_interview import CaseInterview
    from hospital.case_questions import say

    taken, path = ids_in(out), draft_of(out)
    if resume:
        draft = CaseDraft.load(path)
    elif path.exists():
        what = "a draft of a case lies here; take it up with --resume, or delete it"
        raise InputError([Fault(path, what)])
    else:
        draft = CaseDraft()
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - gives the terminal's arrow keys a meaning
    interview = CaseInterview(
        draft, ask=_ask, tell=_tell, save=lambda: draft.save(path), taken=taken
    )
    try:
        wanted = interview.run()
    except (EOFError, KeyboardInterrupt) as stop:
        _tell("")
        if draft.language is not None:
            draft.save(path)
            _tell(say("draft", interview.language).format(draft=path))
        if isinstance(stop, KeyboardInterrupt):
            raise
        raise typer.Exit(UNFINISHED) from None
    if not wanted:
        draft.save(path)
        _tell(say("draft", interview.language).format(draft=path))
        raise typer.Exit(UNFINISHED)
    append_record(draft.record(), out)
    path.unlink(missing_ok=True)
    _tell(f"{say('saved', interview.language)} {out}: {draft.id}")


def _ask(question: str) -> str:
    """One line typed, without control characters and white space around it."""
    line = input(f"{question}: " if question else "… ")
    return _CONTROL.sub("", line).strip()


def _tell(line: str) -> None:
    print(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", line), file=sys.stdout, flush=True)
