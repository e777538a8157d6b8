"""What providers write in their errors, in their own ways."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.model.error_wording import wait_in_words
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import failure_of, read_reply
from tests.scripted_endpoint import completion

QUOTA, RATE, FILTERED, REQUEST, TRANSIENT = (
    FailureKind.QUOTA,
    FailureKind.RATE_LIMIT,
    FailureKind.CONTENT_FILTERED,
    FailureKind.REQUEST,
    FailureKind.TRANSIENT,
)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, {"type": "insufficient_quota", "message": "check your plan"}, QUOTA),
        (429, {"message": "You exceeded your current quota, check plan and billing."}, QUOTA),
        (
            429,
            {"message": "You exceeded your current quota. Please retry in 34.07s.", "code": 429},
            RATE,
        ),
        (429, {"type": "exceeded_current_quota_error", "message": "suspended"}, QUOTA),
        (403, {"message": "Sorry, your account balance is insufficient"}, QUOTA),
        (429, {"code": "1113", "message": "您的账户已欠费，请充值后重试"}, QUOTA),
        (429, {"code": "1302", "message": "您当前使用该API的并发数过高"}, RATE),
        (400, {"code": "1301", "message": "系统检测到输入可能包含不安全或敏感内容"}, FILTERED),
        (400, {"code": "content_filter", "message": "content management policy"}, FILTERED),
        (400, {"message": "max_tokens is too large"}, REQUEST),
        (503, {"message": "overloaded"}, TRANSIENT),
    ],
)
def test_the_kind_is_what_the_words_say(
    status: int, error: dict[str, Any], kind: FailureKind
) -> None:
    assert failure_of(status, error).kind is kind


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Rate limit reached. Please try again in 20s.", 20),
        ("Please try again in 1m12s. Visit …", 72),
        ("Please try again in 350ms.", 0.35),
        ("Please retry in 34.07s", 34.07),
        ("try again in 6h3m0s", 21780),
        ("Retry after 5 seconds", 5),
        ("try again in 2 minutes", 120),
        ("Please try again later.", None),
        ("We retry in good faith, 20s at a time.", None),
    ],
)
def test_a_wait_is_read_out_of_the_message(message: str, seconds: float | None) -> None:
    assert wait_in_words(message) == (None if seconds is None else pytest.approx(seconds))
    waited = failure_of(429, {"message": message}).retry_after
    assert waited == wait_in_words(message)
    # What a header says goes before.
    assert failure_of(429, {"message": message}, 9.0).retry_after == 9.0


@given(st.text(alphabet="retry again in 0123456789.hms", max_size=60))
def test_any_message_is_read(message: str) -> None:
    wait = wait_in_words(message)
    assert wait is None or wait >= 0


@pytest.mark.parametrize("finish", ["content_filter", "SAFETY", "content_filter: BLOCKED"])
def test_a_reply_that_a_filter_ended_is_filtered(finish: str) -> None:
    with pytest.raises(ModelFailure) as caught:
        read_reply(completion(None, finish_reason=finish))
    assert caught.value.kind is FILTERED


def test_a_refusal_in_a_field_of_its_own_is_what_was_said() -> None:
    reply = read_reply(completion(None, refusal="I cannot give a diagnosis."))
    assert reply.text == "I cannot give a diagnosis."
    assert [repair.kind for repair in reply.repairs] == ["content_in_refusal"]
