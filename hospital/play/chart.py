"""The chart: what is known so far, by what was said and found in the visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from hospital.play.hanging import labelled, spoken
from hospital.play.terminal import Terminal
from hospital.play.words import PlayWords, play_words
from records.medical_record import Examination, Finding, MedicalRecord
from records.visit import PATIENT, Message


@dataclass(frozen=True)
class Chart:
    """The facts and results that the messages of a visit stated, in the record's order."""

    said: tuple[Finding, ...]
    denied: tuple[Finding, ...]
    signs: tuple[Examination, ...]
    results: tuple[Examination, ...]

    @classmethod
    def of(cls, record: MedicalRecord, messages: Sequence[Message]) -> Chart:
        """Read off the messages."""
        facts = {i for message in messages for i in message.facts}
        found = {i for message in messages for i in message.examinations}
        known = [f for f in record.findings if f.id in facts]
        return cls(
            said=tuple(f for f in known if f.present),
            denied=tuple(f for f in known if not f.present),
            signs=tuple(e for e in record.physical_examination if e.id in found),
            results=tuple(e for e in record.auxiliary_examinations if e.id in found),
        )

    @property
    def empty(self) -> bool:
        """True if nothing is known."""
        return not (self.said or self.denied or self.signs or self.results)


def show_chart(
    terminal: Terminal, record: MedicalRecord, messages: Sequence[Message], *, tell_abnormal: bool
) -> None:
    """Show the chart.

    Args:
        terminal: where.
        record: the case.
        messages: of the visit so far.
        tell_abnormal: mark abnormal values; not in an examination.
    """
    words = play_words(record.language)
    chart = Chart.of(record, messages)
    terminal.show(Text(words.chart, style="bold underline"))
    opening = next((m.text for m in messages if m.role == PATIENT), None)
    if opening is not None:
        line = " ".join(opening.split())
        terminal.show(*spoken(words.complaint, line, plain=terminal.plain, style="bold"))
    elif chart.empty:
        terminal.show(words.nothing_known)
    for heading, findings in ((words.said, chart.said), (words.denied, chart.denied)):
        if findings:
            texts = (" ".join(f.text.split()) for f in findings)
            line = words.separator.join(dict.fromkeys(texts))
            terminal.show(*spoken(heading, line, plain=terminal.plain, style="bold"))
    for heading, examinations in ((words.signs, chart.signs), (words.results, chart.results)):
        if examinations and not terminal.plain:
            terminal.show(Text(heading, style="bold"))
        # A line that is heard alone says itself what it is.
        before = labelled(heading) if terminal.plain else "  "
        for examination in examinations:
            terminal.show(Text(before).append(_line(examination, words, tell_abnormal)))


def _line(examination: Examination, words: PlayWords, tell_abnormal: bool) -> Text:
    abnormal = tell_abnormal and examination.abnormal is True
    line = Text(labelled(examination.name))
    line.append(examination.reading, style="bold red" if abnormal else "")
    if examination.reference_range:
        line.append(f"  ({words.reference_range.format(range=examination.reference_range)})", "dim")
    if abnormal:
        # Not by colour alone.
        line.append(f"  [{words.abnormal}]", style="bold red")
    return line
