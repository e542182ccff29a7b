"""Markets of the venues: opened for assets of the canon, closed when they are listed no more, chosen for their bars.

An asset has a market where a venue lists its ticker. Tickers are given to other coins once they are free: bars hang on
the market's row, and the keys under which a source speaks of a ticker belong to whoever trades under it now.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from knowledge.models import Market, MarketCandidate, SeriesInput, Status, Unit, UnitType, Venue
from knowledge.series import declarations
from knowledge.sources.base import ListingItem
from knowledge.sources.tickers import DOLLAR, VALUE, WON

# An answer that lacks more of the markets than this is taken for one that was cut off; one may always go.
CLOSED_AT_ONCE = 0.1
# Editors read them.
UNKNOWN, SEVERAL = "이 심볼을 쓰는 자산이 정본에 없습니다.", "이 심볼을 쓰는 자산이 여럿입니다: {}"


class Kept(NamedTuple):
    """How many markets were opened and closed; ``said`` is what the run has to tell, if anything."""

    opened: int = 0
    closed: int = 0
    said: str = ""


@transaction.atomic
def keep_up(
    venue: Venue,
    listed: Mapping[str, ListingItem],
    *,
    looked_before: bool = False,
    stablecoins: Iterable[str] = (),
    now: datetime,
) -> Kept:
    """Open what a venue lists anew and close what it lists no more.

    ``listed`` are all of its markets by symbol. What is new since a look before was listed now; without one, and of
    what waited as a candidate, nobody knows when. ``stablecoins`` are tickers.
    """
    live = {market.symbol: market for market in Market.objects.filter(venue=venue, delisted_at=None)}
    closed, said = _close([live[symbol] for symbol in live.keys() - listed.keys()], of=len(live), now=now)
    _take_over_warnings(live, listed)
    found, unclaimed = _assets_of(venue, listed.keys() - live.keys())
    stable = {symbol for symbol in found if ticker_of(symbol) in stablecoins}
    waited = set(
        MarketCandidate.objects.filter(venue=venue, symbol__in=found).values_list("symbol", flat=True)
    )
    new = found.keys() - waited if looked_before else ()
    opened = _open(venue, found, listed_at=dict.fromkeys(new, now), stablecoins=stable)
    _take_over_warnings({market.symbol: market for market in opened}, listed)
    if venue == Venue.UPBIT:
        _keep_candidates(venue, {listed[symbol]: reason for symbol, reason in unclaimed.items()}, now=now)
    return Kept(len(opened), closed, said)


def open_candidates(venue: Venue) -> int:
    """Open the markets of candidates whose asset the canon has by now: the list of a venue may stay the same for weeks,
    and then it is not read again. How many were opened."""
    waiting = MarketCandidate.objects.filter(venue=venue).values_list("symbol", flat=True)
    found, _unclaimed = _assets_of(venue, set(waiting))
    return len(_open(venue, found))


@transaction.atomic
def open_candidate(candidate: MarketCandidate, asset: Unit) -> Market | None:
    """The market of a candidate, for the asset that an editor names; None where it was opened since, or is listed no
    more."""
    # Of two editors the second waits here, and finds it gone.
    if MarketCandidate.objects.select_for_update().filter(pk=candidate.pk).first() is None:
        return None
    return open_market(candidate.venue, candidate.symbol, asset)


def dismiss(candidate: MarketCandidate, *, now: datetime) -> None:
    """Put a candidate aside: it is not asked about again."""
    MarketCandidate.objects.filter(pk=candidate.pk, dismissed_at=None).update(dismissed_at=now)


def recall(candidate: MarketCandidate) -> None:
    """Let a candidate that was put aside wait again."""
    MarketCandidate.objects.filter(pk=candidate.pk).update(dismissed_at=None)


def open_market(venue: str, symbol: str, asset: Unit, *, stablecoin: bool = False) -> Market:
    """A market with its series. What was said of a coin that had the ticker before is kept under keys of its own."""
    (market,) = _open(venue, {symbol: asset}, stablecoins={symbol} if stablecoin else ())
    return market


@transaction.atomic
def _open(
    venue: str,
    found: Mapping[str, Unit],
    *,
    listed_at: Mapping[str, datetime] | None = None,
    stablecoins: Collection[str] = (),
) -> list[Market]:
    if not found:
        return []
    _set_aside(venue, found)
    elsewhere = Market.objects.filter(asset__in=found.values(), delisted_at=None)
    stable = set(elsewhere.filter(stablecoin=True).values_list("asset", flat=True))
    # Hours are asked for on both venues or on none, or there would be no premium.
    hourly = set(elsewhere.filter(hourly=True).values_list("asset", flat=True))
    opened = Market.objects.bulk_create(
        Market(
            venue=venue,
            symbol=symbol,
            asset=asset,
            listed_at=(listed_at or {}).get(symbol),
            stablecoin=symbol in stablecoins or asset.pk in stable,
            hourly=asset.pk in hourly,
        )
        for symbol, asset in found.items()
    )
    MarketCandidate.objects.filter(venue=venue, symbol__in=found).delete()
    declarations.declare(opened)
    return opened


def ticker_of(symbol: str) -> str:
    return symbol.removeprefix(WON) if symbol.startswith(WON) else symbol.removesuffix(DOLLAR)


def price_key(venue: str, symbol: str) -> str:
    """The key under which the last price of a market is stored."""
    return f"{venue}:{symbol}"


def _set_aside(venue: str, found: Mapping[str, Unit]) -> None:
    """Give the inputs of closed markets keys that no source uses, where another asset has the ticker now."""
    closed = Market.objects.filter(venue=venue, symbol__in=found).select_related("asset__merged_into")
    newest = {market.symbol: market for market in closed.order_by("pk")}
    for symbol, market in newest.items():
        if market.asset.survivor != found[symbol].survivor:
            key = price_key(venue, symbol)
            for name in (key, key + VALUE):
                SeriesInput.objects.filter(key=name).update(key=f"{name}#{market.pk}")


def _close(gone: Sequence[Market], *, of: int, now: datetime) -> tuple[int, str]:
    if len(gone) > max(1, int(of * CLOSED_AT_ONCE)):
        return 0, f"{len(gone)} of {of} markets are missing from the answer: none was closed"
    keys = [market.pk for market in gone]
    return Market.objects.filter(pk__in=keys).update(delisted_at=now, hourly=False), ""


def _take_over_warnings(markets: Mapping[str, Market], listed: Mapping[str, ListingItem]) -> None:
    changed = []
    for symbol, market in markets.items():
        if symbol in listed and market.warnings != list(listed[symbol].warnings):
            market.warnings = list(listed[symbol].warnings)
            changed.append(market)
    Market.objects.bulk_update(changed, ["warnings"])


def _assets_of(venue: Venue, symbols: Collection[str]) -> tuple[dict[str, Unit], dict[str, str]]:
    """The asset of each symbol whose ticker one public asset has, and why the other symbols have none.

    Abroad only markets of assets that trade in won are of interest.
    """
    assets = Unit.objects.survivors().filter(type=UnitType.ASSET, status=Status.PUBLISHED).exclude(symbol="")
    if venue != Venue.UPBIT:
        assets = assets.filter(markets__in=Market.objects.filter(venue=Venue.UPBIT, delisted_at=None))
    by_ticker: dict[str, list[Unit]] = defaultdict(list)
    for asset in assets.distinct().order_by("pk"):
        by_ticker[asset.symbol.upper()].append(asset)
    found, unclaimed = {}, {}
    for symbol in sorted(symbols):
        namesakes = by_ticker.get(ticker_of(symbol), [])
        if len(namesakes) == 1:
            found[symbol] = namesakes[0]
        else:
            labels = ", ".join(asset.label for asset in namesakes)
            unclaimed[symbol] = SEVERAL.format(labels)[:200] if namesakes else UNKNOWN
    return found, unclaimed


def _keep_candidates(venue: Venue, unclaimed: Mapping[ListingItem, str], *, now: datetime) -> None:
    """Bring the candidates of a venue in line with what it lists; one that an editor put aside stays so."""
    present = {row.symbol: row for row in MarketCandidate.objects.filter(venue=venue)}
    rows = []
    for listing, reason in unclaimed.items():
        said = {"name": listing.name, "name_en": listing.name_en, "reason": reason}
        row = present.pop(listing.symbol, None)
        if row is None or any(getattr(row, name) != value for name, value in said.items()):
            rows.append(MarketCandidate(venue=venue, symbol=listing.symbol, first_seen_at=now, **said))
    MarketCandidate.objects.filter(pk__in=[row.pk for row in present.values()]).delete()
    MarketCandidate.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["venue", "symbol"],
        update_fields=["name", "name_en", "reason"],
    )
