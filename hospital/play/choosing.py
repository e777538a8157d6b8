"""Which case a person sees: the one it named, any, or the one it chooses in the waiting room."""

from __future__ import annotations

import difflib
import locale
import os
import random
import unicodedata
from collections.abc import Callable, Sequence

from agents.leaving import BrokenOff
from hospital.play.commands import read_line
from hospital.play.terminal import Terminal
from hospital.play.waiting_room import show_waiting_room
from hospital.play.words import play_words
from records.errors import Fault, InputError
from records.library import bundled_records
from records.medical_record import Language, MedicalRecord

_WAITING = 5
"""Patients in the waiting room at once: they fit on a screen of 24 lines."""


def find_case(sources: Sequence[str], case: str) -> MedicalRecord:
    """The case of this id in files or the library.

    Raises:
        InputError: there is none, or a source cannot be read.
    """
    records = gathered(sources)
    found = [record for record in records if record.id == case]
    if not found:
        near = " or ".join(difflib.get_close_matches(case, [r.id for r in records], n=3))
        hint = f"did you mean {near}?" if near else "'hospital records list' names them"
        raise InputError([Fault("--case", f"there is no such case; {hint}", record=case)])
    return found[0]


def any_case(sources: Sequence[str], language: Language | None, seed: int | None) -> MedicalRecord:
    """A case by the seed; None: by chance.

    Raises:
        InputError: there is none in the language.
    """
    return _chance(seed).choice(_cases(sources, language))


async def chosen_case(
    sources: Sequence[str],
    language: Language | None,
    seed: int | None,
    terminal: Terminal,
    meanwhile: Callable[[], None],
) -> MedicalRecord:
    """The case that the person chooses in the waiting room.

    Args:
        sources: of cases.
        language: only of this one; None: of the person's own, where there are any.
        seed: of who waits; None: by chance.
        terminal: where the person is.
        meanwhile: called once the waiting room is shown: what takes time is begun while it is read.

    Raises:
        InputError: there is none in the language.
        BrokenOff: the person leaves.
    """
    records = _cases(sources, language)
    every = _chance(seed).sample(records, len(records))
    waiting = every[:_WAITING]
    spoken = every[0].language
    words = play_words(spoken)
    show_waiting_room(terminal, waiting, spoken)
    meanwhile()
    while True:
        line = unicodedata.normalize("NFKC", await terminal.ask(words.choose)).strip()
        if not line:
            return waiting[0]
        if line.isdecimal() and 1 <= int(line) <= len(waiting):
            return waiting[int(line) - 1]
        if line.lower() in words.others_please:
            every = every[_WAITING:] + every[:_WAITING]
            waiting = every[:_WAITING]
            show_waiting_room(terminal, waiting, spoken)
        elif read_line(line).command == "/quit":
            raise BrokenOff
        else:
            terminal.show(words.no_such_number.format(n=len(waiting)))


def _cases(sources: Sequence[str], language: Language | None) -> list[MedicalRecord]:
    records = gathered(sources)
    wanted = language or own_language()
    cases = [r for r in records if r.language == wanted]
    if not cases and language is None:
        return records
    if not cases:
        there = ", ".join(sorted({r.language for r in records}))
        raise InputError(
            [Fault("--language", f"there are no cases in {language}, only in {there}")]
        )
    return cases


def gathered(sources: Sequence[str]) -> list[MedicalRecord]:
    """All cases of these sources.

    Raises:
        InputError: one cannot be read.
    """
    if tuple(sources) == ("library",):
        # The readers of other formats take longer than the cases.
        return bundled_records()
    from hospital.bench_command import gather_cases

    return gather_cases(sources)


def own_language() -> Language:
    """The person's, by the locale of its terminal; English if that is neither of ours."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    own = next(filter(None, named), None) or locale.getlocale()[0] or ""
    return "zh" if own.lower().startswith(("zh", "chinese")) else "en"


def _chance(seed: int | None) -> random.Random:
    return random.Random(seed)  # noqa: S311 - play, not secrets
