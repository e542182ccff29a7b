"""What a service may say, and what is kept of it."""

import json
from contextlib import nullcontext, suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.metrics import SLUGS
from archive.models import Signal, SisterService
from archive.signals import (
    SignalRefused,
    check_signature,
    final_signals,
    parse,
    raw_of,
    signature_of,
    store,
)
from tests.archive.made import DAY, METRICS, MIDNIGHT, body_of, raw_signal, say, sealed


def parsed(body: bytes, slug: str = "market") -> Any:
    return parse(body, slug=slug, day=DAY, now=MIDNIGHT)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_declared_signal_is_believed(slug: str) -> None:
    signal = parsed(body_of(raw_signal(slug)), slug)
    assert (signal.slug, signal.day, signal.complete) == (slug, DAY, True)


def test_keys_that_nobody_declared_stay_in_the_signal() -> None:
    raw = raw_signal("market", mood="좋음", metrics={"unheardOf": [1, {"deep": None}]})
    assert parsed(body_of(raw)).raw == raw


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"schemaVersion": 2}, "schemaVersion"),
        ({"service": "media"}, "service"),
        ({"day": "2026-11-19"}, "day"),
        ({"complete": "true"}, "complete"),
        ({"complete": 1}, "complete"),
        ({"generatedAt": "2026-11-20T10:00:00"}, "generatedAt"),
        ({"generatedAt": "yesterday"}, "generatedAt"),
        ({"generatedAt": 1}, "generatedAt"),
        ({"generatedAt": "2026-11-21T09:00:00+09:00"}, "generatedAt"),
        ({"generatedAt": "2026-11-19T23:59:59+09:00"}, "generatedAt"),
        ({"generatedAt": "2026-11-20T00:00:00+10:00"}, "generatedAt"),
        ({"generatedAt": "0001-01-01T00:00:00+09:00"}, "generatedAt"),
        ({"generatedAt": "9999-12-31T23:59:59-09:00"}, "generatedAt"),
        ({"schemaVersion": True}, "schemaVersion"),
        ({"metrics": {"orders": -1}}, "metrics.orders"),
        ({"metrics": {"orders": 1.5}}, "metrics.orders"),
        ({"metrics": {"orders": True}}, "metrics.orders"),
        ({"metrics": {"orders": "40000"}}, "metrics.orders"),
        ({"metrics": {"orders": 10**16}}, "metrics.orders"),
        ({"metrics": {"upShare": 1.01}}, "metrics.upShare"),
        ({"metrics": {"volatilityPct": 100.1}}, "metrics.volatilityPct"),
        ({"metrics": {"volatilityPct": None}}, "metrics.volatilityPct"),
        ({"metrics": {"upShare": True}}, "metrics.upShare"),
        ({"highlights": [{"label": "l", "value": 1}] * 6}, "highlights"),
        ({"highlights": [{"label": "l"}]}, "highlights"),
        ({"highlights": [{"label": "l" * 81, "value": 1}]}, "highlights"),
        ({"highlights": {"label": "l", "value": 1}}, "highlights"),
        ({"highlights": [{"label": "l", "value": True}]}, "highlights"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(SignalRefused, match=f"^{field}:"):
        parsed(body_of(raw_signal("market", **changes)))


@pytest.mark.parametrize(
    ("generated_at", "asked_after", "believed"),
    [
        ("2026-11-20T00:00:00+09:00", timedelta(), True),
        ("2026-11-19T15:00:00Z", timedelta(), True),
        ("2026-11-21T00:00:05+09:00", timedelta(seconds=5), True),
        ("2026-11-21T23:45:00+09:00", timedelta(hours=23, minutes=45), True),
        ("2026-11-22T00:00:00+09:00", timedelta(days=3), False),
    ],
)
def test_a_signal_is_made_on_its_day_or_while_the_archive_still_asks_for_it(
    generated_at: str, asked_after: timedelta, believed: bool
) -> None:
    body = body_of(raw_signal("market", generatedAt=generated_at))
    with nullcontext() if believed else pytest.raises(SignalRefused, match=r"^generatedAt: .*2026-11-20"):
        parse(body, slug="market", day=DAY, now=MIDNIGHT + asked_after)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_declared_metric_must_be_there(slug: str) -> None:
    for name in METRICS[slug]:
        raw = raw_signal(slug)
        del raw["metrics"][name]
        with pytest.raises(SignalRefused, match=rf"metrics\.{name}: is missing"):
            parsed(body_of(raw), slug)


@pytest.mark.parametrize("topics", [None, [1], [{"id": "a"}], [{"id": 1, "n": 1}], [{"id": "a", "n": -1}],
                                    [{"id": "a", "n": True}], [{"id": "a", "n": 1}] * 21])  # fmt: skip
def test_topics_are_ids_with_counts(topics: Any) -> None:
    with pytest.raises(SignalRefused, match="topTopics"):
        parsed(body_of(raw_signal("media", metrics={"topTopics": topics})), "media")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe{}",
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": "\\ud800"}',
        b"[" * 100_000,
        b'{"pad": "' + b"x" * 300_000 + b'"}',
    ],
)
def test_what_is_no_plain_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(SignalRefused, match=r"^body:"):
        parsed(body)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(max_size=12), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=8,
), max_size=6))  # fmt: skip
def test_whatever_comes_is_believed_or_refused_and_never_a_crash(changes: dict[str, Any]) -> None:
    raw = raw_signal("market") | changes
    # A refusal is the only way out but belief.
    with suppress(SignalRefused):
        assert parsed(json.dumps(raw).encode("utf-8", "surrogatepass")).raw["metrics"]["orders"] >= 0


