"""What the help costs: none of the heavy packages, and none of the commands' own imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hospital.commands import COMMANDS, imported

HEAVY = ("openai", "autogen_core", "autogen_agentchat", "numpy", "aiohttp", "httpx2")
TELL = """
import sys
from hospital.command_line import run
code = run(sys.argv[1:])
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


def modules_of(*arguments: str) -> set[str]:
    """The top-level modules that a command line imports."""
    done = subprocess.run(
        [sys.executable, "-c", TELL, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_the_help_imports_nothing_heavy() -> None:
    found = modules_of("--help")
    assert "hospital" in found
    assert not found & {*HEAVY, "pydantic", "jinja2", "prompts", "evaluation"}


@pytest.mark.parametrize("command", ["bench", "records", "models", "play", "watch"])
def test_a_commands_own_help_imports_nothing_heavy(command: str) -> None:
    assert not modules_of(command, "--help") & set(HEAVY)


def test_the_waiting_room_waits_for_nothing_heavy() -> None:
    tell = """
import sys
from hospital.command_line import run
from hospital.play import asked
def begin(self):
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
    raise SystemExit(0)
asked.Readied.begin = begin
run(["play", "--language", "en"])
"""
    done = subprocess.run(
        [sys.executable, "-c", tell],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Waiting room" in done.stdout
    there = set(done.stderr.split())
    assert "records" in there
    assert not there & {*HEAVY, "prompt_toolkit", "jinja2", "yaml", "evaluation"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_that_of_its_own_help(name: str) -> None:
    command = imported(name)
    first = (command.help or "").split("\n\n")[0].replace("\n", " ")
    assert first == COMMANDS[name][1]
    assert command.name == name


def test_a_default_that_is_told_in_words_is_seen() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "hospital", "records", "list", "--help"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "[default: the bundled records]" in " ".join(shown.replace("│", " ").split())
