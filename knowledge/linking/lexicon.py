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
MACRO_NAMES = read_words("names_macro")
SHARED_TERMS = read_words("shared_terms")

# Quote currencies that close a market symbol: BTCUSDT, ETHKRW.
QUOTE_CURRENCIES: tuple[str, ...] = (
    *("USDT", "USDC", "FDUSD", "BUSD", "TUSD", "DAI"),
    *("KRW", "USD", "EUR", "JPY"),
    *("BTC", "ETH", "BNB"),
)

# After a name these make another asset of it: Bitcoin Cash is not Bitcoin.
FORK_NAMES: tuple[str, ...] = ("cash", "classic", "gold", "sv", "캐시", "클래식", "골드", "에스브이")

# After a short ticker these make a brand of another house: SOL뱅크 is a bank's app.
BRAND_NOUNS: tuple[str, ...] = (
    *("뱅크", "은행", "페이", "카드", "증권", "보험", "트래블", "모바일", "체크카드"),
    *("bank", "pay", "card", "securities", "insurance", "travel"),
)

# After a person's name these make a company of it: Trump Media is not Trump.
COMPANY_NOUNS: tuple[str, ...] = (
    *("미디어", "그룹", "오거니제이션", "인더스트리", "홀딩스", "타워", "호텔", "골프클럽", "컴퍼니"),
    *("media", "group", "organization", "organisation", "industries", "holdings", "tower", "towers", "hotel"),
    *("hotels", "inc", "corp", "company"),
)
