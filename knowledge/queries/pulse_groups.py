"""Pulses as readers see them: those that came within one hour and went one way are told together.

The public lists (JSON, MCP, RSS) have them one by one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledge.models import PULSE_UNITS, Direction, PulseKind, Source, Venue

# What several pulses say together, by kind and direction.
TOGETHER = {
    (PulseKind.PRICE, Direction.UP): gettext_noop("%(assets)s개 자산 동반 상승"),
    (PulseKind.PRICE, Direction.DOWN): gettext_noop("%(assets)s개 자산 동반 하락"),
    (PulseKind.BURST, Direction.UP): gettext_noop("%(assets)s개 자산, 보도가 몰리며 상승"),
    (PulseKind.BURST, Direction.DOWN): gettext_noop("%(assets)s개 자산, 보도가 몰리며 하락"),
    (PulseKind.PREMIUM, Direction.UP): gettext_noop("%(assets)s개 자산의 김치 프리미엄 동반 상승"),
    (PulseKind.PREMIUM, Direction.DOWN): gettext_noop("%(assets)s개 자산의 김치 프리미엄 동반 하락"),
}
VENUE_HOSTS = {"api.upbit.com": Venue.UPBIT, "data-api.binance.vision": Venue.BINANCE}


@dataclass(frozen=True, slots=True)
class PulseGroup:
    """Public records of one kind and direction that were detected within one hour, the largest move first.

    ``hour`` begins it, in the service's time zone.
    """

    hour: datetime
    kind: PulseKind
    direction: Direction
    pulses: Sequence[Mapping[str, Any]]

    @property
    def largest(self) -> Mapping[str, Any]:
        return self.pulses[0]

    @property
    def is_single(self) -> bool:
        return len(self.pulses) == 1

    @property
    def detected_at(self) -> str:
        """When the newest was detected, in RFC 3339."""
        return max(str(pulse["detectedAt"]) for pulse in self.pulses)

    @property
    def together(self) -> str:
        """In the language of the page: ``13개 자산 동반 하락``."""
        assets = len({pulse["asset"] for pulse in self.pulses})
        return _(TOGETHER[self.kind, self.direction]) % {"assets": assets}

    @property
    def size(self) -> str:
        """Of the largest, with its sign: ``−12.9%``."""
        return signed_size(self.largest["magnitudePct"], self.kind)


def grouped_pulses(records: Iterable[Mapping[str, Any]]) -> list[PulseGroup]:
    """The records by hour, kind and direction: the newest hour first, within it the largest group."""
    found: defaultdict[tuple[datetime, str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        at = timezone.localtime(datetime.fromisoformat(record["detectedAt"]))
        hour = at.replace(minute=0, second=0, microsecond=0)
        found[hour, record["kind"], record["direction"]].append(record)
    groups = [
        PulseGroup(hour, PulseKind(kind), Direction(direction), sorted(pulses, key=_by_size))
        for (hour, kind, direction), pulses in found.items()
    ]
    return sorted(
        groups, key=lambda group: (-group.hour.timestamp(), -len(group.pulses), _by_size(group.largest))
    )


def _by_size(record: Mapping[str, Any]) -> float:
    return -abs(float(record["magnitudePct"]))


def signed_size(number: float, kind: str) -> str:
    """The size of a pulse with its sign: ``+12.3%``, of a premium ``+3.1%p``."""
    unit = PULSE_UNITS[PulseKind(kind)] if kind in PulseKind.values else "%"
    return f"{number:+.1f}{unit}".replace("-", "−")


def outlets_at(addresses: Iterable[str]) -> dict[str, str]:
    """Who publishes what stands at each address: an exchange, an outlet by its name, else the host."""
    hosts = {address: urlsplit(address).netloc.lower() for address in addresses}
    names = _outlets() if hosts else {}
    return {address: names.get(_bare(host), _bare(host)) for address, host in hosts.items()}


def _outlets() -> dict[str, str]:
    """The outlets by their hosts. A host of several, such as YouTube's, tells none of them."""
    known: defaultdict[str, set[str]] = defaultdict(set)
    for name, homepage, url in Source.objects.values_list("name", "homepage", "url"):
        known[_bare(urlsplit(homepage or url).netloc.lower())].add(name)
    single = {host: names.pop() for host, names in known.items() if len(names) == 1}
    return single | {host: str(venue.label) for host, venue in VENUE_HOSTS.items()}


def _bare(host: str) -> str:
    return host.removeprefix("www.")
