"""What the rules read, and how the day file keeps it so that anybody can run them again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from archive.metrics import SERVICES_BY_SLUG
from archive.norms import Norm

SignalState = Literal["ok", "stale", "missing"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was heard of a service. Stale metrics are those of a day or two before."""

    state: SignalState = "missing"
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_heard(self) -> bool:
        return self.state != "missing"


@dataclass(frozen=True, slots=True)
class Yesterday:
    """What today needs of the state of the day before."""

    date: str
    residents: int
    awake: int
    mood: int
    economy: int | None
    balance: int | None
    condition: str
    lights: Mapping[str, int]
    activity: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the rules read. ``norms`` are keyed ``service.metric``; readings and norms may be incomplete."""

    date: str
    readings: Mapping[str, Reading]
    norms: Mapping[str, Norm] = field(default_factory=dict)
    yesterday: Yesterday | None = None

    def reading(self, slug: str) -> Reading:
        return self.readings.get(slug, Reading())

    def norms_json(self) -> dict[str, Any]:
        """What cannot be read off the signals, as the day file keeps it."""
        return {
            "norms": {key: asdict(norm) for key, norm in self.norms.items()},
            "yesterday": asdict(self.yesterday) if self.yesterday else None,
        }


def yesterday_of(state: Mapping[str, Any]) -> Yesterday:
    """What tomorrow needs of a state."""
    city, districts = state["city"], state["districts"]
    return Yesterday(
        date=state["date"],
        residents=city["population"]["residents"],
        awake=city["population"]["awake"],
        mood=city["mood"]["score"],
        economy=city["economy"]["index"],
        balance=city["energy"]["balance"],
        condition=city["weather"]["condition"],
        lights={district["id"]: district["lights"] for district in districts},
        activity={district["id"]: district["activity"] for district in districts},
    )


def inputs_of(document: Mapping[str, Any]) -> Inputs:
    """The inputs that a day file keeps, so that anybody can run the rules again."""
    kept = document["inputs"]
    return Inputs(
        date=document["date"],
        readings={
            entry["service"]: Reading(entry["state"], numbers_of(entry["service"], entry["raw"]))
            for entry in document["signals"]
        },
        norms={key: Norm(**norm) for key, norm in kept["norms"].items()},
        yesterday=Yesterday(**kept["yesterday"]) if kept["yesterday"] else None,
    )


def numbers_of(slug: str, raw: Mapping[str, Any] | None) -> dict[str, float]:
    """The numeric metrics of a signal."""
    if raw is None:
        return {}
    names = (metric.name for metric in SERVICES_BY_SLUG[slug].metrics if metric.kind != "topics")
    return {name: raw["metrics"][name] for name in names}
