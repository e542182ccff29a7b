"""Word lists of our own: which names are also everyday words, and which words tell what a text is about."""

from pathlib import Path


def read_words(name: str) -> frozenset[str]:
    """The words of ``words/<name>.txt``: apart by spaces, with an underscore for a space within one."""
    text = (Path(__file__).parent / "words" / f"{name}.txt").read_text(encoding="utf-8")
    words = (word for line in text.splitlines() if not line.startswith("#") for word in line.split())
    return frozenset(word.replace("_", " ") for word in words)


ENGLISH_WORDS = read_words("english")
COMMON_ACRONYMS = read_words("acronyms")
KOREAN_WORDS = read_words("korean")
GENERIC_WORDS = read_words("generic")

# Quote currencies that close a market symbol: BTCUSDT, ETHKRW.
QUOTE_CURRENCIES: tuple[str, ...] = (
    *("USDT", "USDC", "FDUSD", "BUSD", "TUSD", "DAI"),
    *("KRW", "USD", "EUR", "JPY"),
    *("BTC", "ETH", "BNB"),
)

# After a name these make another asset of it: Bitcoin Cash is not Bitcoin.
FORK_NAMES: tuple[str, ...] = ("cash", "classic", "gold", "sv", "캐시", "클래식", "골드", "에스브이")
