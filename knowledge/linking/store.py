"""Linking as the rest of the service uses it: texts to public ids, documents to stored mentions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db import transaction

from knowledge.linking.gazetteer import Gazetteer, current_gazetteer
from knowledge.linking.hangul import LONGEST_TAIL, is_syllable, read_tail
from knowledge.linking.lexicon import COMMON_ACRONYMS, ENGLISH_WORDS
from knowledge.linking.linker import Found, Linker
from knowledge.linking.names import Names
from knowledge.models import Document, Mention, MentionReview, Relinking, Unit, Verdict
from knowledge.normalise import fold, normalise_alias

SERIES_WORDS_MAX = 8  # of one name of a series
PHRASE_WORDS_MAX = 8
QUESTION_WORDS_MAX = 60  # in which phrases are looked for
APART_MIN = 4  # characters of a name that is written in several words
_OWN = ("label", "symbol", "alias")
_WORD = re.compile(r"[^\s,?!;:()\"'“”‘’]+")
TICKER_MIN = 3  # letters of a ticker that is written small
_SMALL_TICKER = re.compile(rf"(?<![\w$.-])[a-z0-9]{{{TICKER_MIN},}}(?![\w-])(?!\.\w)", re.ASCII)
_LATIN_BEFORE, _LATIN_AFTER = re.compile(r"[a-z][\s,]*\Z"), re.compile(r"[\s,]*[a-z]")
_COIN_AFTER = re.compile(r"\s?(?:(?:meme)?coins?\b|tokens?\b|(?:밈)?코인|토큰)")
_ENDING = " ?!.~"  # of a question
# What puts two words in a row: Steem and Hive, 네오랑 가스.
_ROW = r"(?:(?:와|과|이?랑|이?하고)\s+|\s+(?:and|or|vs\.?|versus|&|및|대)\s+|\s*/\s*)"
_ROW_WORD = r"([^\s,?!;:()/]+?)"
_ROW_AFTER = re.compile(rf"{_ROW}{_ROW_WORD}(?![^\s,?!;:()/.])", re.IGNORECASE)
_ROW_BEFORE = re.compile(rf"(?<![^\s,?!;:()/]){_ROW_WORD}{_ROW}\Z", re.IGNORECASE)
_AGAINST = re.compile(r"\s(?:vs|versus)\b", re.IGNORECASE)


class Place(NamedTuple):
    """What a mention says, and all that it says."""

    document_id: int
    unit_id: int
    start: int
    end: int
    surface: str


def units_named(text: str, *, crypto_channel: bool = False) -> list[str]:
    """The public ids of the units that ``text`` names, one for each mention, in reading order; of a name within
    another's none: who asks of 비트코인 반감기 asks of the halving.
    """
    gazetteer = current_gazetteer(text)
    found = gazetteer.linker.find(text, crypto_channel=crypto_channel)
    return [gazetteer.names.public_id(one.unit) for one in _outermost(found)]


def _outermost(found: Iterable[Found]) -> Iterator[Found]:
    end = 0
    for one in found:
        if one.start >= end:
            yield one
            end = one.end


class Said(NamedTuple):
    """A stretch of a question, and the public ids of the units that it names or asks for."""

    start: int
    end: int
    public_ids: tuple[str, ...]
    is_phrase: bool

    def overlaps(self, other: "Said") -> bool:
        return self.start < other.end and other.start < self.end


def names_in(text: str) -> list[Said]:
    """Where ``text`` names units, doubtful names read as in a channel on crypto, in reading order; an asset within a
    topic's or an event's name follows it."""
    gazetteer = current_gazetteer(text)
    found = gazetteer.linker.find(text, crypto_channel=True)
    return [Said(one.start, one.end, (gazetteer.names.public_id(one.unit),), False) for one in found]


def units_asked(question: str, *, crypto_channel: bool = False) -> list[Said]:
    """The units that a short text such as a question names, and those it asks for by one of their phrases, in reading
    order. Of stretches that overlap the longest counts, the name where they are equally long; a phrase of several units
    stands for them all. A phrase that ends with a question mark is the whole question, or nothing. Tickers are read in
    small letters, too."""
    gazetteer = current_gazetteer(question)
    names, found = gazetteer.names, gazetteer.linker.find(question, crypto_channel=crypto_channel)
    said = [Said(one.start, one.end, (names.public_id(one.unit),), False) for one in found]
    said += [
        *_phrases_in(question, names),
        *_whole_phrase(question, names),
        *_small_tickers(question, gazetteer),
    ]
    said += [other for one in said if not one.is_phrase for other in _in_a_row_with(one, question, names)]
    kept: list[Said] = []
    for one in sorted(said, key=lambda one: (one.start - one.end, one.is_phrase)):
        if not any(map(one.overlaps, kept)):
            kept.append(one)
    return sorted(kept)


def _in_a_row_with(one: Said, question: str, names: Names) -> Iterator[Said]:
    """The word that "and" or "vs" puts in a row with a name, where it is a doubtful name of something of that sort:
    Steem and Hive. It may share the name's last word: GENIUS and CLARITY Acts."""
    words = question[one.start : one.end].split()
    shared = words[-1].rstrip("s") if len(words) > 1 else ""
    beside = _ROW_AFTER.match(question, one.end), _ROW_BEFORE.search(question, 0, one.start)
    for found in filter(None, beside):
        for reading in _readings(found[1]):
            if reading in ENGLISH_WORDS and not _AGAINST.search(found[0]):
                continue
            borne = (
                *names.called(normalise_alias(reading)),
                *names.called(normalise_alias(reading + shared)),
            )
            own = (names.public_id(name.unit) for name in borne if name.source in _OWN)
            if alike := [each for each in own if _type(each) == _type(one.public_ids[0])]:
                start = found.start(1)
                yield Said(start, start + len(reading), tuple(dict.fromkeys(alike)), False)
                break


