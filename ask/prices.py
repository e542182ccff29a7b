"""What a call costs, in whole micro-USD, always rounded up. The prices are those of the genai-prices package.

Its table is the one that came with the installed version: its self-update, which is off unless started, would let
somebody else's server change what our cap means.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from genai_prices import Usage

# An answer of the rehearsal costs nothing, and its books say so.
REHEARSAL_MODEL = "rehearsal"
_PROVIDER = "anthropic"
# What the vendor adds to a request of its own: the tool and citation instructions.
OVERHEAD_TOKENS = 2_000


class UnknownPriceError(Exception):
    """The price table does not know this model, or cannot read this usage."""


def worst_case(model: str, *, request_bytes: int, max_tokens: int, searches: int = 0, now: datetime) -> int:
    """The most that a request can cost: no token is shorter than a byte. Raises UnknownPriceError."""
    return _micro_usd(model, now, request_bytes + OVERHEAD_TOKENS, max_tokens, searches)


def search_allowance(model: str, *, input_tokens: int, max_tokens: int, searches: int, now: datetime) -> int:
    """What a request with web searches may cost when the pages found take so many tokens. Raises UnknownPriceError."""
    return _micro_usd(model, now, input_tokens, max_tokens, searches)


def _micro_usd(model: str, now: datetime, input_tokens: int, output_tokens: int, searches: int) -> int:
    if model == REHEARSAL_MODEL:
        return 0
    # The table is 1.6 MB of Python, so it is loaded with the first price and not with Django.
    from genai_prices import Usage

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens, web_searches=searches or None)
    return _priced(model, usage, now)


def cost(model: str, usage: Mapping[str, Any], *, reported_model: str, now: datetime) -> int:
    """What a call did cost by the usage its answer reports. Raises UnknownPriceError.

    ``reported_model`` is the one that answered, which an alias may hide; ``model`` stands in where the table does
    not know it.
    """
    if model == REHEARSAL_MODEL:
        return 0
    from genai_prices.data_snapshot import get_snapshot

    try:
        found = get_snapshot().extract_usage({"usage": dict(usage)}, provider_id=_PROVIDER).usage
    except (ValueError, TypeError, LookupError) as error:
        raise UnknownPriceError(str(error)) from None
    try:
        return _priced(reported_model, found, now)
    except UnknownPriceError:
        return _priced(model, found, now)


def _priced(model: str, usage: "Usage", now: datetime) -> int:
    from genai_prices import calc_price

    try:
        price = calc_price(usage, model, provider_id=_PROVIDER, genai_request_timestamp=now).total_price
    except (ValueError, TypeError, LookupError) as error:
        raise UnknownPriceError(f"{model}: {error}") from None
    return int((Decimal(price) * 1_000_000).to_integral_value(ROUND_CEILING))
