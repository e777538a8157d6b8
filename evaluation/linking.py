"""How the diseases of marks are scored: who names them, by which terminology and protocols."""

from __future__ import annotations

from dataclasses import dataclass

from records.diseases.icd10 import default_terminology
from records.diseases.published_matching import PublishedMatcher
from records.diseases.rules_version import rules_version
from records.diseases.terminology import Terminology
from records.mark import Convention, Mark


@dataclass(frozen=True)
class Extraction:
    """Who names the diseases of a report."""

    model: str = ""
    """A model's spec; "" for our rules."""
    words: str = ""
    """Hash of what the model is asked with."""

    @property
    def name(self) -> str:
        """As it stands in `Mark.extraction`. The rules link what a model names."""
        rules = f"rules {rules_version()}"
        return f"{self.model} (words {self.words}, {rules})" if self.model else rules


BY_RULES = Extraction()


@dataclass(frozen=True)
class Linking:
    """One way of scoring diseases; the marks of a table are all made in one."""

    terminology: Terminology
    matcher: PublishedMatcher | None = None
    """None: protocol `code` alone."""
    convention: Convention = "strict"
    """What the marks are made for; the grades are the same under either."""
    extraction: Extraction = BY_RULES

    @classmethod
    def of(
        cls,
        terminology: Terminology | None = None,
        *,
        published: bool = False,
        convention: Convention,
        extraction: Extraction = BY_RULES,
    ) -> Linking:
        """Make one.

        Args:
            terminology: links names; `default_terminology()` if None.
            published: whether protocol `published` is scored too.
            convention: what the marks are made for.
            extraction: who names the diseases.
        """
        linker = terminology if terminology is not None else default_terminology()
        matcher = PublishedMatcher(linker.names) if published else None
        return cls(linker, matcher, convention, extraction)

    def made(self, mark: Mark) -> bool:
        """True if a mark's diseases were named and linked like this."""
        return (
            mark.terminology == self.terminology.hash
            and mark.extraction == self.extraction.name
            and (self.matcher is None or mark.diseases_published is not None)
        )
