"""The examinations that a request or an order names, without the groups that only lead to them."""

from __future__ import annotations

import re
from dataclasses import replace

from records.examinations.examination_lexicon import load_examination_lexicon
from records.examinations.examination_reading import IMAGING, Named, read_names
from records.examinations.request_wording import ALL_OF_IT, CLOSING, NARROWING

_TREATMENT = re.compile(
    r"\s*(?:注射|治疗|疗法|静滴|静脉滴注|制剂|补充|injections?\b|infusions?\b|therap|treatment|"
    r"replacement|supplement)",
    re.IGNORECASE,
)
"""After the name of a substance: it is given, not measured ("insulin injections")."""


def requested_names(request: str) -> list[Named]:
    """What a request names, in order.

    Args:
        request: the text, normalised and stripped of all that is no request.
    """
    names = [n for n in read_names(request) if not _TREATMENT.match(request, n.end)]
    return _narrowed(_specific(names, request), request)


def _specific(wanted: list[Named], request: str) -> list[Named]:
    """Without the widest groups where all of them is asked for: that names nothing."""
    if not ALL_OF_IT.search(request):
        return wanted
    lexicon = load_examination_lexicon()
    specific = [n for n in wanted if not (n.concepts and all(lexicon[c].broad for c in n.concepts))]
    # "All imaging, all labs, everything": a wide group beside the widest says no more than they do.
    only_wide = all(n.modality == IMAGING and not n.regions for n in specific)
    return [] if len(specific) < len(wanted) and only_wide else specific


def _narrowed(wanted: list[Named], request: str) -> list[Named]:
    """Without the groups whose members are then named: "blood tests such as CBC and CRP"."""
    kept: list[Named] = []
    regions: tuple[str, ...] = ()
    for i, named in enumerate(wanted):
        before = wanted[i - 1] if i else None
        after = wanted[i + 1] if i + 1 < len(wanted) else None
        if before and _says_again(before, named, request):
            continue
        if is_wide(named):
            if after and NARROWING.fullmatch(request[named.end : after.start]):
                regions = named.regions
                continue
            if before and CLOSING.fullmatch(request[before.end : named.start]):
                continue
            regions = ()
        elif regions and named.modality and not named.regions:
            # "Imaging of the head (CT or MRI)": of the head, both.
            named = replace(named, regions=regions, inherited=True)
        else:
            regions = ()
        kept.append(named)
    return kept


def _says_again(before: Named, named: Named, request: str) -> bool:
    """True for the abbreviation in brackets after a name: "magnetic resonance imaging (MRI)"."""
    if not re.fullmatch(r"\s*\(\s*", request[before.end : named.start]):
        return False
    same = named.modality == before.modality if named.modality else False
    return (same and not named.regions) or (named.concepts == before.concepts != ())


def is_wide(named: Named) -> bool:
    """True for a group or an organ, which may be followed by what of it is meant."""
    lexicon = load_examination_lexicon()
    wide = any(lexicon[c].kind in ("category", "physical") for c in named.concepts)
    return wide or named.modality in (IMAGING, "endoscopy") or named.scope == "organ"
