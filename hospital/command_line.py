"""The command line: its commands, and what a fault looks like to a user."""

from __future__ import annotations

import sys

import typer

from agents.errors import SpecError
from hospital.audit_command import audit_app
from hospital.bench_command import bench
from hospital.compare_command import compare
from hospital.import_mvme_command import import_app
from hospital.link_command import link
from hospital.mark_command import mark
from hospital.models_command import models_app
from hospital.paper_command import paper
from hospital.play_command import play
from hospital.rebuild_command import rebuild
from hospital.record_commands import records_app
from hospital.run_commands import leaderboard, show
from hospital.watch_command import watch
from prompts import PromptError
from records.errors import RecordError
from records.secrets import masked

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="hospital",
    help="A simulated hospital that benchmarks doctor models. For research and training, never "
    "for care.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(bench)
app.command()(play)
app.command()(watch)
app.command()(leaderboard)
app.command()(compare)
app.command()(paper)
app.command()(show)
app.command()(mark)
app.command()(link)
records_app.command()(rebuild)
app.add_typer(records_app, name="records")
app.add_typer(models_app, name="models")
app.add_typer(import_app, name="import")
app.add_typer(audit_app, name="audit")


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
    except (PromptError, RecordError, SpecError) as fault:
        print(f"hospital: {masked(str(fault))}", file=sys.stderr)
    except OSError as fault:
        print(f"hospital: {fault.filename or 'disk'}: {fault.strerror}", file=sys.stderr)
    return BAD_INPUT