def test_only_the_signature_of_these_very_bytes_is_accepted() -> None:
    body = body_of(raw_signal("market"))
    good = signature_of(body, "secret")
    check_signature(body, "secret", good)
    check_signature(body, "secret", f"sha256={good.upper()}")
    for wrong in ("", "0" * 64, good[:-1], f"{good}0", "가" * 64, signature_of(body, "other")):
        with pytest.raises(SignalRefused, match="signature"):
            check_signature(body, "secret", wrong)
    with pytest.raises(SignalRefused):
        check_signature(body + b" ", "secret", good)
    with pytest.raises(SignalRefused):
        check_signature(body, "", signature_of(body, ""))


@pytest.mark.django_db
def test_the_same_body_is_kept_once_and_another_is_a_new_revision() -> None:
    first, again = say("market"), say("market")
    other = say("market", metrics={"orders": 41_000})
    assert again.pk == first.pk
    assert (first.revision, other.revision) == (1, 2)
    assert bytes(first.body) == body_of(raw_signal("market"))


@pytest.mark.django_db
def test_the_last_complete_signal_before_the_seal_wins() -> None:
    say("market", metrics={"orders": 1})
    say("market", metrics={"orders": 2})
    say("market", metrics={"orders": 3}, complete=False)
    say("market", metrics={"orders": 4}, at=MIDNIGHT + timedelta(hours=1))
    chosen = final_signals(DAY, rehearsal=False, received_by=MIDNIGHT)
    assert raw_of(chosen["market"])["metrics"]["orders"] == 2


@pytest.mark.django_db
def test_rehearsed_and_real_signals_do_not_see_each_other() -> None:
    say("market", rehearsal=True, metrics={"orders": 1})
    assert final_signals(DAY, rehearsal=False, received_by=MIDNIGHT) == {}
    assert say("market", metrics={"orders": 1}).revision == 1


@pytest.mark.django_db
def test_what_comes_after_the_seal_is_kept_and_flagged() -> None:
    sealed()
    late = say("market", at=MIDNIGHT + timedelta(hours=2), metrics={"orders": 7})
    assert late.late
    assert not Signal.objects.exclude(pk=late.pk).filter(late=True).exists()


@pytest.mark.django_db
def test_the_six_services_are_there_from_the_start_and_switched_off() -> None:
    assert list(SisterService.objects.values_list("slug", flat=True)) == list(SLUGS)
    assert not SisterService.objects.filter(active=True).exists()


@pytest.mark.django_db
def test_storing_gives_the_row(django_assert_max_num_queries: Any) -> None:
    service = SisterService.objects.get(slug="infra")
    signal = parsed(body_of(raw_signal("infra")), "infra")
    with django_assert_max_num_queries(8):
        assert store(service, signal, now=MIDNIGHT).sha256
