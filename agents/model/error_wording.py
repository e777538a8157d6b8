"""What the words of an endpoint's error say: what kind of failure, and how long to wait.

Statuses and codes differ from provider to provider, and several send 400 or 429 for all of it. The
signs are what OpenAI, Azure, DashScope, DeepSeek, Moonshot, SiliconFlow and Zhipu write, and Gemini
and Anthropic through their compatible endpoints.
"""

from __future__ import annotations

import re

from agents.model.model_failure import FailureKind

_FILTER = (
    "content_filter",
    "content filter",
    "datainspectionfailed",
    "data_inspection_failed",
    "content_policy_violation",
    "content management policy",
    "inappropriate content",
    "sensitive content",
    "responsibleaipolicyviolation",
    "prohibited_content",
    "敏感内容",
    "内容安全",
)
_QUOTA = (
    "insufficient_quota",
    "insufficient balance",
    "insufficient_balance",
    "balance is insufficient",
    "billing_hard_limit",
    "exceeded_current_quota_error",
    "arrearage",
    "credit balance is too low",
    "余额不足",
    "欠费",
)
_QUOTA_OR_RATE = "exceeded your current quota"
"""Of a limit a minute, too, where the endpoint says when to come back."""
_RATE = (
    "rate_limit",
    "rate limit",
    "too many requests",
    "throttling",
    "请求过于频繁",
    "访问量过大",
    "并发数过高",
)
_WAIT = re.compile(
    r"\b(?:retry|try again|wait) (?:in|after|for)? ?"
    r"(?=\d)(?:(?P<h>\d{1,4}) ?h(?:ours?)? ?)?(?:(?P<m>\d{1,5}) ?m(?:in(?:utes?)?)?(?!s) ?)?"
    r"(?:(?P<s>\d{1,6}(?:\.\d{1,9})?) ?s(?:ec(?:onds?)?)?)?(?:(?P<ms>\d{1,9}) ?ms)?",
    re.IGNORECASE,
)


def kind_in_words(words: str, wait: float | None) -> FailureKind | None:
    """The kind of failure that code, type and message name; None if they name none.

    Args:
        words: all three, in lower case.
        wait: seconds that the endpoint asks to wait, if it does.
    """
    if any(sign in words for sign in _QUOTA):
        return FailureKind.QUOTA
    if _QUOTA_OR_RATE in words:
        return FailureKind.QUOTA if wait is None else FailureKind.RATE_LIMIT
    if any(sign in words for sign in _FILTER):
        return FailureKind.CONTENT_FILTERED
    if any(sign in words for sign in _RATE):
        return FailureKind.RATE_LIMIT
    return None


def wait_in_words(message: str) -> float | None:
    """Seconds that a message asks to wait ("Please try again in 1m12s"); None if it names none."""
    found = _WAIT.search(message[:2000])
    if found is None:
        return None
    units = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
    told = [float(found[unit]) * seconds for unit, seconds in units.items() if found[unit]]
    return sum(told) if told else None
