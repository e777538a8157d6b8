"""Read a Doctor's report in five parts from whatever shape a model gave it.

The shapes are those of the published reports (AI Hospital, arXiv 2402.09742) and of the providers'
habits: `#诊断结果#`, markdown headings, bold, numbered, `Diagnosis: …` inline, JSON with or without
a fence, tables. One grammar reads both languages; what it had to put up with is told in `repairs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from records.report_headings import HEADING_INLINE, Heading, part_of, read_heading
from records.report_refusals import declines, stated_diagnosis
from records.visit import REPORT_PARTS, Repair, Report

_MAX_JSON_STARTS = 20
_MAX_DEPTH = 6
_MAX_ROWS = 200
_LONGEST_LINE = 50_000
_LONGEST = 1_000_000
"""Characters that parts are looked for in; a longer reply is a loop, and `raw` keeps all of it."""

_THINK = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.S | re.I)
_THINK_END = re.compile(r"</think(?:ing)?>", re.I)
_THINK_START = re.compile(r"<think(?:ing)?>", re.I)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
_CLOSING_TAG = re.compile(r"</[A-Za-z_\u4e00-\u9fff ]{2,30}>\s*\Z")

_PLACEHOLDER = re.compile(
    r"(?:[\s*#•·\-、，,;；。]|[(（]?\d{1,2}[.、)）:：]|[xX×]{2,}|…|\.{3,}|_{2,})*+"
)
"""What stands in the parts of a form that was shown and not filled in."""


@dataclass(frozen=True)
class ReportReading:
    """A report as read: its parts, whether it is a refusal, and what had to be put up with."""

    report: Report
    """`raw` is the text as written, but for reasoning, which no other role may see, and lone
    surrogates, which are escaped since they are no text."""
    declined: bool
    """True if the Doctor says that it gives no diagnosis; an uncertain diagnosis is not that."""
    repairs: tuple[Repair, ...] = ()


def read_report(text: str) -> ReportReading:
    """Read a report of either language; the time is linear in the text's length.

    Args:
        text: The Doctor's answer to the request for a report.

    Returns:
        The five parts ("" where there is none), never an exception.
    """
    repairs: list[Repair] = []
    raw = _as_text(text, repairs)
    answer = _without_reasoning(raw, repairs)
    body = answer[:_LONGEST]
    if len(answer) > _LONGEST:
        repairs.append(Repair(kind="report_too_long", detail=f"{len(answer)} characters"))
    found = _from_json(body) if "{" in body else None
    if found is not None:
        repairs.append(Repair(kind="report_json"))
    else:
        found = _from_table(body) if body.count("|") >= 4 else None
        if found is not None:
            repairs.append(Repair(kind="report_table"))
        else:
            found = _from_lines(body, repairs)
    found = {part: told for part, told in found.items() if not _PLACEHOLDER.fullmatch(told)}
    if not found.get("diagnosis"):
        sentence = stated_diagnosis(body)
        if sentence:
            found["diagnosis"] = sentence
            repairs.append(Repair(kind="diagnosis_from_sentence"))
    missing = [part for part in REPORT_PARTS if not found.get(part)]
    if missing:
        repairs.append(Repair(kind="report_parts_missing", detail=", ".join(missing)))
    parts = {part: found.get(part, "") for part in REPORT_PARTS}
    return ReportReading(
        report=Report(**parts, raw=answer),
        declined=declines(parts["diagnosis"], body),
        repairs=tuple(repairs),
    )


def _as_text(text: str, repairs: list[Repair]) -> str:
    """Join surrogate pairs and escape lone ones, which neither UTF-8 nor pydantic takes."""
    if not _LONE.search(text):
        return text
    repairs.append(Repair(kind="surrogates_escaped"))
    joined = _PAIR.sub(
        lambda m: m.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text
    )
    return _LONE.sub(lambda m: f"\\u{ord(m.group()):04x}", joined)


def _without_reasoning(text: str, repairs: list[Repair]) -> str:
    """Cut `<think>` blocks, also one without its opener or without its end."""
    kept = text
    if _THINK_END.search(kept):
        # The last end counts where there is no opener before it; blocks never nest in practice.
        kept = _THINK.sub("", kept)
        *_, kept = _THINK_END.split(kept)
    opener = _THINK_START.search(kept)
    if opener:
        kept = kept[: opener.start()]
    if kept is not text and kept != text:
        repairs.append(Repair(kind="reasoning_removed"))
    return kept


# --- headings -----------------------------------------------------------------------------------


def _from_lines(text: str, repairs: list[Repair]) -> dict[str, str]:
    """Read the parts by their headings; {} if there are none."""
    found = _sections(_broken_at_marks(text).split("\n"))
    if len(found) < 2 and len(text) <= _LONGEST_LINE:
        inline = _sections(HEADING_INLINE.sub(r"\n\g<0>", text).split("\n"))
        if len(inline) > max(1, len(found)):
            repairs.append(Repair(kind="report_on_one_line"))
            found = inline
    return found


_LINE_OPENERS = (
    "\ufeff\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    " \t0123456789.、()（）-*•>#＃一二三四五六七八九十"
)
_MARKED_INLINE = re.compile(
    r"(?<=[^\n#＃*])(?=(?:[#＃][^#＃\n]{2,12}[#＃]|\*\*[^*\n]{2,30}\*\*[:：]))"
)


def _broken_at_marks(text: str) -> str:
    """Put a line break before `#…#` and `**…**:` in the middle of a line if it is a heading."""

    def broken(match: re.Match[str]) -> str:
        start = match.start()
        before = text[max(0, start - 12) : start].rpartition("\n")
        if (before[1] or start < 12) and not before[2].strip(_LINE_OPENERS):
            return ""  # Only a number or a bullet stands before it: the line is the heading's.
        return "\n" if read_heading(text[start : start + 60]) else ""

    return _MARKED_INLINE.sub(broken, text)


def _sections(lines: list[str]) -> dict[str, str]:
    headings = [(i, h) for i, line in enumerate(lines) if (h := read_heading(line))]
    headings = _of_one_style(headings)
    parts: dict[str, list[str]] = {}
    ends = [i for i, _ in headings[1:]] + [len(lines)]
    for (start, heading), end in zip(headings, ends, strict=False):
        content = "\n".join([heading.rest, *lines[start + 1 : end]])
        cleaned = _clean(content)
        pieces = parts.setdefault(heading.part, [])
        if cleaned and cleaned not in pieces[-20:]:
            pieces.append(cleaned)
    return {part: "\n".join(pieces) for part, pieces in parts.items() if pieces}


def _of_one_style(headings: list[tuple[int, Heading]]) -> list[tuple[int, Heading]]:
    """Keep the headings of the report, and not the labels inside its parts.

    A part's headings are those of its own highest level. An itemised label ("(1) 检查：…") is a
    heading only if no plainer style already divides the report.
    """
    best: dict[str, float] = {}
    by_level: dict[float, set[str]] = {}
    for _, heading in headings:
        best[heading.part] = max(best.get(heading.part, 0.0), heading.level)
        by_level.setdefault(heading.level, set()).add(heading.part)
    dividing = max((level for level, parts in by_level.items() if len(parts) >= 2), default=0.0)
    return [
        (i, h)
        for i, h in headings
        if h.level == best[h.part] and (h.level >= dividing or not h.itemised)
    ]


def _clean(content: str) -> str:
    lines = [_CLOSING_TAG.sub("", line).rstrip() for line in content.strip().split("\n")]
    kept = [
        line for line in lines if not re.fullmatch(r"\s*(?:```\w*|---+|\*\*\*+|===+|>)\s*", line)
    ]
    return "\n".join(kept).strip()


# --- JSON ---------------------------------------------------------------------------------------

_LOOSE = re.compile(r'"([^"\n]{1,60})"\s*:\s*"((?:[^"\\]|\\.)*)"?')
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def _from_json(text: str) -> dict[str, str] | None:
    """Read the first JSON object that has a report's parts; None if there is none."""
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    for _ in range(_MAX_JSON_STARTS):
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(text, start)
        except RecursionError:
            return None
        except ValueError:
            end = start + 1
        else:
            found = _parts_in(value, 0)
            if found:
                return found
        start = text.find("{", end)
    first = text.find("{")
    if text[:first].count("\n") > 20:
        return None
    try:
        value, _ = decoder.raw_decode(_TRAILING_COMMA.sub(r"\1", text[first:]))
    except (ValueError, RecursionError):
        value = {key: _unescaped(content) for key, content in _LOOSE.findall(text[first:])}
    return _parts_in(value, 0)


