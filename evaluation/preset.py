"""What a paper fixed, by name, and the fingerprint of a table: what its numbers depend on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from records.ledger import RunConfig
from records.mark import Convention
from records.medical_record import Paper, canonical_hash
from records.program import program_version
from records.visit import Protocol, Report, Unrecorded

Matching = Literal["code", "published"]

_HEADINGS = ("#诊断结果#", "#诊断依据#")


class Preset(Paper):
    """The choices of one publication, which `bench`, `mark` and `leaderboard` take under its name.

    `bench` takes protocol, unrecorded and max_turns; `mark` takes matching and convention;
    `leaderboard` takes convention and matching, and who counts in the disease scores.
    """

    name: str
    protocol: Protocol
    unrecorded: Unrecorded
    max_turns: int
    convention: Convention
    """`published`: a dimension that the judge was asked for and could not grade counts as D.
    `strict`: it is left out, and the share of graded visits is shown."""
    matching: Matching
    """Which of a mark's disease scores count: `Mark.diseases` or `Mark.diseases_published`."""
    literal_headings: bool
    """True: only reports for which `has_literal_headings` holds count in the disease scores."""


PRESETS: Mapping[str, Preset] = {
    "mvme-2024": Preset(
        name="mvme-2024",
        protocol="carried",
        unrecorded="normal",
        max_turns=10,
        convention="published",
        matching="published",
        literal_headings=True,
    ),
}
"""By name. `mvme-2024` is AI Hospital (arXiv 2402.09742) as its public code has it."""


def preset(name: str) -> Preset:
    """The preset of a name.

    Raises:
        ValueError: there is none; its text names those there are.
    """
    if name not in PRESETS:
        raise ValueError(f"no preset {name!r}; there is {', '.join(PRESETS)}")
    return PRESETS[name]


def has_literal_headings(report: Report | None) -> bool:
    """True if a report has the headings without which AI Hospital's code skips it, to the letter.

    It cuts the diagnosis out between `#诊断结果#` and `#诊断依据#`; a report in any other layout, a
    refusal and an unfinished one fall out of numerator and denominator alike.
    """
    return report is not None and all(heading in report.raw for heading in _HEADINGS)


def published_diagnosis(report: Report) -> str:
    """The text that AI Hospital's code takes for a report's diagnosis.

    Of a report with the literal headings, all between the first mention of 诊断结果 and the first
    of 诊断依据. Where a report names both in its opening sentence that is next to nothing, and so
    it counts. Of any other report, its diagnosis part.
    """
    if not has_literal_headings(report):
        return report.diagnosis
    result, basis = (report.raw.index(heading.strip("#")) for heading in _HEADINGS)
    cut = report.raw[result + len(_HEADINGS[0].strip("#")) : max(basis, result)]
    return cut.strip("# \n") or report.diagnosis


def fingerprint(
    config: RunConfig,
    *,
    judge: str | None,
    convention: Convention,
    matching: Matching,
    terminology: str,
    extraction: str = "",
    **others: object,
) -> str:
    """Name all that a table's numbers depend on; equal fingerprints may be compared.

    Args:
        config: of the run: its cases with their contents, what its visits share, the hash of its
            prompts, and the sources of the users' own Doctors.
        judge: whose marks; None where there are none.
        convention: how unscored grades count.
        matching: which disease scores.
        terminology: `Mark.terminology` of the marks; "" where it is not known.
        extraction: `Mark.extraction` of the marks; likewise.
        others: whatever else a table was made with (`seed`, `iterations`), JSON values.

    Returns:
        12 hexadecimal characters.
    """
    held = config.model_dump(mode="json", include={"shared", "cases", "sources", "trials"})
    parts = {
        "run": held,
        "judge": judge,
        "convention": convention,
        "matching": matching,
        "terminology": terminology,
        "extraction": extraction,
        "others": others,
        "version": program_version(),
    }
    return canonical_hash(parts)[:12]
