"""Tab: commands at the head of a line, names of examinations after the commands that take them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from hospital.play.commands import COMMANDS
from records.examinations.examination_lexicon import load_examination_lexicon
from records.medical_record import Language

_SEPARATORS = ",，、;；"
_ORDERED = frozenset({"panel", "test", "imaging"})
_EXAMINED = frozenset({"region", "sign", "physical"})


@cache
def examination_names(language: Language, *, bedside: bool) -> tuple[str, ...]:
    """The general vocabulary of examinations; never a record's.

    Args:
        language: of the names.
        bedside: regions and signs of the physical examination instead of tests and images.
    """
    kinds = _EXAMINED if bedside else _ORDERED
    names = (
        name.lstrip("=")
        for concept in load_examination_lexicon().concepts.values()
        if concept.kind in kinds
        for name in (concept.zh if language == "zh" else concept.en)
        if not name.startswith("~")
    )
    return tuple(dict.fromkeys(names))


def offered(language: Language, *, exam: bool) -> tuple[str, ...]:
    """What Tab completes to for a doctor: commands, and examinations by their general names."""
    lines = []
    for command, others in COMMANDS.items():
        if exam and command in ("/hint", "/undo"):
            continue
        lines += [command, *others]
        if command in ("/examine", "/order"):
            names = examination_names(language, bedside=command == "/examine")
            lines += [f"{c} {name}" for c in (command, *others) for name in names]
    return tuple(lines)


class Completions(Completer):
    """Completes what stands after the last separator, or the whole line.

    Args:
        offered: whole lines, such as `/chart`; or `/order NAME`, of which NAME is offered again
            after each separator.
    """

    def __init__(self, offered: Sequence[str]) -> None:
        self._offered = offered

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Offer what begins as the text does; then what has a word that does."""
        line = document.text_before_cursor
        command, space, rest = line.partition(" ")
        if not space or not command.startswith("/"):
            commands = dict.fromkeys(one.partition(" ")[0] for one in self._offered)
            for one in commands:
                if line and one.startswith(line):
                    yield Completion(one, start_position=-len(line))
            return
        cut = max((rest.rfind(s) for s in _SEPARATORS), default=-1)
        typed = rest[cut + 1 :].lstrip()
        wanted = typed.lower()
        names = [
            one.removeprefix(f"{command} ")
            for one in self._offered
            if one.startswith(f"{command} ")
        ]
        first = [n for n in names if n.lower().startswith(wanted)]
        later = [n for n in names if f" {wanted}" in n.lower() and n not in first]
        for name in first + later if wanted else ():
            yield Completion(name, start_position=-len(typed))
