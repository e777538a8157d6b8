"""Finding a quotation in a text, for copyists who change spaces, width or case."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[int, int]

_SAME = str.maketrans("“”‘’–—−～〜，；：（）。", "\"\"''----~,;:().")


@dataclass(frozen=True)
class Notes:
    """A text with its reduced form, in which quotations are looked up.

    The reduced form has no white space, one width, one case and one kind of each punctuation mark.
    """

    text: str
    reduced: str
    places: tuple[int, ...]
    """For each reduced character the place in the text that it comes from."""

    @classmethod
    def of(cls, text: str) -> Notes:
        """Reduce a text once, for many quotations."""
        reduced: list[str] = []
        places: list[int] = []
        for place, character in enumerate(text):
            for one in _reduce(character):
                reduced.append(one)
                places.append(place)
        return cls(text, "".join(reduced), tuple(places))

    def find(self, quotation: str, within: Sequence[Span] = ()) -> Span | None:
        """The first place of a quotation, verbatim if it is, else in reduced form; None if absent.

        Args:
            quotation: what is looked for; an empty one is nowhere.
            within: spans of the text, one of which has to hold the quotation; () means anywhere.
        """
        wanted = "".join(_reduce(one) for one in quotation)
        if not wanted:
            return None
        at = self.reduced.find(wanted)
        while at >= 0:
            start, end = self.places[at], self.places[at + len(wanted) - 1] + 1
            whole = self._whole(at, at + len(wanted))
            if whole and (not within or any(a <= start and end <= b for a, b in within)):
                return start, end
            at = self.reduced.find(wanted, at + 1)
        return None

    def _whole(self, start: int, end: int) -> bool:
        """Whether a reduced span cuts no word and no number in two: 12 is not in 112 or 12.5."""
        return not (self._joined(start - 1, start) or self._joined(end - 1, end))

    def _joined(self, left: int, right: int) -> bool:
        if left < 0 or right >= len(self.reduced):
            return False
        if self.places[right] - self.places[left] > 1:
            return False  # White space between them.
        a, b = self.reduced[left], self.reduced[right]
        if a.isdigit() and b == ".":
            after = self.reduced[right + 1 : right + 2]
            return after.isdigit()
        if a == "." and b.isdigit():
            return self.reduced[max(0, left - 1) : left].isdigit()
        both_digits = a.isdigit() and b.isdigit()
        both_latin = a.isascii() and b.isascii() and a.isalpha() and b.isalpha()
        return both_digits or both_latin


def locate(quotation: str, text: str) -> Span | None:
    """The first place of a quotation in a text; white space, width and case do not matter."""
    return Notes.of(text).find(quotation)


def _reduce(character: str) -> str:
    if character.isspace():
        return ""
    plain = unicodedata.normalize("NFKC", character).casefold()
    return "".join(one for one in plain.translate(_SAME) if not one.isspace())
