"""Atomic findings of a history: each clause and each member of a list a fact of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from records.medical_record import HISTORY_SECTIONS, Finding, HistorySection, Language


def split_findings(
    sections: Mapping[HistorySection, str], language: Language
) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    pattern = re.compile(
        r"[^。！？；;\n，,、]+" if language == "zh" else r"(?:[^.!?;,\n]|\.(?=\d)|,(?=\d))+"
    )
    neg = re.compile(r"^\s*(?:无|未|否认|没有|没)|^\s*(?:no|denies|not|without|never)\b", re.I)
    for section in HISTORY_SECTIONS:
        text = sections.get(section, "") or ""
        stops = re.split(r"[。！？；;\n]", text)
        for m in pattern.finditer(text):
            t = m[0].strip()
            if not t:
                continue
            start = m.start() + m[0].index(t)
            absent = bool(neg.search(t))
            findings.append(
                Finding(
                    id=f"f{len(findings) + 1}",
                    symptom=neg.sub("", t).strip() or t,
                    present=not absent,
                    section=section,
                    text=t,
                    start=start,
                    end=start + len(t),
                )
            )
    return tuple(findings)
