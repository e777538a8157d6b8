"""A clause of a history: the smallest piece that states one symptom or circumstance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Span = tuple[int, int]

_OPENING = "(（[【“‘「《"
_CLOSING = ")）]】”’」》"


@dataclass(frozen=True)
class Clause:
    """One statement with the place of its own words."""

    start: int
    end: int
    text: str
    """Its own words; a member of a list also has the words that it shares with the others."""
    symptom: str
    present: bool = True
    attributes: dict[str, str] = field(default_factory=dict)


def shielded(text: str) -> list[bool]:
    """For each character, whether it stands inside closed brackets or quotation marks."""
    inside = [False] * len(text)
    stack: list[tuple[int, str]] = []
    for i, char in enumerate(text):
        if char in _OPENING:
            stack.append((i, _CLOSING[_OPENING.index(char)]))
        elif char == "\n":
            # A bracket that does not close on its line was never one.
            stack.clear()
        elif stack and char in _CLOSING:
            while stack and stack[-1][1] != char:
                stack.pop()
            if stack:
                opened, _ = stack.pop()
                inside[opened : i + 1] = [True] * (i + 1 - opened)
    return inside


def cut(span: Span, is_cut: Callable[[int], bool]) -> Iterator[Span]:
    """Cut a span at every position that is a separator; the separators are left out."""
    start, end = span
    for i in range(start, end):
        if is_cut(i):
            if start < i:
                yield start, i
            start = i + 1
    if start < end:
        yield start, end


def trim(text: str, span: Span, chars: str = "") -> Span:
    """A span without white space and the given characters at its ends; may become empty."""
    start, end = span
    while start < end and (text[start].isspace() or text[start] in chars):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in chars):
        end -= 1
    return start, end


def has_words(piece: str) -> bool:
    """Whether a piece says anything: it holds a letter, a digit or a Chinese character."""
    return any(char.isalnum() or char == "*" for char in piece)
