"""The commands by name, each imported only when it is called.

`hospital --help` prints a line of each and needs none of them; a command pays for its own imports
and for nobody else's.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS = {
    "bench": ("hospital.bench_command:bench", "Hold visits, mark them, and print a leaderboard."),
    "play": (
        "hospital.play_command:play",
        "Sit in a chair yourself, and be marked. For research and training, never for care.",
    ),
    "watch": (
        "hospital.watch_command:watch",
        "Watch a visit between agents as it goes: space pauses, q leaves.",
    ),
    "leaderboard": ("hospital.run_commands:leaderboard", "Print the leaderboard of a run."),
    "compare": (
        "hospital.compare_command:compare",
        "Compare all pairs of doctors, or settings, on their common cases.",
    ),
    "analyse": (
        "hospital.analyse_command:analyse",
        "Tell how the visits of a run went, and what could hurt.",
    ),
    "paper": (
        "hospital.paper_command:paper",
        "Write a run up: tables as LaTeX and CSV, a methods paragraph, and BibTeX.",
    ),
    "show": (
        "hospital.run_commands:show",
        "List a run's visits, or print one: the conversation, the report, the marks.",
    ),
    "mark": (
        "hospital.mark_command:mark",
        "Mark the visits of a run, one's own or an imported one.",
    ),
    "link": (
        "hospital.link_command:link",
        "Name the diseases in a text and link each to its ICD-10 code (WHO 2019).",
    ),
    "records": (
        "hospital.record_commands:records_app",
        "Look at cases, check a file of them, convert it to this project's own format.",
    ),
    "models": (
        "hospital.models_command:models_app",
        "The models by name, and what one of them can do.",
    ),
    "import": (
        "hospital.import_mvme_command:import_app",
        "Bring in what others published, as a run. (Notes of cases: hospital records import.)",
    ),
    "audit": ("hospital.audit_command:audit_app", "Try out those who judge."),
}
"""Name to the function or `typer.Typer` behind it, and the first line of its help."""


class Commands(TyperGroup):
    """A group that knows its commands' names and help, and imports the one that is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (_, line) in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called, imported."""
        name, known, rest = super().resolve_command(ctx, args)
        return name, known if name is None else imported(name), rest


def imported(name: str) -> Any:
    """A command of `COMMANDS`, as click has it."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    found = getattr(import_module(module), attribute)
    # Rich's own markup would swallow a help's [default: …].
    if isinstance(found, typer.Typer):
        found.rich_markup_mode = "markdown"
        command: Any = typer.main.get_group(found)
    else:
        alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        alone.command(name)(found)
        command = typer.main.get_command(alone)
    command.name = name
    return command
