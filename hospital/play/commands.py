"""What a person may type besides words: commands in English and Chinese, and the nearest name."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

COMMANDS: dict[str, tuple[str, ...]] = {
    "/examine": ("/查体",),
    "/order": ("/检查", "/开单"),
    "/chart": ("/病历",),
    "/notes": ("/note", "/笔记"),
    "/differential": ("/ddx", "/鉴别"),
    "/hint": ("/提示",),
    "/undo": ("/撤回",),
    "/report": ("/报告",),
    "/save": ("/保存",),
    "/quit": ("/exit", "/退出"),
    "/help": ("/?", "/帮助"),
}
"""By command, its other names."""

_NAMED = {name: command for command, others in COMMANDS.items() for name in (command, *others)}


@dataclass(frozen=True)
class Typed:
    """A line as typed."""

    command: str | None
    """One of `COMMANDS`; None for words to be spoken. An unknown command is "" with its `near`."""
    rest: str
    """What follows the command; else the words."""
    near: str | None = None


def read_line(line: str) -> Typed:
    """Tell a command from words; a path or a date at the head of a text is no command."""
    line = line.strip()
    # A Chinese keyboard types a full-width stroke.
    line = f"/{line[1:]}" if line.startswith("／") else line
    if not line.startswith("/") or "\n" in line:
        return Typed(None, line)
    head, _, rest = line.partition(" ")
    if head.lower() in _NAMED:
        return Typed(_NAMED[head.lower()], rest.strip())
    for name in sorted(_NAMED, key=len, reverse=True):
        # Chinese is written without a space between: /查体腹部.
        if not name.isascii() and line.startswith(name):
            return Typed(_NAMED[name], line.removeprefix(name).strip())
    near = difflib.get_close_matches(head.lower(), _NAMED, n=1, cutoff=0.6)
    return Typed("", head, near[0] if near else None)
