"""What of a streamed reply may be shown while it comes: the answer, without its reasoning."""

from __future__ import annotations

import re

from agents.model.model_reply import CLOSER, LONGEST_REPLY, OPENER, UNTAGGED, escaped

_TAG = re.compile(f"(?P<opener>{OPENER.pattern})|{CLOSER.pattern}", re.IGNORECASE)
_TAGS = (
    *(
        f"<{slash}{name}>"
        for slash in ("", "/")
        for name in ("think", "thinking", "thought", "reasoning")
    ),
    *("[think]", "[/think]", "◁think▷", "◁/think▷", "<|channel|>analysis<|message|>"),
    *("<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>"),
)
_LONGEST_TAG = max(map(len, _TAGS))
_HEADINGS = ("thinking process", "thought process", "思考过程")
_LONGEST_HEADING = 40
"""Characters of "Thinking Process:" with all that may decorate it."""


class DisplayFilter:
    """Lets the answer through as it comes; what is let through is for display and no record.

    Reasoning, its tags and the white space around the answer are held back, and so is whatever may
    yet turn out to be one of them. Reasoning under a mere heading ends nobody knows where before
    all is there: nothing is shown then.

    Args:
        reasons_untold: the model is known to reason first and to mark only the end of that.
    """

    def __init__(self, reasons_untold: bool = False) -> None:
        self.ended_untold = False
        """True once an end of reasoning came that had no beginning."""
        self._untold = self._thinking = reasons_untold
        self._silent = False
        self._held = ""
        self._waiting = ""
        self.shown = 0
        """Characters let through so far."""

    def feed(self, piece: str) -> str:
        """Take what came; returns what may be shown now."""
        self._held += piece
        shown = ""
        while not self._silent:
            tag = (CLOSER if self._thinking else _TAG).search(self._held)
            if tag is None:
                break
            before, self._held = self._held[: tag.start()], self._held[tag.end() :]
            if self._thinking:
                self._thinking = False
                self.ended_untold = self.ended_untold or self._untold
            elif tag["opener"]:
                shown += self._say(before)
                self._thinking, self._untold = True, False
            else:
                # All before it was reasoning, and some of that may have been shown.
                self.ended_untold = True
        if self._silent or self._thinking:
            self._held = self._held[-_LONGEST_TAG:]
            return shown
        safe = _without_begun_tag(self._held)
        shown += self._say(self._held[:safe])
        self._held = self._held[safe:]
        return shown

    def end(self) -> str:
        """What was held back and turned out to be none of that."""
        rest, self._held = "" if self._thinking else self._held, ""
        return "" if self._silent else self._say(rest, last=True)

    def _say(self, text: str, last: bool = False) -> str:
        text = self._waiting + text
        if not self.shown:
            text = text.lstrip()
            if UNTAGGED.match(text):
                self._silent = True
                return ""
            if not last and _may_be_heading(text):
                self._waiting = text
                return ""
        said = text.rstrip()
        self._waiting = text[len(said) :]
        said = said[: LONGEST_REPLY - self.shown]
        self.shown += len(said)
        return escaped(said)[0]


def _without_begun_tag(text: str) -> int:
    """Where the text ends that cannot belong to a tag of which only the beginning is there."""
    for start in range(max(0, len(text) - _LONGEST_TAG), len(text)):
        if text[start] in "<[◁":
            begun = text[start:].lower()
            if any(tag.startswith(begun) for tag in _TAGS):
                return start
    return len(text)


def _may_be_heading(text: str) -> bool:
    if len(text) > _LONGEST_HEADING:
        return False
    word = text.lstrip("*# \t").lower()
    return any(heading.startswith(word) or word.startswith(heading) for heading in _HEADINGS)
