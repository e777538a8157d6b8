"""Chinese ways of asking, rewritten as the plain question that the reading rules know."""

from __future__ import annotations

import re

from records.facts.lexicon import load_lexicon

_OF_ILLNESS = re.compile(r"(?:方面)?的(?=疾病|毛病|问题|病(?!史))")
_A_NOT_A = re.compile(r"(?P<verb>[^\W有是能会要好可对])[不没](?P=verb)(?P<end>过?(?=[\W了]|$))?")
_BESIDES = re.compile(r"(?<!除)([^，,。？?除]{1,14}?)(?:以外|之外)(?=[，,]?(?:还|有))")
_HABIT = re.compile(r"([抽吸喝])了?((?:多少|几)[年月天包支根两斤瓶]?)的?([烟酒])")
_MARKER = re.compile(r"有没有|有无|是不是|是否")


def plain_chinese(sentence: str) -> str:
    """Write "verb-not-verb" as a plain question: 疼不疼 is 疼吗, 发没发烧 is 有没有发烧.

    "Besides X" gets the words that mark it in front.
    """

    def plain(match: re.Match[str]) -> str:
        verb, end = match["verb"], match["end"]
        return f"有没有{verb}" if end is None else f"{verb}{end}吗"

    if "除" not in sentence:
        sentence = _BESIDES.sub(r"除了\1以外，", sentence)
    sentence = _HABIT.sub(r"\1\3\2", sentence)
    return _A_NOT_A.sub(plain, _OF_ILLNESS.sub("", sentence))


def rejoined(clause: str) -> str:
    """Put together a word that 有没有 parts: 饭量有没有变大 names 饭量变大."""
    marker = _MARKER.search(clause)
    if marker is None or not marker.start():
        return clause
    at = marker.start()
    joined = clause[:at] + clause[marker.end() :]
    for mention in load_lexicon().mentions(joined, "zh"):
        if mention.start < at < mention.end:
            start = mention.start
            return joined[:start] + marker.group() + joined[start:]
    return clause
