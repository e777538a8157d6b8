"""The command line: its commands, and what a fault looks like to a user."""

from __future__ import annotations

import sys

import typer

from hospital.commands import Commands
from records.secrets import masked

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="hospital",
    cls=Commands,
    help="A simulated hospital that benchmarks doctor models. For research and training, never "
    "for care.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def _door() -> None:
    """Every command is a group's, however few there are."""


def run(arguments: list[str] | None = None) -> int:
    """Run a command line; returns its exit code: 0 done, 2 bad input, 3 unfinished, 130 stopped."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets an escape, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(args=arguments)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as fault:
        print(f"hospital: {fault.filename or 'disk'}: {fault.strerror}", file=sys.stderr)
    except Exception as fault:
        if not _is_of_the_input(fault):
            raise
        print(f"hospital: {masked(str(fault))}", file=sys.stderr)
    return BAD_INPUT


def _is_of_the_input(fault: Exception) -> bool:
    """True if what was given is at fault, and not this program."""
    from agents.errors import SpecError
    from prompts import PromptError
    from records.errors import RecordError

    return isinstance(fault, PromptError | RecordError | SpecError)
