"""From six signals to the state of the city. Pure: the same inputs give the same state, on any machine.

Every formula and every range stands here and in ``archive.norms``, and in words in docs/archive.md. All arithmetic is
on floats; whole numbers are made at the very end, half to even. A service that was not heard contributes no term: the
weights of the others are renormalised.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from archive.city_inputs import Inputs, Yesterday
from archive.metrics import SERVICES, SERVICES_BY_SLUG, Service
from archive.norms import Norm, clamp, normal_score

RULES_VERSION = "city-1"


# ---- Districts ------------------------------------------------------------------------------------------------
LIGHTS_TODAY, LIGHTS_YESTERDAY = 0.7, 0.3
QUIET_BELOW, FESTIVAL_ABOVE = 25, 85

# ---- The city -------------------------------------------------------------------------------------------------
RESIDENTS_INERTIA = 0.95
RESIDENTS_PER_AWAKE = 3
VISITORS_PER_VIEW = 0.1
ERROR_RATE_WORST = 0.05  # at this error rate nothing is calm any more
FOG_FROM_BLIND = 3
STORM_FROM, RAIN_FROM, CLEAR_BELOW = 72, 60, 52
GLOOM, CHEER = -20, 15
COLDEST, DEGREES_PER_ACTIVITY = -10.0, 0.4
WIND_PER_STORMINESS = 0.2

Condition = Literal["storm", "fog", "rain", "cloudy", "clear", "rainbow"]
CONDITIONS: tuple[Condition, ...] = ("storm", "fog", "rain", "cloudy", "clear", "rainbow")
MOODS: tuple[tuple[int, str], ...] = (
    (-60, "gloomy"),
    (-20, "low"),
    (20, "calm"),
    (60, "bright"),
    (101, "elated"),
)
MOOD_UNKNOWN = "unknown"
MOOD_LABELS: tuple[str, ...] = (*(label for _below, label in MOODS), MOOD_UNKNOWN)
DISTRICT_STATUSES = ("open", "quiet", "festival", "dark")

Term = tuple[float, float | None]  # weight, value or None when its service was not heard


def derive(inputs: Inputs) -> dict[str, Any]:
    """``{rulesVersion, date, city, districts, delta}``: what ``stateSha256`` is the hash of."""
    return _Rules(inputs).state()


def weighted(terms: Iterable[Term]) -> float | None:
    """The mean of the terms there are, by their weights; None when there is none."""
    there = [(weight, value) for weight, value in terms if value is not None]
    total = sum(weight for weight, _value in there)
    return sum(weight * value for weight, value in there) / total if there else None


def whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def mood_label(score: int) -> str:
    return next(label for below, label in MOODS if score < below)


class _Rules:
    """One evaluation of the rules over one day's inputs."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.yesterday = inputs.yesterday
        self.activity = {service.slug: self._activity(service) for service in SERVICES}
        self.lights = {service.slug: self._lights(service.slug) for service in SERVICES}
        self.mood = self._mood()

    # ---- readings

    def raw(self, slug: str, name: str) -> float | None:
        reading = self.inputs.reading(slug)
        return float(reading.metrics[name]) if reading.is_heard else None

    def score(self, slug: str, name: str) -> float | None:
        value = self.raw(slug, name)
        if value is None:
            return None
        norm = self.inputs.norms.get(f"{slug}.{name}", Norm())
        return normal_score(SERVICES_BY_SLUG[slug].metric(name), value, norm)

    def calm(self) -> float | None:
        """0..100: how free of errors the machines ran."""
        rate = self.raw("infra", "errorRate")
        return None if rate is None else 100 * (1 - clamp(rate / ERROR_RATE_WORST, 0, 1))

    # ---- districts

    def _activity(self, service: Service) -> float | None:
        return weighted((1, self.score(service.slug, metric.name)) for metric in service.volumes)

    def _lights(self, slug: str) -> float:
        today = self.activity[slug]
        if today is None:
            return 0.0
        before = self.yesterday.lights.get(slug, today) if self.yesterday else today
        return LIGHTS_TODAY * today + LIGHTS_YESTERDAY * before

    def district(self, service: Service) -> dict[str, Any]:
        activity = self.activity[service.slug]
        reading = self.inputs.reading(service.slug)
        return {
            "id": service.slug,
            "name": service.district,
            "activity": round(activity or 0),
            "lights": round(self.lights[service.slug]),
            "traffic": round(self.score(service.slug, service.users) or 0),
            "status": district_status(activity),
            "stale": reading.state == "stale",
            "cold": reading.is_heard and self._is_cold(service),
        }

    def _is_cold(self, service: Service) -> bool:
        norms = (self.inputs.norms.get(f"{service.slug}.{metric.name}", Norm()) for metric in service.volumes)
        return any(norm.is_cold for norm in norms)

    # ---- the city

    def state(self) -> dict[str, Any]:
        city = {
            "population": self.population(),
            "mood": self.mood_state(),
            "economy": self.economy(),
            "energy": self.energy(),
            "weather": self.weather(),
            "safety": {"score": whole(self.safety())},
            "culture": {"score": whole(self.culture())},
            "learning": {"score": whole(self.learning())},
        }
        return {
            "rulesVersion": RULES_VERSION,
            "date": self.inputs.date,
            "city": city,
            "districts": [self.district(service) for service in SERVICES],
            "delta": delta(city, self.yesterday),
        }

    def population(self) -> dict[str, int]:
        """``awake``: who was seen; ``visitors``: who looked in; ``residents`` follows awake slowly."""
        people = [
            self.raw(slug, SERVICES_BY_SLUG[slug].users)
            for slug in ("market", "community", "learning", "arena")
        ]
        awake = sum(count for count in people if count is not None)
        views = self.raw("media", "views") or 0.0
        target = RESIDENTS_PER_AWAKE * awake
        if self.yesterday:
            heard = any(count is not None for count in people)
            before = self.yesterday.residents
            target = RESIDENTS_INERTIA * before + (1 - RESIDENTS_INERTIA) * target if heard else before
        return {
            "residents": round(max(target, awake)),
            "visitors": round(VISITORS_PER_VIEW * views + (self.raw("community", "newUsers") or 0.0)),
            "awake": round(awake),
        }

    def sentiment(self) -> float | None:
        """−100..100: positive against negative reactions; None without any reaction."""
        positive, negative, neutral = (
            self.raw("community", name) for name in ("positive", "negative", "neutral")
        )
        if positive is None or negative is None or neutral is None:
            return None
        total = positive + negative + neutral
        return 100 * (positive - negative) / total if total else None

    def _mood(self) -> float | None:
        up, calm, learned = self.raw("market", "upShare"), self.calm(), self.score("learning", "avgScore")
        mood = weighted(
            [
                (0.50, self.sentiment()),
                (0.20, None if up is None else 200 * up - 100),
                (0.15, None if learned is None else 2 * learned - 100),
                (0.15, None if calm is None else 2 * calm - 100),
            ]
        )
        return None if mood is None else clamp(mood, -100, 100)

    def mood_state(self) -> dict[str, Any]:
        if self.mood is None:
            return {"score": 0, "label": MOOD_UNKNOWN}
        return {"score": round(self.mood), "label": mood_label(round(self.mood))}

    def economy(self) -> dict[str, Any]:
        """``index`` 0..100, ``changePct`` −100..1000 from yesterday's, ``confidence`` 0..100 in the sources."""
        weights = {
            ("market", "volumeKrw"): 0.5,
            ("market", "orders"): 0.2,
            ("media", "views"): 0.15,
            ("arena", "matches"): 0.15,
        }
        index = whole(weighted((weight, self.score(*key)) for key, weight in weights.items()))
        before = self.yesterday.economy if self.yesterday else None
        change = None
        if index is not None and before is not None:
            change = round(clamp(100 * (index - before) / max(before, 1), -100, 1000))
        trust = sum(weight * self._trust(*key) for key, weight in weights.items())
        return {"index": index, "changePct": change, "confidence": round(100 * trust)}

    def _trust(self, slug: str, name: str) -> float:
        state = self.inputs.reading(slug).state
        known = 0.5 if self.inputs.norms.get(f"{slug}.{name}", Norm()).is_cold else 1.0
        return known * {"ok": 1.0, "stale": 0.5, "missing": 0.0}[state]

    def energy(self) -> dict[str, Any]:
        """``load`` and ``supply`` 0..100; ``balance`` their difference; a negative one is a brownout."""
        lit = sum(self.lights.values()) / len(self.lights)
        load = weighted(
            [(0.5, self.score("infra", "requests")), (0.3, self.raw("infra", "cpuPct")), (0.2, lit)]
        )
        uptime, errors = self.raw("infra", "uptime"), self.raw("infra", "errorRate")
        supply = None if uptime is None or errors is None else clamp(100 * (uptime - 2 * errors), 0, 100)
        load, supply = whole(load), whole(supply)
        balance = None if load is None or supply is None else supply - load
        return {
            "load": load,
            "supply": supply,
            "balance": balance,
            "brownout": balance is not None and balance < 0,
        }

    def storminess(self) -> float:
        """0..100: volatile markets, low spirits, slow machines."""
        restless = None if self.mood is None else 50 - self.mood / 2
        found = weighted(
            [
                (0.4, self.score("market", "volatilityPct")),
                (0.3, restless),
                (0.3, self.score("infra", "p95Ms")),
            ]
        )
        return found or 0.0

    def weather(self) -> dict[str, Any]:
        """``temperatureC`` −10..30 by activity, ``windMs`` 0..20 by storminess."""
        storminess = self.storminess()
        warmth = weighted((1, activity) for activity in self.activity.values()) or 0.0
        return {
            "condition": self._condition(storminess),
            "temperatureC": round(COLDEST + DEGREES_PER_ACTIVITY * warmth),
            "windMs": round(WIND_PER_STORMINESS * storminess),
        }

    def _condition(self, storminess: float) -> Condition:
        states = [self.inputs.reading(service.slug).state for service in SERVICES]
        mood = self.mood or 0.0
        if sum(state != "ok" for state in states) >= FOG_FROM_BLIND:
            return "fog"
        if storminess >= STORM_FROM:
            return "storm"
        if storminess >= RAIN_FROM or mood <= GLOOM:
            return "rain"
        if self.yesterday and self.yesterday.condition in ("storm", "rain") and mood >= CHEER:
            return "rainbow"
        return "clear" if mood >= CHEER and storminess < CLEAR_BELOW else "cloudy"

    def safety(self) -> float | None:
        reports = self.score("community", "reports")
        return weighted([(0.6, None if reports is None else 100 - reports), (0.4, self.calm())])

    def culture(self) -> float | None:
        media = {"views": 0.4, "published": 0.2, "saves": 0.2}
        return weighted(
            [
                *((weight, self.score("media", name)) for name, weight in media.items()),
                (0.2, self.score("community", "posts")),
            ]
        )

    def learning(self) -> float | None:
        return weighted(
            [
                (0.4, self.score("learning", "lessonsCompleted")),
                (0.3, self.raw("learning", "avgScore")),
                (0.3, self.score("learning", "streakUsers")),
            ]
        )


def district_status(activity: float | None) -> str:
    if activity is None:
        return "dark"
    if activity < QUIET_BELOW:
        return "quiet"
    return "festival" if activity > FESTIVAL_ABOVE else "open"


def delta(city: Mapping[str, Any], yesterday: Yesterday | None) -> dict[str, Any]:
    """The change since yesterday; null where either day does not know."""
    if yesterday is None:
        return {"since": None, "awake": None, "mood": None, "economy": None, "balance": None}

    def change(today: int | None, before: int | None) -> int | None:
        return None if today is None or before is None else today - before

    known_mood = city["mood"]["label"] != MOOD_UNKNOWN
    return {
        "since": yesterday.date,
        "awake": change(city["population"]["awake"], yesterday.awake),
        "mood": change(city["mood"]["score"] if known_mood else None, yesterday.mood),
        "economy": change(city["economy"]["index"], yesterday.economy),
        "balance": change(city["energy"]["balance"], yesterday.balance),
    }
