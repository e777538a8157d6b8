"""Protocol `published`: two diseases are the same where they share a name of the ICD-10 table.

AI Hospital (arXiv 2402.09742) gives each extracted name its 10 best names out of the table by
fuzzy WRatio, keeps those of at least 50, and lets a prediction hit the first unused reference that
shares one of them. Most queries tie at the tenth place: ties go by table order here.

The search is exact and yet compares a query with few names. WRatio of two texts is at most what
their common characters allow, whatever their order; names that stay below the tenth best score so
far are never compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 10
"""Names that a disease is given."""
THRESHOLD = 50.0
"""WRatio from which a name counts."""
_LONGEST = 300
"""Characters of a query or a name; no disease's name is longer."""
_DENSE = 2000
"""Names that have a character often enough for a row of its own to be added faster."""
_FIRST = 24
"""Names at least that are compared before any is left out."""
_SLACK = 1e-6
"""Rounding of WRatio's doubles."""


class PublishedMatcher:
    """The names of a table, searched by WRatio; built once, it may be shared.

    Args:
        names: of the table in its order, which breaks ties; doublets count once.
    """

    def __init__(self, names: Sequence[str]) -> None:
        import numpy as np

        self._names = tuple(dict.fromkeys(name[:_LONGEST] for name in names if name.strip()))
        self._lengths = np.array([len(name) for name in self._names], dtype=np.int32)
        plain = [len(" ".join(name.split())) for name in self._names]
        self._widths = np.array(plain, dtype=np.int32)
        self._kinds, self._kind = _kinds(self._lengths, self._widths)
        self._rows, self._postings = self._characters()
        self._by_token = self._tokens()
        self._table = lru_cache(maxsize=None)(self._of_length)
        self._cached = lru_cache(maxsize=50_000)(self._search)

    def __len__(self) -> int:
        return len(self._names)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The 10 best names by WRatio, those of at least 50, best first, ties by table order."""
        return tuple(found for found, _ in self._cached(name[:_LONGEST]))

    def scored(self, name: str) -> tuple[tuple[str, float], ...]:
        """The candidates with their WRatio."""
        return self._cached(name[:_LONGEST])

    def overlap(
        self, predicted: Sequence[str], reference: Sequence[str]
    ) -> tuple[tuple[int, int], ...]:
        """One-to-one hits, as pairs (index in predicted, index in reference), in predicted order.

        A prediction hits the first unused reference that shares a candidate name.
        """
        known = [frozenset(self.candidates(name)) for name in reference]
        free = list(range(len(reference)))
        hits = []
        for i, name in enumerate(predicted):
            names = self.candidates(name)
            hit = next((j for j in free if not known[j].isdisjoint(names)), None)
            if hit is not None:
                free.remove(hit)
                hits.append((i, hit))
        return tuple(hits)

    def _search(self, name: str) -> tuple[tuple[str, float], ...]:
        import numpy as np

        if not name.strip() or not self._names:
            return ()
        bounds = self._bounds(name)
        # Names that share a word with the query may score more than their characters allow.
        for token in name.split():
            if token in self._by_token:
                bounds[self._by_token[token]] = 100
        counts = np.bincount(bounds, minlength=101)[::-1].cumsum()
        first = max(100 - int(np.searchsorted(counts, _FIRST)), int(THRESHOLD))
        found: list[tuple[float, int]] = []
        self._compare(name, np.flatnonzero(bounds >= first), found)
        least = found[CANDIDATES - 1][0] if len(found) >= CANDIDATES else THRESHOLD
        # A bound is rounded up, so one below the tenth score is of a name that cannot reach it.
        rest = np.flatnonzero((bounds >= least - _SLACK) & (bounds < first))
        self._compare(name, rest, found)
        return tuple((self._names[i], -score) for score, i in self._best(found))

    def _best(self, found: list[tuple[float, int]]) -> list[tuple[float, int]]:
        return sorted((-score, i) for score, i in found)[:CANDIDATES]

    def _compare(self, name: str, ids: NDArray[np.intp], found: list[tuple[float, int]]) -> None:
        """Add the names that score enough, the best first."""
        import numpy as np

        if not len(ids):
            return
        compared = [self._names[i] for i in ids.tolist()]
        scores = process.cdist(
            [name], compared, scorer=fuzz.WRatio, score_cutoff=THRESHOLD, dtype=np.float64
        )[0]
        kept = np.flatnonzero(scores)
        found.extend(zip(scores[kept].tolist(), ids[kept].tolist(), strict=True))
        found.sort(key=lambda one: (-one[0], one[1]))

    def _bounds(self, name: str) -> NDArray[np.uint8]:
        """By name, what WRatio is at most, rounded up.

        With m common characters, ratio is at most 2m / (length + length), and partial ratio, of
        windows no longer than the shorter text, at most 2m / (shorter + m).
        """
        import numpy as np

        common = np.zeros(len(self._names), dtype=np.uint8)
        seen: dict[str, int] = {}
        for char in name:
            nth = seen[char] = seen.get(char, 0) + 1
            row = self._rows.get((char, nth))
            if row is not None:
                common += row
            else:
                posting = self._postings.get((char, nth))
                if posting is not None:
                    common[posting] += 1
        table = self._table(len(name), len(" ".join(name.split())))
        found: NDArray[np.uint8] = table[common, self._kind]
        return found

    def _of_length(self, length: int, width: int) -> NDArray[np.uint8]:
        """The bounds of a query of some length: a row by common characters, a column by kind."""
        import numpy as np

        rows = [
            [_bound(m, length, width, other, plain) for other, plain in self._kinds]
            for m in range(length + 1)
        ]
        return np.array(rows, dtype=np.uint8)

    def _characters(
        self,
    ) -> tuple[dict[tuple[str, int], NDArray[np.uint8]], dict[tuple[str, int], NDArray[np.int32]]]:
        """Which names have a character for the nth time; a row over all names where many have."""
        import numpy as np

        lists: dict[tuple[str, int], list[int]] = {}
        for i, name in enumerate(self._names):
            seen: dict[str, int] = {}
            for char in name:
                nth = seen[char] = seen.get(char, 0) + 1
                lists.setdefault((char, nth), []).append(i)
        rows, postings = {}, {}
        for key, ids in lists.items():
            posting = np.array(ids, dtype=np.int32)
            if len(ids) >= _DENSE:
                row = np.zeros(len(self._names), dtype=np.uint8)
                row[posting] = 1
                rows[key] = row
            else:
                postings[key] = posting
        return rows, postings

    def _tokens(self) -> dict[str, NDArray[np.int32]]:
        import numpy as np

        lists: dict[str, list[int]] = {}
        for i, name in enumerate(self._names):
            for token in set(name.split()):
                lists.setdefault(token, []).append(i)
        return {token: np.array(ids, dtype=np.int32) for token, ids in lists.items()}


def _kinds(
    lengths: NDArray[np.int32], widths: NDArray[np.int32]
) -> tuple[list[tuple[int, int]], NDArray[np.intp]]:
    """The distinct (length, length with single spaces) of the names, and which a name has."""
    import numpy as np

    pairs: Iterable[tuple[int, int]] = zip(lengths.tolist(), widths.tolist(), strict=True)
    places: dict[tuple[int, int], int] = {}
    kind = [places.setdefault(pair, len(places)) for pair in pairs]
    return list(places), np.array(kind, dtype=np.intp)


def _bound(common: int, length: int, width: int, other: int, plain: int) -> int:
    """What WRatio of two texts is at most; see rapidfuzz.fuzz.WRatio for its parts."""
    if common == 0:
        return 0
    best = 2 * common / (width + plain)
    longer, shorter = max(length, other), min(length, other)
    if longer >= 1.5 * shorter:
        scale = 0.9 if longer <= 8 * shorter else 0.6
        least = min(width, plain)
        best = max(best, scale * 2 * common / (least + common))
    return min(100, int(100 * best - _SLACK) + 1)
