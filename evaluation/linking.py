"""How the diseases of marks are scored: with which terminology, by which protocols."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from records.diseases.icd10 import default_terminology
from records.diseases.published_matching import PublishedMatcher
from records.diseases.terminology import Terminology
from records.mark import Convention, Mark


@dataclass(frozen=True)
class Linking:
    """One way of scoring diseases; the marks of a table are all made in one."""

    terminology: Terminology
    matcher: PublishedMatcher | None = None
    """None: protocol `code` alone."""
    convention: Convention = "strict"
    """What the marks are made for; the grades are the same under either."""

    @classmethod
    def of(
        cls, table: Path | None = None, *, published: bool = False, convention: Convention
    ) -> Linking:
        """Make one.

        Args:
            table: a file of ICD-10 codes and names; our own terminology if None.
            published: whether protocol `published` is scored too.
            convention: what the marks are made for.

        Raises:
            InputError: the table cannot be read.
        """
        terminology = Terminology.of_table(table) if table else default_terminology()
        matcher = PublishedMatcher(terminology.names) if published else None
        return cls(terminology, matcher, convention)

    def made(self, mark: Mark) -> bool:
        """True if a mark was linked like this."""
        return mark.terminology == self.terminology.hash and (
            self.matcher is None or mark.diseases_published is not None
        )
