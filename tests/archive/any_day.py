"""Inputs of any day that the city may have, for property tests."""

from hypothesis import strategies as st

from archive.city import CONDITIONS
from archive.city_inputs import Inputs, Reading, Yesterday
from archive.metrics import SERVICES, SLUGS, Metric, numeric_metrics
from archive.norms import Norm
from tests.archive.made import DAY


def number_of(metric: Metric) -> st.SearchStrategy[float]:
    """Whatever a service may state for a metric."""
    if metric.is_count:
        return st.integers(int(metric.low), int(metric.high))
    return st.floats(metric.low, metric.high, allow_nan=False)


@st.composite
def any_readings(draw: st.DrawFn) -> dict[str, Reading]:
    found = {}
    for service in SERVICES:
        state = draw(st.sampled_from(["ok", "ok", "ok", "stale", "missing"]))
        names = [metric for metric in service.metrics if metric.kind != "topics"]
        found[service.slug] = Reading(
            state, {metric.name: draw(number_of(metric)) for metric in names} if state != "missing" else {}
        )
    return found


any_norm = st.builds(Norm, st.integers(0, 28), st.floats(0, 40), st.floats(0, 10))
any_norms = st.fixed_dictionaries(
    {f"{service.slug}.{metric.name}": any_norm for service, metric in numeric_metrics()}
)
percent = st.integers(0, 100)
any_yesterday = st.one_of(
    st.none(),
    st.builds(
        Yesterday,
        date=st.just("2026-11-19"),
        residents=st.integers(0, 10**15),
        awake=st.integers(0, 10**15),
        mood=st.integers(-100, 100),
        economy=st.one_of(st.none(), percent),
        balance=st.one_of(st.none(), st.integers(-100, 100)),
        condition=st.sampled_from(CONDITIONS),
        lights=st.fixed_dictionaries(dict.fromkeys(SLUGS, percent)),
        activity=st.fixed_dictionaries(dict.fromkeys(SLUGS, percent)),
    ),
)
any_inputs = st.builds(
    Inputs, date=st.just(DAY.isoformat()), readings=any_readings(), norms=any_norms, yesterday=any_yesterday
)
