"""Reading the names of examinations out of a text: tests, panels, and modality with region.

The same reading serves a doctor's request and the names in a record, so that both end up in the
same terms and can be compared (`records.examinations.requests`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from records.examinations.examination_lexicon import (
    ConceptKind,
    ExaminationLexicon,
    Mention,
    load_examination_lexicon,
    normalise,
)

IMAGING = "imaging_studies"


@dataclass(frozen=True)
class Named:
    """One examination named in a text."""

    start: int
    end: int
    """Where, in the normalised text."""
    concepts: tuple[str, ...] = ()
    """Tests, panels, categories or signs; several where one name joins them."""
    modality: str | None = None
    """Of an imaging study, an endoscopy or a biopsy."""
    regions: tuple[str, ...] = ()
    side: str | None = None
    """`left` or `right`, where the text says it."""
    inherited: bool = False
    """True if the regions were named elsewhere ("head CT or MRI")."""
    otherwise: tuple[str, ...] = ()
    """Concepts of the same name in another specimen, for a record that has only these."""
    scope: str = "result"
    """`result`; `physical`: the physical examination of `regions`; `organ`: its tests as well."""


_FILLER = (
    r"[\s的]|部位?|区域|位置|方面|相关|左侧?|右侧?|双侧?|一[个次下]|进行|再|做|行|复查|增强|平扫|"
    r"彩色|动态|急诊|床旁"
)
_JOIN = r"[、,，/和及与或]|以及|或者|还有|and|or|plus|&|\+"
_EN_SMALL = (
    r"the|your|my|his|her|their|patient's|a|an|both|left|right|entire|whole|scan|with|without|"
    r"contrast|plain|repeat|urgent"
)
_BEFORE = re.compile(rf"(?:{_FILLER}|{_JOIN}|\b(?:{_EN_SMALL})\b|\s)*", re.IGNORECASE)
_LIST_GAP = re.compile(rf"(?:\s|{_JOIN}|左侧?|右侧?|双侧?|\b(?:{_EN_SMALL})\b)*", re.IGNORECASE)
_OF = re.compile(
    r"\s*(?:scans?|imaging|images?|stud(?:y|ies)|views?|examination|exam)?\s*(?:of|for|on|to|"
    r"over)\s+"
    rf"(?:(?:{_EN_SMALL})\s+)*|\s*\(?(?:(?:{_EN_SMALL})\s+)*",
    re.IGNORECASE,
)
_ZH_AFTER = re.compile(r"(?:检查|扫描)?\s*[(:]?\s*(?:检查|看看|看)?(?:一下)?(?:左侧?|右侧?|双侧?)?")
_EXAM_AFTER = re.compile(
    r"(?:[部区]?(?:位|域)?)?(?:\s*(?:的|方面|系统|专科|相关|有关|功能|详细|全面|进一步|进行|"
    r"等))*\s*"
    r"(?P<noun>体格检查|物理检查|查体|体检|触诊|听诊|叩诊|视诊|指检|检查|检测|检验|化验|体征|结果)",
)
_EN_EXAM_AFTER = re.compile(
    r"\s+(?:system\s+|physical\s+|clinical\s+|bedside\s+)?(?P<noun>examinations?|exam|"
    r"auscultation|palpation|percussion|"
    r"inspection|assessment|evaluation|findings|signs|tests?|testing|work\s?up|investigations?|"
    r"stud(?:y|ies))\b",
    re.IGNORECASE,
)
_EXAM_BEFORE = re.compile(
    r"(?:(?:检查|查体|触诊|听诊|叩诊|视诊|查看|体格检查|触摸|听一?下|听听|摸一?下|按一?下|"
    r"叩一?下)(?:一下|下)?(?:您|你|患者|病人|"
    r"我)?的?(?:左侧?|右侧?|双侧?)?\s*$)|"
    r"(?:\bresults? (?:of|for|on)\s+(?:(?:the|your|my|his|her|both|left|right)\s+)*$)|"
    r"(?:\b(?P<verb>examine|palpate|auscultate|percuss|inspect|listen to|look at|check|"
    r"examination of|exam of|auscultation of|palpation of|inspection of|percussion of|"
    r"assessment of|evaluation of)"
    rf"\s+(?:(?:{_EN_SMALL})\s+)*$)",
    re.IGNORECASE,
)
_EXAM_NAME = re.compile(
    r"(?:exam|examination|evaluation)$|检查$|指[诊检]$|[肛阴妇内]检$", re.IGNORECASE
)
_PHYSICAL_NOUN = re.compile(
    r"查体|体检|体格|物理|诊$|指检|体征|exam|auscult|palpat|percuss|inspect|sign|finding|assess|"
    r"evaluat",
    re.IGNORECASE,
)
_WHETHER_AFTER = re.compile(
    r"\s*(?:里|上|内|中)?(?:面|部)?(?:到底|究竟|是|会)?(?:有没有|是否|是不是|有无|会不会|能不能|"
    r"好不好|怎么|正不正常|出|到底)|"
    r"\s*(?:and|to|for)\s+(?:tell|see|say|know|find|make sure|let)\b",
    re.IGNORECASE,
)
_ITEM_BEFORE = re.compile(
    rf"(?:^|[、,;:\n和及与]|\b(?:and|or)\b|\b(?:{_EN_SMALL})\b|左侧?|右侧?|双侧?|\s)\s*$",
    re.IGNORECASE,
)
_ITEM_AFTER = re.compile(r"\s*(?:$|[、,;。.!\n和及与]|and\b|or\b)|\s", re.IGNORECASE)
_SOUGHT = re.compile(
    r"(?:有没有|有无|是否有|是否存在|检查|查看|看看?|评估|测|"
    r"\b(?:any|is there|are there|check for|look for|presence of|assess for|signs? of|for))\s*$",
    re.IGNORECASE,
)
_SIDES = (("left", re.compile(r"左|\bleft\b", re.I)), ("right", re.compile(r"右|\bright\b", re.I)))
_WHOLE: tuple[ConceptKind, ...] = ("category", "panel", "test", "physical")


def read_names(
    text: str, *, specimen: str | None = None, lexicon: ExaminationLexicon | None = None
) -> tuple[Named, ...]:
    """Every examination that a text names, in order.

    A region of the body alone ("my knee hurts") is not an examination; with a modality ("knee
    X-ray") or an examining word ("examine the knee", "膝关节查体") it is.

    Args:
        text: in either language, as written.
        specimen: what the context analyses, see `ExaminationLexicon.mentions`.
        lexicon: other than the bundled one.
    """
    lexicon = lexicon or load_examination_lexicon()
    plain = normalise(text)
    return _Reading(plain, lexicon.mentions(plain, specimen)).named()


class _Reading:
    """One pass over the mentions of a text."""

    def __init__(self, text: str, mentions: tuple[Mention, ...]) -> None:
        self.text = text
        self.mentions = [m for m in mentions if not m.of_kind("unrelated")]
        self.spent: set[int] = set()

    def named(self) -> tuple[Named, ...]:
        found = [n for n in map(self._imaging, range(len(self.mentions))) if n]
        whole_first = sorted(
            range(len(self.mentions)), key=lambda i: not self.mentions[i].of_kind("physical")
        )
        found += [n for i in whole_first if i not in self.spent and (n := self._other(i))]
        found.sort(key=lambda n: (n.start, n.end))
        return self._share_regions(found)

    def _gap(self, left: int, right: int) -> str:
        return self.text[self.mentions[left].end : self.mentions[right].start]

    def _imaging(self, index: int) -> Named | None:
        mention = self.mentions[index]
        concept = next(iter(mention.of_kind("modality", "imaging")), None) or next(
            (c for c in mention.concepts if c.modality), None
        )
        if concept is None:
            return None
        self.spent.add(index)
        modality = concept.id if concept.kind == "modality" else concept.modality
        start, end = mention.start, mention.end
        if concept.regions:
            return Named(
                start, end, (concept.id,), modality, concept.regions, self._side(start, end)
            )
        regions: list[str] = []
        for other in self._regions_before(index):
            self.spent.add(other)
            regions = [*_regions(self.mentions[other]), *regions]
            start = self.mentions[other].start
        if not regions:
            for other in self._regions_after(index):
                self.spent.add(other)
                regions += _regions(self.mentions[other])
                end = self.mentions[other].end
        unique = tuple(dict.fromkeys(regions))
        return Named(start, end, (), modality, unique, self._side(start, end))

    def _regions_before(self, index: int) -> list[int]:
        taken: list[int] = []
        right = index
        while (left := right - 1) >= 0 and left not in self.spent:
            if not _regions(self.mentions[left]) or not _BEFORE.fullmatch(self._gap(left, right)):
                break
            taken.append(left)
            right = left
        return taken

    def _regions_after(self, index: int) -> list[int]:
        taken: list[int] = []
        left = index
        while (right := left + 1) < len(self.mentions) and _regions(self.mentions[right]):
            gap = self._gap(left, right)
            links = (_LIST_GAP,) if taken else (_OF, _ZH_AFTER)
            if not any(link.fullmatch(gap) for link in links) or self._leads_to_modality(right):
                break
            taken.append(right)
            left = right
        return taken

    def _leads_to_modality(self, index: int) -> bool:
        """True if a region belongs to a modality that comes after it ("…, chest X-ray")."""
        after = index + 1
        while after < len(self.mentions) and _BEFORE.fullmatch(self._gap(after - 1, after)):
            if self.mentions[after].of_kind("modality"):
                return True
            if not _regions(self.mentions[after]):
                return False
            after += 1
        return False

    def _other(self, index: int) -> Named | None:
        mention = self.mentions[index]
        start, end = mention.start, mention.end
        whole = mention.of_kind(*_WHOLE)
        signs = mention.of_kind("sign")
        regions = _regions(mention)
        if whole:
            others = tuple(c.id for c in mention.others)
            return self._physical_of_region(index) or Named(
                start, end, tuple(c.id for c in whole), otherwise=others
            )
        if not mention.concepts and (self._examining(index) or self._is_list_item(index)):
            return Named(start, end, otherwise=tuple(c.id for c in mention.others))
        specimens = mention.of_kind("specimen")
        if specimens and self._examining(index):
            tests = tuple(t for c in specimens for t in c.organ_tests)
            return Named(start, end, tests)
        if any(not c.symptom for c in signs) or (signs and self._is_sought(index)):
            return Named(start, end, tuple(c.id for c in signs))
        if not regions:
            return None
        said = _EXAM_NAME.search(self.text[start:end])
        examining = self._examining(index)
        if not said and examining is None and not self._is_list_item(index):
            return None
        if said or examining is None:
            noun = "exam"
        else:
            noun, start, end = examining
        unique = tuple(dict.fromkeys(regions))
        # "神经系统检查" is a part of the physical examination, as "neurological exam" is.
        signs_alone = _PHYSICAL_NOUN.search(noun) or (
            unique == ("neuro",) and re.fullmatch(r"的?检查", self.text[mention.end : end].strip())
        )
        scope = "physical" if signs_alone else "organ"
        return Named(start, end, (), None, unique, self._side(start, end), scope=scope)

    def _physical_of_region(self, index: int) -> Named | None:
        """A physical examination of some regions alone ("腹部查体")."""
        mention = self.mentions[index]
        if not any(c.id in ("physical", "specialist_exam") for c in mention.concepts):
            return None
        around = self._regions_before(index) or self._regions_after(index)
        if not around:
            return None
        self.spent.update(around)
        regions = [r for i in sorted(around) for r in _regions(self.mentions[i])]
        places = [mention, *(self.mentions[i] for i in around)]
        start, end = min(m.start for m in places), max(m.end for m in places)
        unique = tuple(dict.fromkeys(regions))
        return Named(start, end, (), None, unique, self._side(start, end), scope="physical")

    def _is_list_item(self, index: int) -> bool:
        """True for a region in a list of examinations ("血常规、咽部、胸片"), or all alone."""
        first = last = index
        while first > 0 and _LIST_GAP.fullmatch(self._gap(first - 1, first)):
            first -= 1
            if not _regions(self.mentions[first]):
                break
        while last + 1 < len(self.mentions) and _LIST_GAP.fullmatch(self._gap(last, last + 1)):
            last += 1
            if not _regions(self.mentions[last]):
                break
        before = self.text[: self.mentions[index].start]
        after = self.text[self.mentions[index].end :]
        if not (_ITEM_BEFORE.search(before) and _ITEM_AFTER.match(after)):
            return False
        listed = any(not _regions(self.mentions[i]) for i in (first, last))
        around = self.text[: self.mentions[first].start] + self.text[self.mentions[last].end :]
        return listed or not re.search(r"\w", around)

    def _is_sought(self, index: int) -> bool:
        """True if a sign that is also a complaint ("edema") is asked for, not told of."""
        mention = self.mentions[index]
        if self._examining(index) or _SOUGHT.search(self.text[: mention.start]):
            return True
        rest = self.text[: mention.start] + self.text[mention.end :]
        return not re.search(r"\w", rest)

    def _examining(self, index: int) -> tuple[str, int, int] | None:
        """The word that makes an examination of a region, and where the whole name is.

        It stands after the region or a list of regions ("心、肺和腹部检查"), or before it.
        """
        first = last = index
        while last + 1 < len(self.mentions) and self._listed(last + 1):
            last += 1
            if self.mentions[last].of_kind("category"):
                # "血液和尿液检查": the category's own word serves the specimens before it.
                return "检查", self.mentions[index].start, self.mentions[index].end
        start, end = self.mentions[index].start, self.mentions[index].end
        rest = self.text[self.mentions[last].end :]
        after = _EXAM_AFTER.match(rest) or _EN_EXAM_AFTER.match(rest)
        if after:
            if last == index:
                end += after.end()
            return after.group("noun"), start, end
        if _WHETHER_AFTER.match(rest):
            return None
        while (
            first > 0 and self._listed(first) and not self.mentions[first - 1].of_kind("category")
        ):
            first -= 1
        before = _EXAM_BEFORE.search(self.text[: self.mentions[first].start])
        if before is None:
            return None
        return "results" if "result" in before.group().lower() else "exam", start, end

    def _listed(self, index: int) -> bool:
        """True if the mention continues the list of regions or specimens before it."""
        if index in self.spent or not _LIST_GAP.fullmatch(self._gap(index - 1, index)):
            return False
        here, before = self.mentions[index], self.mentions[index - 1]
        if before.of_kind("specimen"):
            return bool(here.of_kind("specimen", "category"))
        return bool(_regions(here) and _regions(before))

    def _side(self, start: int, end: int) -> str | None:
        around = self.text[max(0, start - 7) : end]
        around = (
            re.split(r"[,，。;；、\n]", around[: start - max(0, start - 7)])[-1]
            + self.text[start:end]
        )
        sides = [side for side, words in _SIDES if words.search(around)]
        return sides[0] if len(sides) == 1 else None

    def _share_regions(self, found: list[Named]) -> tuple[Named, ...]:
        """A scan without a region has that of the scan it is joined to ("头部CT或MRI")."""
        shared = list(found)
        for i in range(1, len(shared)):
            if self._gives_region(shared[i - 1], shared[i]):
                shared[i] = _inherit(shared[i], shared[i - 1])
        for i in range(len(shared) - 2, -1, -1):
            # "CT or MRI of the head"; in "CT, head MRI" nothing reaches back.
            of = re.search(r"\b(?:of|for|on)\b", self.text[shared[i + 1].start : shared[i + 1].end])
            if of and self._gives_region(shared[i + 1], shared[i]):
                shared[i] = _inherit(shared[i], shared[i + 1])
        return tuple(shared)

    def _gives_region(self, giver: Named, taker: Named) -> bool:
        left, right = sorted((giver, taker), key=lambda n: n.start)
        if taker.modality not in _SCANS or taker.regions or not giver.regions:
            return False
        if not giver.modality or not _JOINED.fullmatch(self.text[left.end : right.start]):
            return False
        if not giver.concepts:
            return giver.modality in _SCANS
        # "胸部X光或CT" says the region, "胸片" only means it.
        lexicon = load_examination_lexicon()
        said = normalise(self.text[giver.start : giver.end]).lower()
        names = [n for r in giver.regions for n in lexicon[r].zh[:1] + lexicon[r].en[:1]]
        return any(said.startswith(n) for n in names)


def _inherit(taker: Named, giver: Named) -> Named:
    return replace(taker, regions=giver.regions, side=giver.side, inherited=True)


_SCANS = (IMAGING, "ct", "mri", "xray", "ultrasound", "cta", "mra", "pet_ct")
_JOINED = re.compile(
    r"\s*(?:检查|扫描|scans?)?\s*(?:[、/和及与或&+]|以及|或者|还有|and|or|plus)\s*(?:an?|the)?\s*",
    re.IGNORECASE,
)


def _regions(mention: Mention) -> list[str]:
    regions = [c.id for c in mention.of_kind("region")]
    return [r for r in regions if r != "general_exam"] or regions
