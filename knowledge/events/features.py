"""What is compared of a document: its words, the units it names, and what it says is done (design: events). Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from knowledge.pulses.headlines import DOWN_WORDS, UP_WORDS, caseless

HANGUL_OR_LATIN_WORD = re.compile(r"[가-힣]+|[a-z][a-z0-9]*")
WORD_OR_NUMBER = re.compile(r"[가-힣]+|[a-z0-9]+(?:[.,][0-9]+)*")
STOP_WORDS = frozenset(
    re.findall(
        r"[a-z]+",
        """a after ahead all also amid an and any are as at be been before but by can could for from had
        has have he her his how if in into is it its just may more most new no not now of off on or our out
        over says said she should so some than that the their them then there they this to under up us was
        we were what when where which while who why will with would you your""",
    )
)
# Opposites (approved and rejected, up and down) are facets of their own: they never are one event.
FACETS: dict[str, re.Pattern[str]] = {
    "hack": re.compile(
        r"해킹|유출|탈취|도난|(?:비정상|무단)\s*출금|"
        r"\b(?:hack(?:s|ed|er|ers|ing)?|exploit(?:s|ed|er|ing)?|breach(?:es|ed)?|stolen|steals?|drained|"
        r"leak(?:s|ed)?|theft|heist|security incident)\b"
    ),
    "merger": re.compile(
        r"합병|인수(?!위|인계)|주식\s*교환|"
        r"\b(?:merg(?:e|es|ed|er|ers|ing)|acqui(?:re|res|red|ring|sition|sitions)|takeover|buyout)\b"
    ),
    "delisting": re.compile(
        r"(?:거래\s*지원|서비스|거래)\s*종료|상폐|상장\s*폐지|"
        r"\b(?:de-?list(?:s|ed|ing|ings)?|shut(?:s|ting)? down|shutters?|wind(?:s|ing) down)\b"
    ),
    "listing": re.compile(
        r"(?<!비)상장(?!\s*폐지|지수|사(?![가-힣])|사[가는의도를들]|기업|법인|회사)|거래\s*지원(?!\s*종료)|마켓\s*추가|"
        r"(?<![\w-])(?:lists|listed|listing|listings|to list)\b"
    ),
    "rejection": re.compile(
        r"거부|불승인|불허|반려|기각|부결|"
        r"\b(?:reject(?:s|ed|ion|ing)?|den(?:y|ies|ied|ial)|disapprov\w+|dismiss(?:es|ed|al)?)\b"
    ),
    "approval": re.compile(
        r"(?<![불미])승인|인가|허가|\b(?:approv(?:e|es|ed|al|als|ing)|green-?lights?|greenlit)\b"
    ),
    "sanction": re.compile(
        r"제재|검사|현장\s*점검|점검반|과징금|과태료|영업\s*정지|수사|압수\s*수색|"
        r"\b(?:sanction(?:s|ed)?|inspect(?:s|ed|ion|ions|ing)?|probes?|probed|fine[sd]|penalt(?:y|ies)|"
        r"investigat(?:e|es|ed|ion|ing)|crackdown)\b"
    ),
    "price down": DOWN_WORDS,
    "price up": UP_WORDS,
    "enforcement": re.compile(
        r"시행|통과|발효|"
        r"\b(?:takes? effect|took effect|comes? into (?:force|effect)|enact(?:s|ed)?|pass(?:es|ed)|"
        r"signed into law)\b"
    ),
    "outage": re.compile(
        r"장애|먹통|마비|접속\s*(?:지연|불가|폭주)|서버\s*다운|"
        r"\b(?:outages?|downtime|goes down|went down|disrupted)\b"
    ),
}


@dataclass(frozen=True, slots=True)
class EventDoc:
    """A headline, its lead ("" where there is none), who published it when (aware) in which language.

    A document whose time is unknown has no place in a pass through time and stays alone.
    """

    title: str
    lead: str
    outlet: str
    at: datetime | None
    lang: str
    url: str = ""

    def __post_init__(self) -> None:
        if self.at is not None and self.at.tzinfo is None:
            raise ValueError("a document's time must carry its zone")

    @property
    def text(self) -> str:
        """What is compared; the places of mentions count characters of this."""
        return f"{self.title}\n{self.lead}" if self.lead else self.title


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """A canonical unit named in `text[start:end]` of a document."""

    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Features:
    """A document without its text: what units it names, what it says is done, and the terms of the whole and of what
    remains without the names of units: how often each stands there or, weighed, its part of a vector of length 1."""

    at: datetime
    lang: str
    units: frozenset[str]
    facets: frozenset[str]
    whole: Mapping[str, float]
    remainder: Mapping[str, float]


def counted(document: EventDoc, at: datetime, mentions: Collection[NamedUnit]) -> Features:
    """What is compared of a document of this time, its terms not weighed yet."""
    return Features(
        at=at,
        lang=document.lang,
        units=frozenset(mention.unit for mention in mentions),
        facets=action_facets(document.title, document.lead),
        whole=terms(document.text),
        remainder=terms(without_names(document.text, mentions), WORD_OR_NUMBER),
    )


def terms(text: str, words: re.Pattern[str] = HANGUL_OR_LATIN_WORD) -> Counter[str]:
    """Bigrams of Hangul syllables within words, and Latin words but the commonest."""
    counts: Counter[str] = Counter()
    for word in words.findall(caseless(text)):
        if "가" <= word[0] <= "힣":
            counts.update(word[start : start + 2] for start in range(len(word) - 1))
        elif word not in STOP_WORDS:
            counts[word] += 1
    return counts


def without_names(text: str, mentions: Iterable[NamedUnit]) -> str:
    """The text with a gap where a unit is named."""
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def action_facets(title: str, lead: str = "") -> frozenset[str]:
    """The facets named in the headline; those of the lead only where the headline names none, because leads
    also tell the background."""
    return _facets(title) or _facets(lead)


def _facets(text: str) -> frozenset[str]:
    plain = caseless(text)
    return frozenset(name for name, words in FACETS.items() if words.search(plain))
