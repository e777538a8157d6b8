"""What the terminal says to a person in a chair, in both languages."""

from __future__ import annotations

from hospital.play.chinese import CHINESE
from hospital.play.english import ENGLISH
from hospital.play.phrases import PlayWords
from records.medical_record import Language

__all__ = ["NEVER_CARE", "PlayWords", "play_words"]

NEVER_CARE: dict[Language, str] = {
    "zh": "仅供研究与教学，不得用于诊疗。",
    "en": "For research and training. Never for care.",
}
_WORDS: dict[Language, PlayWords] = {"zh": CHINESE, "en": ENGLISH}


def play_words(language: Language) -> PlayWords:
    """The phrases of a language."""
    return _WORDS[language]