def _unescaped(content: str) -> str:
    return content.replace("\\n", "\n").replace('\\"', '"')


def _parts_in(value: object, depth: int) -> dict[str, str] | None:
    """Find the object whose keys are headings, also inside `{"report": {…}}`."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        merged: dict[str, str] = {}
        for item in value[:50]:
            for part, content in (_parts_in(item, depth + 1) or {}).items():
                merged.setdefault(part, content)
        return merged or None
    if not isinstance(value, dict):
        return None
    found: dict[str, list[str]] = {}
    for name, content in value.items():
        heading = part_of(str(name).replace("_", " "))
        readable = "\n".join(_readable(content, 0)).strip() if heading else ""
        if heading and readable:
            found.setdefault(heading, []).append(readable)
    if found:
        return {part: _as_text("\n".join(pieces), []) for part, pieces in found.items()}
    for content in value.values():
        inner = _parts_in(content, depth + 1)
        if inner:
            return inner
    return None


def _readable(value: object, depth: int) -> Iterable[str]:
    """Flatten a JSON value to lines: a list's items, an object's `key: value`."""
    if value is None or depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, content in value.items():
            lines = list(_readable(content, depth + 1))
            if len(lines) == 1:
                yield f"{key}: {lines[0]}"
            elif lines:
                yield f"{key}:"
                yield from lines
    elif isinstance(value, list):
        for item in value:
            lines = list(_readable(item, depth + 1))
            yield "; ".join(lines) if isinstance(item, dict) else "\n".join(lines)
    else:
        yield str(value)


# --- tables -------------------------------------------------------------------------------------


def _from_table(text: str) -> dict[str, str] | None:
    """Read a markdown table, headings down its first column or along its first row."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.split("\n")
        if line.count("|") >= 2 and not re.fullmatch(r"[\s|:\-]+", line)
    ][:_MAX_ROWS]
    down: dict[str, list[str]] = {}
    for row in rows:
        part = part_of(row[0]) if row else None
        content = " ".join(cell for cell in row[1:] if cell)
        if part and content:
            down.setdefault(part, []).append(content)
    if len(down) >= 2 and rows and sum(part_of(cell) is not None for cell in rows[0]) < 2:
        return {part: _unbroken("\n".join(cells)) for part, cells in down.items()}
    for i, row in enumerate(rows[:-1]):
        heads = [part_of(cell) for cell in row]
        if sum(head is not None for head in heads) >= 2:
            along: dict[str, list[str]] = {}
            for below in rows[i + 1 :]:
                for head, cell in zip(heads, below, strict=False):
                    if head and cell:
                        along.setdefault(head, []).append(cell)
            if along:
                return {part: _unbroken("\n".join(cells)) for part, cells in along.items()}
    return None


def _unbroken(cell: str) -> str:
    return re.sub(r"<br\s*/?>", "\n", cell)
