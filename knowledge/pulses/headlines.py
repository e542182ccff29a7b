"""Headlines on a unit: which say the same, and which way they say that a price goes. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from knowledge.pulses.bars import Direction

AGREEMENT = 0.75  # share of the directed headlines that must point one way
LEAST_DIRECTED = 3

UP_WORDS = re.compile(
    r"급등|폭등|치솟|상승|반등|신고가|최고가|사상\s*최고|랠리|강세|급반등|돌파|"
    r"\b(?:surg(?:e|es|ed|ing)|soar\w*|rall(?:y|ies|ied|ying)|jump(?:s|ed|ing)?|spik(?:e|es|ed|ing)|"
    r"ris(?:e|es|ing)|rose|climb(?:s|ed|ing)?|rebound(?:s|ed|ing)?|upside|skyrocket\w*|"
    r"(?:record|all-time) highs?)\b"
)
DOWN_WORDS = re.compile(
    r"급락|폭락|추락|하락|후퇴|약세|급전직하|곤두박질|붕괴|패닉\s*셀|투매|신저가|최저가|"
    r"\b(?:plung(?:e|es|ed|ing)|crash(?:es|ed|ing)?|plummet\w*|tumbl(?:e|es|ed|ing)|slump(?:s|ed|ing)?|"
    r"sink(?:s|ing)?|sank|drop(?:s|ped|ping)?|fall(?:s|ing)?|fell|slid(?:e|es|ing)?|retreat(?:s|ed|ing)?|"
    r"slip(?:s|ped|ping)?|collaps(?:e|es|ed|ing)|sell-?off)\b"
)
BRACKETED = re.compile(r"[\[(【<〈《「][^\])】>〉》」]{0,30}[\])】>〉》」]")
NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Headline:
    """A document on a unit: when it was published (aware) and by whom. `key` is for whoever stored it."""

    at: datetime
    outlet: str
    title: str = ""
    url: str = ""
    key: int = 0

    @cached_property
    def words(self) -> str:
        """Letters and digits alone, without [속보] and the like: the same for wire copies of one headline."""
        text = caseless(self.title)
        return NOT_WORD.sub("", BRACKETED.sub(" ", text)) or NOT_WORD.sub("", text)


def caseless(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def agreed_direction(titles: Iterable[str]) -> Direction | None:
    """Which way the headlines point, when enough of them say so and three quarters say the same."""
    up = down = 0
    for text in map(caseless, titles):
        rises, falls = UP_WORDS.search(text) is not None, DOWN_WORDS.search(text) is not None
        up += rises and not falls
        down += falls and not rises
    if max(up, down) < max(LEAST_DIRECTED, AGREEMENT * (up + down)):
        return None
    return "up" if up > down else "down"
