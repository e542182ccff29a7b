"""The rules, as properties: ranges, determinism, monotonicity, missing services, first days, all dark."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.canonical import sha256_of
from archive.city import CONDITIONS, DISTRICT_STATUSES, MOOD_LABELS, derive
from archive.city_inputs import Inputs, inputs_of, yesterday_of
from archive.metrics import SERVICES_BY_SLUG, SLUGS, Metric
from archive.norms import Norm, norm_of, normal_score, norms_of
from tests.archive.any_day import any_inputs, any_norm, number_of
from tests.archive.made import DAY, METRICS, readings, warm_norms


def ordinary(**states: str) -> Inputs:
    return Inputs(DAY.isoformat(), readings(**states), warm_norms())


def changed(inputs: Inputs, slug: str, **metrics: float) -> Inputs:
    reading = inputs.reading(slug)
    return replace(
        inputs, readings={**inputs.readings, slug: replace(reading, metrics={**reading.metrics, **metrics})}
    )


@settings(max_examples=150, deadline=None)
@given(any_inputs)
def test_every_number_keeps_to_its_range(inputs: Inputs) -> None:
    state = derive(inputs)
    city = state["city"]
    assert -100 <= city["mood"]["score"] <= 100
    assert city["mood"]["label"] in MOOD_LABELS
    assert city["weather"]["condition"] in CONDITIONS
    assert -10 <= city["weather"]["temperatureC"] <= 30
    assert 0 <= city["weather"]["windMs"] <= 20
    assert city["economy"]["index"] is None or 0 <= city["economy"]["index"] <= 100
    assert city["economy"]["changePct"] is None or -100 <= city["economy"]["changePct"] <= 1000
    assert 0 <= city["economy"]["confidence"] <= 100
    for name in ("load", "supply"):
        assert city["energy"][name] is None or 0 <= city["energy"][name] <= 100
    for name in ("safety", "culture", "learning"):
        assert city[name]["score"] is None or 0 <= city[name]["score"] <= 100
    population = city["population"]
    assert population["residents"] >= population["awake"] >= 0
    assert population["visitors"] >= 0
    for district in state["districts"]:
        assert all(0 <= district[name] <= 100 for name in ("activity", "lights", "traffic"))
        assert district["status"] in DISTRICT_STATUSES


@settings(max_examples=50, deadline=None)
@given(any_inputs)
def test_the_same_inputs_give_the_same_state(inputs: Inputs) -> None:
    assert sha256_of(derive(inputs)) == sha256_of(derive(replace(inputs)))


@settings(max_examples=50, deadline=None)
@given(any_inputs)
def test_the_state_can_be_derived_again_from_what_the_file_keeps(inputs: Inputs) -> None:
    signals = [
        {
            "service": slug,
            "state": reading.state,
            "raw": {"metrics": dict(reading.metrics)} if reading.is_heard else None,
        }
        for slug, reading in inputs.readings.items()
    ]
    document = {"date": inputs.date, "signals": signals, "inputs": inputs.norms_json()}
    assert derive(inputs_of(document)) == derive(inputs)


@settings(max_examples=50, deadline=None)
@given(any_inputs)
def test_balance_is_supply_less_load_and_a_brownout_a_negative_one(inputs: Inputs) -> None:
    energy = derive(inputs)["city"]["energy"]
    if energy["balance"] is None:
        assert energy["supply"] is None
        assert not energy["brownout"]
    else:
        assert energy["balance"] == energy["supply"] - energy["load"]
        assert energy["brownout"] == (energy["balance"] < 0)


@given(any_norm, st.integers(0, 10**12), st.integers(0, 10**12))
def test_more_of_a_metric_never_scores_less(norm: Norm, one: int, other: int) -> None:
    orders = SERVICES_BY_SLUG["market"].metric("orders")
    less, more = sorted((one, other))
    assert normal_score(orders, less, norm) <= normal_score(orders, more, norm)


@given(st.lists(st.integers(0, 10**9), min_size=7, max_size=40))
def test_the_median_day_scores_fifty(values: list[int]) -> None:
    metric = Metric("whatever", "", "number", 0, 10**9)
    norm = norm_of(metric, values)
    assert normal_score(metric, norm.median, norm) == pytest.approx(50)


@pytest.mark.parametrize("days", range(7))
def test_before_a_week_every_score_is_fifty_and_the_district_cold(days: int) -> None:
    norms = norms_of([METRICS_HEARD] * days)
    state = derive(Inputs(DAY.isoformat(), changed(ordinary(), "market", orders=10**9).readings, norms))
    assert [district["activity"] for district in state["districts"]] == [50] * 6
    assert all(district["cold"] for district in state["districts"])


METRICS_HEARD = {
    slug: {name: value for name, value in metrics.items() if not isinstance(value, list)}
    for slug, metrics in METRICS.items()
}


def test_after_a_week_the_norms_are_warm() -> None:
    norms = norms_of([METRICS_HEARD] * 7)
    state = derive(Inputs(DAY.isoformat(), changed(ordinary(), "market", orders=10**9).readings, norms))
    assert not any(district["cold"] for district in state["districts"])
    assert state["districts"][0]["activity"] > 50


def test_norms_look_back_twenty_eight_days() -> None:
    old = {"market": METRICS_HEARD["market"] | {"orders": 10**9}}
    norms = norms_of([METRICS_HEARD] * 28 + [old] * 300)
    assert norms["market.orders"].days == 28
    assert norms["market.orders"].mad == 0


def test_the_formula_of_the_norm_is_the_documented_one() -> None:
    metric = Metric("p95Ms", "", "number")
    assert normal_score(metric, 12, Norm(28, 10, 1)) == pytest.approx(50 + 40 / 1.9826)
    assert normal_score(metric, 0.3, Norm(28, 0.2, 0)) == pytest.approx(50 + 20 * 0.1 / 0.05)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_more_positive_reactions_never_darken_the_mood(one: int, other: int) -> None:
    less, more = sorted((one, other))
    moods = [
        derive(changed(ordinary(), "community", positive=count))["city"]["mood"]["score"]
        for count in (less, more)
    ]
    assert moods[0] <= moods[1]


@pytest.mark.parametrize(
    ("slug", "metric", "section", "name", "rises"),
    [
        ("market", "volumeKrw", "economy", "index", True),
        ("market", "upShare", "mood", "score", True),
        ("community", "negative", "mood", "score", False),
        ("community", "reports", "safety", "score", False),
        ("media", "views", "culture", "score", True),
        ("learning", "lessonsCompleted", "learning", "score", True),
        ("infra", "cpuPct", "energy", "load", True),
        ("infra", "errorRate", "energy", "supply", False),
    ],
)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_cause_moves_its_effect_one_way_only(
    data: Any, slug: str, metric: str, section: str, name: str, rises: bool
) -> None:
    declared = SERVICES_BY_SLUG[slug].metric(metric)
    less, more = sorted((data.draw(number_of(declared)), data.draw(number_of(declared))))
    before, after = (
        derive(changed(ordinary(), slug, **{metric: value}))["city"][section][name] for value in (less, more)
    )
    assert before <= after if rises else before >= after


def test_an_ordinary_day_is_in_the_middle() -> None:
    state = derive(ordinary())
    assert [district["activity"] for district in state["districts"]] == [50] * 6
    assert state["city"]["economy"] == {"index": 50, "changePct": None, "confidence": 100}


def test_a_missing_service_darkens_its_district_and_no_other() -> None:
    state = derive(ordinary(arena="missing"))
    by_id = {district["id"]: district for district in state["districts"]}
    assert by_id["arena"] == {
        "id": "arena", "name": "경기장", "activity": 0, "lights": 0, "traffic": 0, "status": "dark", "stale": False,
        "cold": False,
    }  # fmt: skip
    assert all(district["status"] == "open" for slug, district in by_id.items() if slug != "arena")


def test_the_terms_of_a_missing_service_drop_out_and_the_others_make_up_for_them() -> None:
    whole, partial = derive(ordinary()), derive(ordinary(media="missing"))
    assert partial["city"]["economy"]["index"] == whole["city"]["economy"]["index"] == 50
    assert partial["city"]["economy"]["confidence"] == 85


def test_a_stale_service_speaks_but_is_trusted_half() -> None:
    state = derive(ordinary(market="stale"))
    assert state["districts"][0]["stale"]
    assert state["districts"][0]["status"] == "open"
    assert state["city"]["economy"]["confidence"] == 65


def test_a_city_of_which_nothing_was_heard_is_dark_and_in_fog() -> None:
    state = derive(Inputs(DAY.isoformat(), {}))
    assert {district["status"] for district in state["districts"]} == {"dark"}
    assert state["city"]["weather"] == {"condition": "fog", "temperatureC": -10, "windMs": 0}
    assert state["city"]["mood"] == {"score": 0, "label": "unknown"}
    assert state["city"]["economy"]["index"] is None
    assert state["city"]["population"]["awake"] == 0


def test_residents_stay_while_nothing_is_heard() -> None:
    before = yesterday_of(derive(ordinary()))
    state = derive(Inputs(DAY.isoformat(), {}, yesterday=before))
    assert state["city"]["population"]["residents"] == before.residents


def test_lights_remember_yesterday() -> None:
    before = replace(yesterday_of(derive(ordinary())), lights=dict.fromkeys(SLUGS, 0))
    state = derive(replace(ordinary(), yesterday=before))
    assert [district["lights"] for district in state["districts"]] == [35] * 6  # .7 of 50


def test_busy_districts_feast_and_idle_ones_are_quiet() -> None:
    busy = dict.fromkeys(("activeTraders", "orders", "volumeKrw"), 10**14)
    assert derive(changed(ordinary(), "market", **busy))["districts"][0]["status"] == "festival"
    idle = dict.fromkeys(busy, 1)
    assert derive(changed(ordinary(), "market", **idle))["districts"][0]["status"] == "quiet"


def test_after_rain_and_in_good_spirits_there_is_a_rainbow() -> None:
    happy = changed(ordinary(), "community", positive=9000, negative=100)
    before = yesterday_of(derive(ordinary()))
    assert derive(replace(happy, yesterday=before))["city"]["weather"]["condition"] == "clear"
    rainy = replace(before, condition="rain")
    assert derive(replace(happy, yesterday=rainy))["city"]["weather"]["condition"] == "rainbow"


def test_low_spirits_are_rain_and_turmoil_a_storm() -> None:
    sad = changed(ordinary(), "community", positive=100, negative=9000)
    assert derive(sad)["city"]["weather"]["condition"] == "rain"
    wild = changed(changed(sad, "market", volatilityPct=90), "infra", p95Ms=60_000)
    assert derive(wild)["city"]["weather"]["condition"] == "storm"


def test_the_delta_is_today_less_yesterday() -> None:
    before = replace(yesterday_of(derive(ordinary())), economy=41, mood=-5, awake=11_000)
    state = derive(replace(ordinary(), yesterday=before))
    assert state["delta"]["economy"] == 9
    assert state["delta"]["mood"] == state["city"]["mood"]["score"] + 5
    assert state["delta"]["awake"] == state["city"]["population"]["awake"] - 11_000
    assert state["city"]["economy"]["changePct"] == 22


def test_on_the_first_day_nothing_has_changed_since() -> None:
    assert set(derive(ordinary())["delta"].values()) == {None}