def _type(public_id: str) -> str:
    return public_id.partition(":")[0]


def _phrases_in(question: str, names: Names) -> list[Said]:
    """The phrases that stand in a question, and the names that it takes apart, such as 트럼프 코인; at each word the
    longest."""
    folded = fold(question)
    words = list(_WORD.finditer(folded.low))[:QUESTION_WORDS_MAX]
    found = []
    for at, first in enumerate(words):
        for last in reversed(words[at : at + PHRASE_WORDS_MAX]):
            written = folded.low[first.start() : last.end()]
            for reading in _readings(written.rstrip(".")):
                norm = normalise_alias(reading)
                borne = names.called(norm)
                asked = {name.unit for name in borne if name.source == "phrase"}
                if _is_apart(reading, norm):
                    asked |= {name.unit for name in borne if name.source in _OWN and not name.ambiguous}
                if asked:
                    span = folded.span(first.start(), first.start() + len(reading))
                    is_phrase = all(name.source == "phrase" for name in borne)
                    found.append(Said(*span, tuple(map(names.public_id, sorted(asked))), is_phrase))
                    break
    return found


def _small_tickers(question: str, gazetteer: Gazetteer) -> Iterator[Said]:
    """The tickers that a question writes in small letters, as the linker would read them in capitals: "what is hbar".
    One that is an English word as well, such as link, counts alone among Korean words, or before "coin"."""
    small = [
        word.span() for word in _SMALL_TICKER.finditer(question) if _may_be_ticker(word, gazetteer.names)
    ]
    if not small:
        return
    written = list(question)
    for start, end in small:
        written[start:end] = question[start:end].upper()
    for one in gazetteer.linker.find("".join(written), crypto_channel=True):
        if (one.start, one.end) in small:
            yield Said(one.start, one.end, (gazetteer.names.public_id(one.unit),), False)


def _may_be_ticker(word: re.Match[str], names: Names) -> bool:
    if not any(name.source in _OWN for name in names.called(word.group())):
        return False
    before, after = word.string[: word.start()].lower(), word.string[word.end() :].lower()
    if not _is_everyday(word.group()) or _COIN_AFTER.match(after):
        return True
    is_alone = not (_LATIN_BEFORE.search(before) or _LATIN_AFTER.match(after))
    return is_alone and any(map(is_syllable, word.string))


def _is_everyday(word: str) -> bool:
    return word in ENGLISH_WORDS or word in COMMON_ACRONYMS


def _is_apart(reading: str, norm: str) -> bool:
    """Whether these are Korean words that make one name when they are joined, too long to do so by chance."""
    return " " in reading and is_syllable(reading[0]) and len(norm) >= APART_MIN


def _whole_phrase(question: str, names: Names) -> list[Said]:
    """The question itself where it is a phrase with a question mark, but for a particle at its end."""
    for reading in _readings(fold(question).low.strip().rstrip(_ENDING)):
        borne = names.called(f"{normalise_alias(reading)}?")
        if asked := sorted({name.unit for name in borne if name.source == "phrase"}):
            return [Said(0, len(question), tuple(map(names.public_id, asked)), True)]
    return []


class NamedSeries(NamedTuple):
    """A name of a series that stands in a text: the key of the unit that holds the series, and the name's norm."""

    unit: int
    norm: str


def series_named(text: str) -> list[NamedSeries]:
    """The series that a short text, such as a question, calls by name, in reading order; of two names at one place the
    longer. What a unit bears as a name of its own is said of it, and of a series only where it holds that."""
    names = current_gazetteer(text).names
    words = [word.rstrip(".") for word in _WORD.findall(fold(text).low)]
    found: list[NamedSeries] = []
    at = 0
    while at < len(words):
        length, said = _series_at(words[at : at + SERIES_WORDS_MAX], names)
        found += said
        at += length
    return found


