"""Rank groups: letters that two doctors share exactly where they are not told apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def rank_groups(ranked: Sequence[str], apart: Collection[frozenset[str]]) -> dict[str, str]:
    """The compact letter display of a ranking (Piepho 2004, doi 10.1198/1061860043515).

    Args:
        ranked: distinct names, best first.
        apart: pairs of them that are told apart.

    Returns:
        By name, its letters: "a", "ab", "b" … Two names have a letter in common exactly if they are
        not in `apart`; the best has an "a".
    """
    place = {name: n for n, name in enumerate(ranked)}
    groups = [frozenset(ranked)]
    pairs = [sorted(pair, key=place.__getitem__) for pair in apart]
    for one, other in sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]])):
        split: list[frozenset[str]] = []
        for group in groups:
            both = one in group and other in group
            split += [group - {one}, group - {other}] if both else [group]
        groups = _largest(split)
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    return {
        name: "".join(_letters(n) for n, group in enumerate(groups) if name in group)
        for name in ranked
    }


def _largest(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that are in no other, each once."""
    distinct = list(dict.fromkeys(groups))
    return [one for one in distinct if not any(one < other for other in distinct)]


def _letters(n: int) -> str:
    """The n-th of a, b, … z, a1, b1, …: never two that could be read as one another."""
    return chr(ord("a") + n % 26) + (str(n // 26) if n >= 26 else "")
