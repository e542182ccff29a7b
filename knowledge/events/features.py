"""What is compared of a document: its words, the units it names, and what it says is done (design: events). Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from knowledge.events.actions import action_facets, is_column, is_denial
from knowledge.events.figures import figures
from knowledge.events.sounds import of_hangul, of_latin, parties
from knowledge.pulses.headlines import caseless

HANGUL_OR_LATIN_WORD = re.compile(r"[가-힣]+|[a-z][a-z0-9]*")
BACKGROUND = re.compile(r"[^,…]{3,25}?(?:[나하되르오]자|직후|이후)[\s,]+")
COMPARED = re.compile(r"보다|처럼|(?:에\s)?이어")
LATER = re.compile(
    r"\b(?:days?|weeks?|hours?) after .*|"
    r"[가-힣A-Za-z]+(?:에)?\s?(?:이어|(?:하루|이틀|사흘|나흘|닷새|일주일)\s?만에)\s?또"
)
NOTICE = re.compile(r"\[(?:공지|안내|긴급|거래|입출금|이벤트|마켓|점검|신규|notice)", re.IGNORECASE)
NAME_LIKE = re.compile(r"[가-힣]{2,}|[A-Z][A-Za-z]{2,19}")
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
# A decision's name stands for the one body that takes it.
BODIES = {"topic:fomc": "entity:fed", "topic:bok-rate": "entity:bok"}


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
    """A canonical unit named in `text[start:end]` of a document; of no length, at 0: the author of an announcement."""

    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Features:
    """A document without its text.

    `units` are all that it names, `headline_units` those that its headline is about. `facets` are what it says is done
    (`denies`: was not), `figures` the amounts in its headline; `is_column` says that it reports nothing. `parties` are
    exchanges, banks and the like that are no units, by their sound; `sounds` are those of all words of the headline
    but the names of units, `heard` those of these too. The terms of the whole and of what remains without the names of
    units: how often each stands there or, weighed, its part of a vector of length 1.
    """

    at: datetime
    lang: str
    units: frozenset[str]
    headline_units: frozenset[str]
    facets: frozenset[str]
    denies: bool
    is_column: bool
    parties: frozenset[str]
    figures: frozenset[str]
    sounds: frozenset[str]
    heard: frozenset[str]
    whole: Mapping[str, float]
    remainder: Mapping[str, float]


def counted(document: EventDoc, at: datetime, mentions: Collection[NamedUnit]) -> Features:
    """What is compared of a document of this time, its terms not weighed yet."""
    background = BACKGROUND.match(document.title)
    told_from = background.end() if background else 0
    title, end = document.title[told_from:], len(document.title)
    mentions = [*mentions, *(replace(m, unit=BODIES[m.unit]) for m in mentions if m.unit in BODIES)]
    in_title = [mention for mention in mentions if mention.end <= end]
    told = [m for m in in_title if told_from <= m.start < m.end and not _is_compared(document.title, m)]
    if not any(mention.unit.startswith("entity:") for mention in told):
        told += [mention for mention in mentions if mention.start == mention.end]
    # What a headline compares its story with is no name of the story's.
    foreground = LATER.sub(" ", without_names(document.title, in_title))
    author = parties(document.outlet) or (
        sounds(document.outlet) if NOTICE.match(document.title) else frozenset()
    )
    return Features(
        at=at,
        lang=document.lang,
        units=frozenset(mention.unit for mention in mentions),
        headline_units=frozenset(mention.unit for mention in told),
        facets=action_facets(title, document.lead),
        denies=is_denial(document.title),
        is_column=is_column(document.title),
        parties=parties(foreground) or author,
        figures=figures(document.title),
        sounds=sounds(foreground) | author,
        heard=sounds(LATER.sub(" ", document.title)) | author,
        whole=terms(document.text),
        remainder=terms(without_names(document.text, mentions), WORD_OR_NUMBER),
    )


def _is_compared(title: str, mention: NamedUnit) -> bool:
    """Whether a headline names a unit only to set its story beside that unit's."""
    later = LATER.search(title)
    beside = later is not None and later.start() <= mention.start < later.end()
    return COMPARED.match(title, mention.end) is not None or (beside and mention.unit.startswith("entity:"))


def terms(text: str, words: re.Pattern[str] = HANGUL_OR_LATIN_WORD) -> Counter[str]:
    """Bigrams of Hangul syllables within words, and Latin words but the commonest."""
    counts: Counter[str] = Counter()
    for word in words.findall(caseless(text)):
        if "가" <= word[0] <= "힣":
            counts.update(word[start : start + 2] for start in range(len(word) - 1))
        elif word not in STOP_WORDS:
            counts[word] += 1
    return counts


def sounds(text: str) -> frozenset[str]:
    """How the names in a text sound: each word of Hangul may be one, and of Latin letters each that begins with a
    capital."""
    found: set[str] = set()
    for word in NAME_LIKE.findall(text):
        if word[0] >= "가":
            found.update(of_hangul(word))
        elif word.casefold() not in STOP_WORDS:
            found.update(of_latin(word))
    return frozenset(found)


def without_names(text: str, mentions: Iterable[NamedUnit]) -> str:
    """The text with a gap where a unit is named."""
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text
