"""Lines on a terminal: wrapped under their own beginning, wide characters, pieces as they come."""

from __future__ import annotations

import io
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hospital.play.commands import NPC_COMMANDS, Typed, read_line
from hospital.play.hanging import Hanging, Wrapping, breaks, command, labelled, spoken
from hospital.play.terminal import LineTerminal, RealTerminal, sound

WORDS = st.text("ab 血压，。（）-·12", max_size=120)


def printed(thing: object, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(thing)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@given(WORDS, st.integers(8, 90), st.integers(0, 20))
def test_nothing_is_lost_and_nothing_stands_over(words: str, width: int, indent: int) -> None:
    lines = printed(Hanging(Text(words), indent), width)
    assert "".join("".join(lines).split()) == "".join(words.split())
    assert all(cell_len(line) <= width for line in lines)


@given(WORDS, st.integers(4, 60))
def test_lines_break_where_they_may(words: str, width: int) -> None:
    offsets = [0, *breaks(words, width), len(words)]
    assert offsets == sorted(offsets)
    pieces = [words[a:b].rstrip() for a, b in pairwise(offsets)]
    assert all(cell_len(piece) <= width for piece in pieces)


@given(st.lists(WORDS, max_size=8), st.integers(8, 60))
def test_pieces_that_come_are_written_once_and_wrapped(pieces: list[str], width: int) -> None:
    wrapping = Wrapping(width)
    written = "".join(map(wrapping.feed, pieces)) + wrapping.end()
    assert "".join(written.split()) == "".join("".join(pieces).split())
    whole = Wrapping(width)
    at_once = whole.feed("".join(pieces)) + whole.end()
    assert [x.rstrip() for x in written.split("\n")] == [x.rstrip() for x in at_once.split("\n")]
    # No two words become one.
    assert written.split() == at_once.split()
    assert "".join(map(Wrapping(None).feed, pieces)) == "".join(pieces)


def test_a_list_hangs_by_its_items_and_a_name_by_its_words() -> None:
    words = "- Skin: red patches on both arms and on the legs\n  - Scale: fine, white and dry"
    lines = [
        line for thing in spoken("Examiner", words, plain=False) for line in printed(thing, 40)
    ]
    assert lines == [
        "Examiner:",
        "- Skin: red patches on both arms and on",
        "  the legs",
        "  - Scale: fine, white and dry",
    ]
    (thing,) = spoken("患者", "我这两天一直拉黑便，人也没力气，站起来就头晕。", plain=False)
    assert printed(thing, 30) == [
        "患者：我这两天一直拉黑便，人也",
        "      没力气，站起来就头晕。",
    ]
    # Who hears one line at a time is told with every line who speaks.
    plain = [str(thing) for thing in spoken("Examiner", words, plain=True)]
    assert [line.partition(":")[0] for line in plain] == ["Examiner"] * 2
    assert labelled("检查员") == "检查员："


def test_a_command_to_copy_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    for terminal in (RealTerminal(), LineTerminal(typed=False)):
        written.seek(0)
        written.truncate()
        terminal.show(command("hospital", "play", "--resume", "--out", "runs/play 1234567890"))
        line = "  hospital play --resume --out 'runs/play 1234567890'\n"
        assert written.getvalue() == line


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("Do you smoke?", Typed(None, "Do you smoke?")),
        ("  ", Typed(None, "")),
        ("/Chart ", Typed("/chart", "")),
        ("／查体 腹部", Typed("/examine", "腹部")),
        ("/查体腹部", Typed("/examine", "腹部")),
        ("/ddx a, b", Typed("/differential", "a, b")),
        ("/chart\nand more", Typed(None, "/chart\nand more")),
        ("/chrt x", Typed("", "/chrt", "/chart", "/chrt x")),
        ("/zzzzzz", Typed("", "/zzzzzz", None, "/zzzzzz")),
    ],
)
def test_commands_and_words(line: str, typed: Typed) -> None:
    assert read_line(line) == typed


def test_a_patient_has_no_doctor_s_commands() -> None:
    assert read_line("/order ECG", NPC_COMMANDS).command == ""
    assert read_line("/告辞 我走了", NPC_COMMANDS) == Typed("/end", "我走了")


@pytest.mark.skipif(sys.platform == "win32", reason="an editor of a shell")
def test_the_person_s_own_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\nprintf "Pulmonary embolism" >> "$1"\n', "utf-8")
    editor.chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"'{editor}'")
    for terminal in (RealTerminal(), LineTerminal(typed=True)):
        edited = terminal.edit("# Diagnosis\n")
        assert edited is not None
        assert edited.split("\n")[:2] == ["# Diagnosis", "Pulmonary embolism"]
    assert LineTerminal(typed=False).edit("# Diagnosis\n") is None
    for broken in ("/no/such/editor", "false"):
        monkeypatch.setenv("EDITOR", broken)
        assert RealTerminal().edit("# Diagnosis\n") is None


def test_a_broken_keyboard_sends_no_halves_of_characters() -> None:
    assert sound("pain\udce9") == "pain?"
    assert sound("腹痛 🩺") == "腹痛 🩺"
