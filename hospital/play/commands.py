"""What a person may type besides words: commands in English and Chinese, and the nearest name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

COMMANDS: dict[str, tuple[str, ...]] = {
    "/examine": ("/查体",),
    "/order": ("/检查", "/开单"),
    "/chart": ("/病历",),
    "/notes": ("/note", "/笔记"),
    "/differential": ("/ddx", "/dd", "/鉴别"),
    "/hint": ("/提示",),
    "/undo": ("/撤回",),
    "/report": ("/报告",),
    "/save": ("/保存",),
    "/quit": ("/exit", "/退出"),
    "/help": ("/?", "/帮助"),
}
"""The doctor's commands; by command, its other names."""
NPC_COMMANDS: dict[str, tuple[str, ...]] = {
    "/card": ("/卡片",),
    "/suggest": ("/参考",),
    "/end": ("/告辞",),
    "/undo": ("/撤回",),
    "/quit": ("/exit", "/退出"),
    "/help": ("/?", "/帮助"),
}
"""The patient's and the examiner's."""


@dataclass(frozen=True)
class Typed:
    """A line as typed."""

    command: str | None
    """One of `COMMANDS`; None for words to be spoken. An unknown command is "" with its `near`."""
    rest: str
    """What follows the command; else the words."""
    near: str | None = None
    whole: str = ""
    """An unknown command with all that follows it, as typed."""


def read_line(line: str, commands: Mapping[str, tuple[str, ...]] = COMMANDS) -> Typed:
    """Tell a command from words; a text of several lines is no command."""
    named = {name: command for command, others in commands.items() for name in (command, *others)}
    line = line.strip()
    # A Chinese keyboard types a full-width stroke.
    line = f"/{line[1:]}" if line.startswith("／") else line
    if not line.startswith("/") or "\n" in line:
        return Typed(None, line)
    head, _, rest = line.partition(" ")
    if head.lower() in named:
        return Typed(named[head.lower()], rest.strip())
    for name in sorted(named, key=len, reverse=True):
        # Chinese is written without a space between: /查体腹部.
        if not name.isascii() and line.startswith(name):
            return Typed(named[name], line.removeprefix(name).strip())
    near = difflib.get_close_matches(head.lower(), named, n=1, cutoff=0.6)
    return Typed("", head, near[0] if near else None, line)
