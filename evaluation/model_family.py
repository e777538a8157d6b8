"""The family of a model: whose relatives a judge might favour."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FAMILIES: tuple[tuple[str, str], ...] = (
    ("gpt", r"gpt|chatgpt|o[134](?:-mini|-pro|-preview)?(?![a-z0-9])|davinci|openai"),
    ("claude", r"claude|anthropic"),
    ("qwen", r"qwen|qwq|qvq|tongyi"),
    ("deepseek", r"deepseek"),
    ("glm", r"glm|chatglm|zhipu"),
    ("gemini", r"gemini|gemma"),
    ("llama", r"llama|vicuna|alpaca|meditron"),
    ("mistral", r"mistral|mixtral|magistral|ministral|codestral"),
    ("ernie", r"ernie|wenxin"),
    ("kimi", r"kimi|moonshot"),
    ("doubao", r"doubao|seed"),
    ("hunyuan", r"hunyuan"),
    ("baichuan", r"baichuan"),
    ("yi", r"yi"),
    ("minimax", r"minimax|abab"),
    ("grok", r"grok"),
    ("phi", r"phi"),
    ("command", r"command|aya"),
    ("internlm", r"internlm"),
    ("huatuogpt", r"huatuo"),
    ("nova", r"nova"),
)
_PATTERNS = tuple((name, re.compile(rf"(?<![a-z])(?:{words})")) for name, words in _FAMILIES)


def families_of(names: Iterable[str]) -> frozenset[str]:
    """The families in specs and names of models; a model distilled from another is of both.

    A spec's address and parameters name nobody: `https://host/v1#qwen-max?seed=1` is of `qwen`,
    whatever the host is called. A name that tells no family gives none.
    """
    return frozenset(family for name in names for family in _families(_model_of(name)))


def _model_of(name: str) -> str:
    """The model's own name in a spec: behind the #, or behind the provider's slash."""
    text = name.lower()
    if "#" in text:
        text = text.split("#", 1)[1]
    return text.split("?", 1)[0]


def _families(model: str) -> list[str]:
    # A provider's name before the slash may be that of a family whose model is another's:
    # "deepseek/…" offers its own, but "openai/…" at a gateway may be anything after more slashes.
    last = model.rsplit("/", 1)[-1]
    found = [family for family, pattern in _PATTERNS if pattern.search(last)]
    return found or [family for family, pattern in _PATTERNS if pattern.search(model)]
