"""One report out of several, by the votes of their linked diagnoses; no model decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.offline.checklist_words import checklist_words
from agents.offline.merged_facts import merge_facts, merged_lines
from records.conference import Facts
from records.diseases.disease_overlap import Linker, overlap, predicted_links
from records.mark import DiseaseLink
from records.medical_record import Language
from records.visit import Report


@dataclass
class Vote:
    """One disease with those who diagnose it."""

    disease: DiseaseLink
    """As first named."""
    voters: list[int] = field(default_factory=list)
    """Indices of the reports, in order."""
    places: list[int] = field(default_factory=list)
    """Where each lists it, from 0."""

    @property
    def rank(self) -> tuple[int, float, int]:
        """Orders by votes, then by the mean place in the lists, then by the first voter."""
        return (-len(self.voters), sum(self.places) / len(self.places), self.voters[0])


def count_votes(reports: Sequence[Report], language: Language, linker: Linker) -> list[Vote]:
    """The diseases that the reports diagnose, most votes first.

    Names are one disease where their ICD-10 categories are equal, as in the disease scores.
    """
    votes: list[Vote] = []
    for index, report in enumerate(reports):
        links = predicted_links(report.diagnosis, language, linker)
        known = dict(overlap(links, [vote.disease for vote in votes]))
        for place, link in enumerate(links):
            if place in known:
                vote = votes[known[place]]
            else:
                vote = Vote(link)
                votes.append(vote)
            vote.voters.append(index)
            vote.places.append(place)
    return sorted(votes, key=lambda vote: vote.rank)


def elected(votes: Sequence[Vote], doctors: int) -> list[Vote]:
    """What more than half of the Doctors diagnose; if nothing is, what has the most votes alone."""
    majority = [vote for vote in votes if 2 * len(vote.voters) > doctors]
    return majority or list(votes[:1])


def joint_report(
    reports: Sequence[Report],
    language: Language,
    linker: Linker,
    facts: Facts | None = None,
) -> str:
    """The report of the elected diagnoses.

    Symptoms and examinations are the settled facts, or what any report has; rationale and treatment
    are those of the first report for each elected diagnosis.

    Args:
        reports: at least one.
        language: of the reports.
        linker: links disease names.
        facts: the merged facts, where there are any.
    """
    words = checklist_words(language)
    chosen = elected(count_votes(reports, language, linker), len(reports))
    spokesmen = list(dict.fromkeys(vote.voters[0] for vote in chosen)) or [0]
    names = "\n".join(vote.disease.name for vote in chosen)
    if facts is None:
        facts = merge_facts(reports, (), language)
    parts = (
        facts.symptoms,
        facts.examinations,
        names or reports[0].diagnosis,
        merged_lines([reports[i].rationale for i in spokesmen], language),
        merged_lines([reports[i].treatment for i in spokesmen], language),
    )
    return "\n\n".join(
        f"{heading}\n{part.strip() or words.nothing}"
        for heading, part in zip(words.headings, parts, strict=True)
    )
