"""What all markets of an exchange say at once, and the list of them."""

from collections.abc import Callable

import pytest

from knowledge.sources.errors import SourceError
from tests.knowledge.sources.reading import parsed

Recorded = Callable[[str], bytes]


def test_every_won_market_has_a_price_of_its_last_trade_and_what_was_traded(recorded: Recorded) -> None:
    items = [item.as_json() for item in parsed("upbit_tickers", recorded("upbit_tickers/tickers.json"))]
    assert [(item["series"], item["at"], item["value"]) for item in items] == [
        ("upbit:KRW-BTC", "2026-09-01T11:59:59Z", 151050000.0),
        ("upbit:KRW-BTC:value", "2026-09-01T11:59:59Z", 212345678901.25),
        ("upbit:KRW-SHIB", "2026-09-01T11:59:50Z", 0.01234),
        ("upbit:KRW-SHIB:value", "2026-09-01T11:59:50Z", 1234567890.5),
        ("upbit:KRW-HALT", "2026-09-01T00:00:00Z", 77.0),  # halted: the price of its last trade
        ("upbit:KRW-HALT:value", "2026-09-01T00:00:00Z", 0.0),
    ]
    assert {item["unit"] for item in items} == {"KRW"}


def test_a_market_abroad_that_trades_no_more_is_left_out(recorded: Recorded) -> None:
    items = parsed("binance_tickers", recorded("binance_tickers/tickers.json"))
    assert [(item.series, item.value, item.unit) for item in items] == [
        ("binance:BTCUSDT", 110390.0, "USDT"),
        ("binance:SHIBUSDT", 0.0000089, "USDT"),
        ("binance:ETHBTC", 0.031, "BTC"),
    ]


def test_the_list_names_the_won_markets_and_what_upbit_warns_of(recorded: Recorded) -> None:
    bitcoin, madang, _shiba = parsed("upbit_markets", recorded("upbit_markets/markets.json"))
    assert (bitcoin.symbol, bitcoin.name, bitcoin.name_en, bitcoin.warnings) == (
        "KRW-BTC",
        "비트코인",
        "Bitcoin",
        (),
    )
    assert madang.warnings == ("WARNING", "DEPOSIT_AMOUNT_SOARING", "TRADING_VOLUME_SOARING")


@pytest.mark.parametrize(
    ("adapter", "body"),
    [
        ("upbit_tickers", b'[{"market":"KRW-BTC","trade_timestamp":1788263999365,"trade_price":-1}]'),
        ("upbit_tickers", b'[{"market":"KRW-BTC","trade_timestamp":1e999,"trade_price":1}]'),
        ("upbit_tickers", b"[1, null, []]"),
        ("upbit_tickers", b"[]"),
        ("binance_tickers", b'[{"symbol":"BTCUSDT","lastPrice":"110390.0"}]'),
        ("binance_tickers", b'{"code":-1003}'),
        ("upbit_markets", b"[]"),
        ("upbit_markets", b'[{"market":7}]'),
        ("upbit_markets", b'[{"market":"KRW-BTC","market_event":[1]}]'),
    ],
)
def test_an_answer_without_a_good_row_is_an_error(adapter: str, body: bytes) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed(adapter, body)
