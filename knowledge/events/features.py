"""What is compared of a document: its words, the units it names, and what it says is done (design: events). Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from knowledge.events.actions import action_facets, is_column, is_denial
from knowledge.events.figures import figures
from knowledge.events.indicators import indicators
from knowledge.events.meanings import common_beginning, is_common, meanings, without_phrases
from knowledge.events.sounds import LONGEST, loosely, of_hangul, of_latin, parties
from knowledge.pulses.headlines import caseless

HANGUL_OR_LATIN_WORD = re.compile(r"[가-힣]+|[a-z][a-z0-9]*")
BACKGROUND = re.compile(r"[^,…]{3,25}?(?:[나하되르오]자|직후|이후)[\s,]+")
COMPARED = re.compile(r"보다|처럼|(?:에\s)?이어")
LATER = re.compile(
    r"\b(?:days?|weeks?|hours?) after .*|"
    r"[가-힣A-Za-z]+(?:에)?\s?(?:이어|(?:하루|이틀|사흘|나흘|닷새|일주일)\s?만에)\s?또"
)
HANGUL = re.compile("[가-힣]")
NOTICE = re.compile(r"\[(?:공지|안내|긴급|거래|입출금|이벤트|마켓|점검|신규|notice)", re.IGNORECASE)
NAME_LIKE = re.compile(r"[가-힣]{2,}|[A-Z][A-Za-z]{2,19}")
# What stands behind a common word of Hangul and makes no name of it.
PARTICLE = re.compile(
    r"에서|에게|으로|이라|까지|부터|보다|처럼|한다|했다|하는|하고|하며|하나|됐다|된다|되는|되나|이다|였다|에도|에는|에만|"
    r"들이|들은|들의|만에|이나|에선|했나|인가|시킨|시켜|해야|한단|다고|라고"
)
LEAST_NAME = 2  # syllables
# What verbs and adjectives end in, and names do not.
VERB = re.compile("(?:다|까|네|며|려|자는|라며|[았었였했됐겠][나지던는던]?|[는운은]가|니다)$")
COMMON_ENDING = re.compile("(?:ly|ing|ed|tion|ment|ness|ers)$")
# The currencies in which an exchange trades what it lists are not what it lists.
CURRENCIES = re.compile(r"\([A-Z, /·]*\s?(?:마켓|[Mm]arket)s?\)")
# What an exchange lists, halts or drops stands with its ticker in a notice, also where it is no unit.
TICKER = re.compile(r"\(([A-Z][A-Z0-9]{1,9})\)")
TRADED = frozenset(["listing", "delisting", "caution", "promotion", "halt", "maintenance"])
LEAD_SHARE = 0.4  # of what a word of the headline counts
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
    exchanges, banks and the like that are no units; `sounds` are all names of the headline but units, `heard` those of
    units too: each as it is written, and as it sounds after a "~". `subjects` are the names that are surely names, each
    as its possible writings and sounds with "|" between, and the tickers of assets that are no units, as "asset:LUMI".
    `meanings` are those of the words beside the names, with 1 for one of the headline and less for one of the lead;
    `whole` says how often each term stands in the text.
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
    subjects: frozenset[str]
    meanings: Mapping[str, float]
    whole: Mapping[str, float]


def counted(document: EventDoc, at: datetime, mentions: Collection[NamedUnit]) -> Features:
    """What is compared of a document of this time."""
    background = BACKGROUND.match(document.title)
    told_from = background.end() if background else 0
    title, end = document.title[told_from:], len(document.title)
    beside = [found.span() for words in (CURRENCIES, LATER) for found in words.finditer(document.title)]
    mentions = [m for m in mentions if m.start == m.end or not any(a <= m.start < b for a, b in beside)]
    mentions += [replace(m, unit=BODIES[m.unit]) for m in mentions if m.unit in BODIES]
    in_title = [mention for mention in mentions if mention.start < mention.end <= end]
    told = [m for m in in_title if told_from <= m.start and not COMPARED.match(document.title, m.end)]
    if not any(mention.unit.startswith("entity:") for mention in told):
        told += [mention for mention in mentions if mention.start == mention.end]
    # What a headline compares its story with is no name of the story's.
    foreground = LATER.sub(" ", without_names(document.title, in_title))
    known = any(mention.start == mention.end for mention in mentions)
    author = frozenset[str]() if known else _author(document)
    names = sounds(foreground) | author | indicators(title)
    if not names and not any(mention.unit.startswith("entity:") for mention in in_title):
        names = sounds(without_names(document.text, mentions)[end:])
    facets = action_facets(title, document.lead)
    return Features(
        at=at,
        lang=document.lang,
        units=frozenset(mention.unit for mention in mentions),
        headline_units=frozenset(mention.unit for mention in told),
        facets=facets,
        denies=is_denial(document.title, document.lead),
        is_column=is_column(document.title),
        parties=frozenset().union(*_parties(foreground)) or author,
        figures=figures(document.title),
        sounds=names,
        heard=names | sounds(LATER.sub(" ", document.title)),
        subjects=subjects(foreground) | _tickers(title, facets, in_title),
        meanings=_meanings(document, mentions),
        whole=terms(document.text),
    )


def _author(document: EventDoc) -> frozenset[str]:
    """The names of an outlet that speaks for itself."""
    spoken = parties(document.outlet) or NOTICE.match(document.title)
    return sounds(document.outlet) if spoken else frozenset()


def _tickers(title: str, facets: frozenset[str], mentions: Iterable[NamedUnit]) -> frozenset[str]:
    """The assets that a headline on trading names by their tickers, where none of them is a unit."""
    if facets.isdisjoint(TRADED) or any(mention.unit.startswith("asset:") for mention in mentions):
        return frozenset()
    return frozenset(f"asset:{ticker}" for ticker in TICKER.findall(title))


def _meanings(document: EventDoc, mentions: Collection[NamedUnit]) -> dict[str, float]:
    named = [mention for mention in mentions if mention.unit.startswith(("entity:", "asset:"))]
    text, end = without_names(document.text, named), len(document.title)
    of_lead = dict.fromkeys(meanings(caseless(text[end:])), LEAD_SHARE)
    return of_lead | dict.fromkeys(meanings(caseless(LATER.sub(" ", text[:end]))), 1.0)


def terms(text: str) -> Counter[str]:
    """Bigrams of Hangul syllables within words, and Latin words but the commonest."""
    counts: Counter[str] = Counter()
    for word in HANGUL_OR_LATIN_WORD.findall(caseless(text)):
        if "가" <= word[0] <= "힣":
            counts.update(word[start : start + 2] for start in range(len(word) - 1))
        elif word not in STOP_WORDS:
            counts[word] += 1
    return counts


def sounds(text: str) -> frozenset[str]:
    """The names in a text, each as it is written and, after a "~", as it sounds: each word of Hangul may be one, and of
    Latin letters each that begins with a capital, unless it is a common word."""
    words = NAME_LIKE.findall(without_phrases(text))
    found = (name for word in words for name in (_of_hangul(word) if word[0] >= "가" else _of_latin(word)))
    return frozenset(found).union(*_parties(text))


def subjects(text: str) -> frozenset[str]:
    """The names in a text that are surely names, each as its possible writings and sounds with "|" between: those that
    stand with their kind, in Hangul, and any of Latin letters."""
    latin = (_of_latin(word) for word in NAME_LIKE.findall(without_phrases(text)) if word[0] < "가")
    hangul = _parties(text) if HANGUL.search(text) else ()
    return frozenset(filter(None, ("|".join(sorted(names)) for names in (*map(set, latin), *hangul))))


def _parties(text: str) -> list[set[str]]:
    return [{name, *(f"~{loosely(sound)}" for sound in heard)} for name, heard in parties(text)]


def _of_hangul(word: str) -> Iterable[str]:
    common = common_beginning(word)
    rest = word[common:]
    if VERB.search(word) or (
        common and (len(rest) < LEAST_NAME or PARTICLE.match(rest) or common_beginning(rest))
    ):
        return ()
    # A name may begin with a common word, as 코인마당 does.
    lengths = range(max(LEAST_NAME, common + 2 if common else 0), min(len(word), LONGEST) + 1)
    heard = set(of_hangul(word)).difference(of_hangul(word[: common + 1]) if common else ())
    return {word[:length] for length in lengths} | {f"~{loosely(sound)}" for sound in heard}


def _of_latin(word: str) -> Iterable[str]:
    plain = word.casefold()
    if plain in STOP_WORDS or is_common(plain) or COMMON_ENDING.search(plain):
        return ()
    return {plain, *(f"~{loosely(sound)}" for sound in of_latin(word))}


def without_names(text: str, mentions: Iterable[NamedUnit]) -> str:
    """The text with a gap where a unit is named."""
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text