def _series_at(words: Sequence[str], names: Names) -> tuple[int, list[NamedSeries]]:
    """The series whose name these words begin with, and of how many words it is; 1 where they begin with none."""
    for length in range(len(words), 0, -1):
        for reading in _readings(" ".join(words[:length])):
            norm = normalise_alias(reading)
            if borne := [name for name in names.called(norm) if name.source != "phrase"]:
                own = {name.unit for name in borne if name.source != "series"}
                held = {name.unit for name in borne if name.source == "series"}
                return length, [NamedSeries(unit, norm) for unit in sorted(held & own if own else held)]
    return 1, []


def _readings(written: str) -> Iterator[str]:
    """The words as they are written, then without what may be a particle at their end."""
    yield written
    for start in range(len(written) - 1, max(0, len(written) - 1 - LONGEST_TAIL), -1):
        if not is_syllable(written[start]):
            return
        if read_tail(written[start:]):
            yield written[:start]


@transaction.atomic
def link_documents(documents: Iterable[Document], gazetteer: Gazetteer | None = None) -> list[int]:
    """Bring the mentions of stored documents in line with their texts, by the gazetteer at hand unless one is given.

    A mention belongs to the unit that holds the alias, so that unmerging needs no linking. Linking twice
    changes nothing. Which version of the names was used is noted in the same transaction: where it was not the newest
    by the commit, the worker links these documents again. Returns the keys of the documents whose mentions changed.
    """
    gazetteer, documents = gazetteer or current_gazetteer(), list(documents)
    keys = [document.pk for document in documents]
    mentions = Mention.objects.filter(document__in=keys)
    present = {Place(*row): pk for pk, *row in mentions.values_list("pk", *Place._fields)}
    wanted = _wanted(documents, gazetteer.linker)
    stale, fresh = present.keys() - wanted, wanted - present.keys()
    changed = sorted({place.document_id for place in stale | fresh})
    # The triggers lock what each statement changes; always in key order, or two workers would deadlock.
    list(
        Document.objects.filter(pk__in=changed)
        .order_by("pk")
        .select_for_update(no_key=True)
        .values_list("pk")
    )
    Mention.objects.filter(pk__in=[present[place] for place in stale]).delete()
    # Another worker may have linked the same document meanwhile; its mentions are the same ones.
    Mention.objects.bulk_create(
        [Mention(**place._asdict()) for place in sorted(fresh)], ignore_conflicts=True
    )
    if keys:
        _note_version(keys, gazetteer)
    return changed


def link_new(documents: Sequence[Document]) -> dict[int, list[str]]:
    """Store the mentions of documents that the caller's transaction inserted: what ``link_documents`` does, without a
    look at what cannot be there yet. Returns the public ids that each of them mentions, in reading order.
    """
    gazetteer = current_gazetteer()
    places = _places(documents, gazetteer.linker)
    public_ids = _public_ids(places)
    wanted = sorted(place for place in places if place.unit_id in public_ids)
    Mention.objects.bulk_create([Mention(**place._asdict()) for place in wanted])
    _note_version([document.pk for document in documents], gazetteer)
    mentioned: dict[int, list[str]] = {}
    for place in sorted(wanted, key=lambda place: place.start):
        mentioned.setdefault(place.document_id, []).append(public_ids[place.unit_id])
    return mentioned


def _note_version(keys: list[int], gazetteer: Gazetteer) -> None:
    Relinking.objects.create(norms=[], documents=keys, version=gazetteer.version)


def _wanted(documents: Iterable[Document], linker: Linker) -> set[Place]:
    """The mentions that the texts hold, but for those of which an editor said that they are not meant."""
    reviews = MentionReview.objects.filter(document__in=documents, verdict=Verdict.REFUSED)
    refused = set(reviews.values_list("document_id", "unit_id", "surface"))
    places = _places(documents, linker)
    there = _public_ids(places)
    return {one for one in places if one.unit_id in there and (*one[:2], one.surface) not in refused}


def _places(documents: Iterable[Document], linker: Linker) -> set[Place]:
    return {
        Place(document.pk, int(one.owner), one.start, one.end, one.surface[:200])
        for document in documents
        for one in linker.find(document.text, crypto_channel=document.source.crypto)
    }


def _public_ids(places: Iterable[Place]) -> dict[int, str]:
    """Of the units that these places name and that are there: the gazetteer may be older than a unit's deletion."""
    units = Unit.objects.filter(pk__in={place.unit_id for place in places})
    return {pk: f"{prefix}:{slug}" for pk, prefix, slug in units.values_list("pk", "prefix", "slug")}
