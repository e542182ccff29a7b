"""The starter canon is what readers see on the first day: its files must hold together without a database."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import orjson
import pytest

from knowledge.canon.units import lines_of
from knowledge.models import SourceKind
from knowledge.models.reader_questions import read_question, tidied_questions, unanswered
from knowledge.models.source_urls import checked, tidied
from knowledge.normalise import normalise_alias
from knowledge.search.sentences import split_sentences
from knowledge.sources.adapters import ADAPTERS
from tests import stated_numbers

ROOT = Path(__file__).parents[2]
CANON = ROOT / "knowledge" / "canon"
SEED_QUESTIONS = ROOT / "ask" / "canon" / "seed_questions.json"
UNIT_FILES = ("assets", "organisations", "people", "topics", "events", "creators")
PREFIXED = ("asset", "creator", "topic", "event")

# Short Hangul that nobody writes in any other sense; every other name of at most two syllables is ambiguous.
DISTINCTIVE_SHORT_NAMES = {"빗썸", "코빗", "연준", "김프", "파월", "닥사"}
HANGUL_SHARE = 0.7  # of the letters of a Korean text: tickers and names stay in Latin script
SUMMARY_MAX_LENGTH = 900
# Files whose summaries state the same in both languages.
SAME_IN_BOTH = (*UNIT_FILES, "personas")
# Files whose summaries answer: each has this many sentences of facts, in both languages. Of the assets these are the
# best known, which are those of the largest market value, with which assets.json begins; the rest have fewer.
ANSWERING = ("assets", "topics", "events", "organisations", "people")
FACTS_MIN = 3
BEST_KNOWN_ASSETS, FACTS_MIN_OF_OTHER_ASSETS = 60, 2
# How many phrases ask for each unit of a file at least, in Korean and in English.
PHRASES_MIN = {
    "events": (6, 4),
    "topics": (6, 4),
    "people": (3, 3),
    "organisations": (2, 1),
    "assets": (2, 2),
}
# Phrases that stand for two units each, since nearly everybody who types them may mean either.
SHARED_PHRASES = {
    "팍소스 스테이블코인",
    "Paxos stablecoin",
    "코인 전송 수수료",
    "비트코인 레이어2",
    "Bitcoin layer 2",
    "미국 코인법",
    "US crypto law",
    "한국 금융당국",
    "Korean financial regulator",
    "페이스북 출신 코인",
    "ex-Facebook coin",
    "병렬 EVM",
    "parallel EVM",
    "권도형 코인",
    "Do Kwon coin",
    "솔라나 강아지 코인",
    "Solana dog coin",
    "사물인터넷 코인",
    "IoT coin",
    "메타버스 코인",
    "metaverse coin",
    "댄 라리머 코인",
    "Dan Larimer coin",
    "안드레 크로녜 코인",
    "Andre Cronje coin",
    "글 쓰면 돈 주는",
    "DID 코인",
    "GPU 클라우드 코인",
    "GPU cloud coin",
    "RWA 체인",
    "RWA chain",
}
FILE_MAX_BYTES = 600_000
TITLED_MIN = 0.97  # of all units: some channels have a Korean name only
TICKERS_THAT_ARE_NAMES = {"BNB", "XRP", "JUST", "MANTRA"}

Record = dict[str, Any]


def _read(path: Path) -> dict[str, Any]:
    data = orjson.loads(path.read_bytes())
    assert isinstance(data, dict)
    return data


def _units_of(name: str) -> list[Record]:
    units: list[Record] = _read(CANON / f"{name}.json")["personas" if name == "personas" else "units"]
    return units


def _units() -> list[Record]:
    return [unit for name in (*UNIT_FILES, "personas") for unit in _units_of(name)]


def _redirects() -> list[Record]:
    redirects: list[Record] = _read(CANON / "assets.json")["redirects"]
    return redirects


def _personas() -> list[Record]:
    personas: list[Record] = _read(CANON / "personas.json")["personas"]
    return personas


def _sources() -> list[Record]:
    sources: list[Record] = _read(CANON / "sources.json")["sources"]
    return sources


def _questions() -> list[Record]:
    questions: list[Record] = _read(SEED_QUESTIONS)["questions"]
    return questions


def _public_id(record: Record) -> str:
    prefix = record["type"] if record["type"] in PREFIXED else "entity"
    return f"{prefix}:{record['slug']}"


def _ids() -> set[str]:
    return {_public_id(unit) for unit in _units()}


def _hangul_share(text: str) -> float:
    letters = [char for char in text if char.isalpha()]
    return sum("가" <= char <= "힣" for char in letters) / len(letters)


def _sentences(text: str) -> list[str]:
    # "Mt. Gox" is one name, and an exclamation mark may be part of a channel's.
    return [part.strip() for part in re.split(r"(?<!Mt\.)(?<!Dr\.)(?<=[.?])\s+", text) if part.strip()]


def _prose() -> Iterator[tuple[str, str]]:
    """(where, text) of every text that a reader may see quoted."""
    for unit in _units():
        yield _public_id(unit), unit["summary"]
        yield _public_id(unit), unit["summary_en"]
    for persona in _personas():
        for post in persona["posts"]:
            yield f"{_public_id(persona)}/{post['slug']}", post["body"]


def _moment(value: str) -> datetime:
    moment = datetime.fromisoformat(value)
    assert moment.utcoffset() is not None, value
    return moment.astimezone(UTC)


def test_the_canon_is_large_enough_for_a_first_day() -> None:
    counts = Counter(unit["type"] for unit in _units())
    assert counts["asset"] >= 170
    assert counts["company"] + counts["organisation"] >= 70
    assert counts["person"] >= 20
    assert counts["topic"] >= 50
    assert counts["event"] >= 16
    assert len(_personas()) == 3


@pytest.mark.parametrize("path", [*sorted(CANON.glob("*.json")), SEED_QUESTIONS])
def test_a_file_is_readable_utf8_of_moderate_size(path: Path) -> None:
    body = path.read_bytes()
    assert len(body) <= FILE_MAX_BYTES
    assert body.endswith(b"\n")
    assert "\\u" not in body.decode(), "text is written as it reads, not escaped"


def test_public_ids_are_unique_and_well_formed() -> None:
    ids = Counter(_public_id(record) for record in [*_units(), *_redirects()])
    assert [public_id for public_id, count in ids.items() if count > 1] == []
    slugs = [record["slug"] for record in [*_units(), *_redirects()]]
    assert [slug for slug in slugs if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)] == []


def test_every_reference_leads_to_a_unit() -> None:
    ids = _ids()
    wanted = [(event["slug"], ref) for event in _units() for ref in event.get("entities", [])]
    wanted += [(event["slug"], ref) for event in _units() for ref in event.get("topics", [])]
    posts = [post for persona in _personas() for post in persona["posts"]]
    wanted += [(post["slug"], ref) for post in posts for ref in post["units"]]
    wanted += [(source["slug"], source["creator"]) for source in _sources() if source.get("creator")]
    wanted += [(redirect["slug"], redirect["into"]) for redirect in _redirects()]
    wanted += [(source["slug"], market["asset"]) for source in _sources() for market in _markets(source)]
    assert [(owner, ref) for owner, ref in wanted if ref not in ids] == []


def _markets(source: Record) -> list[Record]:
    markets: list[Record] = source["settings"].get("markets", [])
    return markets


def test_every_unit_is_known_by_its_label_and_by_one_more_name_if_it_is_an_asset() -> None:
    for unit in _units():
        norms = {normalise_alias(alias["surface"]) for alias in unit["aliases"]}
        assert normalise_alias(unit["label"]) in norms, unit["slug"]
        if unit["type"] == "asset":
            assert len(unit["aliases"]) >= 2, unit["slug"]
            assert re.search("[가-힣]", unit["label"]), unit["slug"]


def test_an_unambiguous_alias_belongs_to_one_unit_only() -> None:
    owners: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for unit in _units():
        for alias in unit["aliases"]:
            owners[normalise_alias(alias["surface"])].append((_public_id(unit), alias["ambiguous"]))
    shared = {norm: found for norm, found in owners.items() if len({owner for owner, _ in found}) > 1}
    assert {norm: found for norm, found in shared.items() if not all(flag for _, flag in found)} == {}
    doubled = [norm for norm, found in owners.items() if sum(not flag for _, flag in found) > 1]
    assert doubled == []


def test_aliases_have_the_form_the_linker_reads() -> None:
    for unit in _units():
        surfaces = [alias["surface"] for alias in unit["aliases"]]
        assert len(surfaces) == len(set(surfaces)), unit["slug"]
        for alias in unit["aliases"]:
            assert set(alias) == {"surface", "lang", "ambiguous", "case_sensitive", "blocked_contexts"}
            assert 0 < len(alias["surface"]) <= 120
            assert normalise_alias(alias["surface"])
            assert (alias["lang"] == "ko") == bool(re.search("[가-힣]", alias["surface"])), alias["surface"]


def test_short_hangul_names_are_ambiguous_unless_reviewed() -> None:
    judged = {
        alias["surface"]
        for unit in _units()
        for alias in unit["aliases"]
        if re.fullmatch("[가-힣]{1,2}", normalise_alias(alias["surface"])) and not alias["ambiguous"]
    }
    assert judged == DISTINCTIVE_SHORT_NAMES


@pytest.mark.parametrize("symbol", ["SOL", "NEAR", "LINK", "ETC", "APT", "SUI", "ADA"])
def test_a_ticker_that_reads_as_a_word_needs_its_exact_case(symbol: str) -> None:
    found = [a for unit in _units() for a in unit["aliases"] if a["surface"] == symbol]
    assert found
    assert all(alias["case_sensitive"] for alias in found)


def test_a_single_latin_letter_is_never_an_alias() -> None:
    surfaces = [alias["surface"] for unit in _units() for alias in unit["aliases"]]
    assert [surface for surface in surfaces if len(surface) < 2 and surface.isascii()] == []


def test_summaries_are_korean_prose_with_an_english_twin() -> None:
    for unit in _units():
        summary, english = unit["summary"], unit["summary_en"]
        assert max(len(summary), len(english)) <= SUMMARY_MAX_LENGTH, unit["slug"]
        assert summary.endswith("다."), unit["slug"]
        assert english.endswith((".", '."')), unit["slug"]
        assert _hangul_share(summary) >= HANGUL_SHARE, unit["slug"]
        assert not re.search("[가-힣]", english), unit["slug"]


@pytest.mark.parametrize("name", SAME_IN_BOTH)
def test_both_languages_of_a_summary_state_the_same_numbers(name: str) -> None:
    differing = []
    for unit in _units_of(name):
        ko, en = stated_numbers.korean(unit["summary"]), stated_numbers.english(unit["summary_en"])
        differing += [f"{unit['slug']}: the English lacks {number}" for number in ko.missing_in(en)]
        differing += [f"{unit['slug']}: the Korean lacks {number}" for number in en.missing_in(ko)]
    assert not differing, "\n".join(differing)


@pytest.mark.parametrize("name", ANSWERING)
def test_a_summary_has_enough_sentences_of_facts(name: str) -> None:
    few = []
    for rank, unit in enumerate(_units_of(name)):
        little_known = name == "assets" and rank >= BEST_KNOWN_ASSETS
        least = FACTS_MIN_OF_OTHER_ASSETS if little_known else FACTS_MIN
        counts = [
            len(split_sentences(unit[f"summary{suffix}"], lang))
            for suffix, lang in (("", "ko"), ("_en", "en"))
        ]
        few += [f"{unit['slug']}: {counts} sentences of {least}"] if min(counts) < least else []
    assert not few, "\n".join(few)


def test_the_first_sentence_of_a_summary_names_what_it_defines() -> None:
    for unit in _units():
        names = [alias["surface"] for alias in unit["aliases"]] + [unit["label"]]
        opening = normalise_alias(_sentences(unit["summary"])[0])
        assert any(normalise_alias(name) in opening for name in names), unit["slug"]


def test_no_sentence_is_used_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for where, text in _prose():
        for sentence in _sentences(text):
            places[sentence].append(where)
    assert {sentence: found for sentence, found in places.items() if len(found) > 1} == {}


def test_summaries_give_no_advice_and_no_price_of_the_day() -> None:
    advice = "추천합니다|매수하세요|사야 한다|유망|목표가|should buy|price target"
    forbidden = re.compile(f"{advice}|현재 가격|현재가|오늘 가격|current price")
    assert [(where, text) for where, text in _prose() if forbidden.search(text)] == []


ONLY_BY_HTTP = {"http://www.hashcash.org/papers/hashcash.pdf"}


def test_a_third_of_the_records_say_where_their_facts_come_from_beside_the_website() -> None:
    sourced = {_public_id(unit): unit["source_urls"] for unit in _units() if unit.get("source_urls")}
    assert len(sourced) > 150
    assert {
        public_id for public_id, urls in sourced.items() if checked(tidied(urls)) != tidied(urls)
    } == set()
    websites = {_public_id(unit): unit.get("website", "").rstrip("/") for unit in _units()}
    repeated = [name for name, urls in sourced.items() if websites[name] in {url.rstrip("/") for url in urls}]
    assert repeated == []


def test_addresses_are_https_and_carry_no_secret() -> None:
    addresses = [unit.get("website", "") for unit in _units()]
    addresses += [url for unit in _units() for url in unit.get("source_urls", [])]
    addresses += [source[name] for source in _sources() for name in ("url", "homepage")]
    for address in filter(None, addresses):
        parts = urlsplit(address)
        assert parts.scheme == "https" or address in ONLY_BY_HTTP, address
        assert "." in (parts.hostname or ""), address
        assert parts.username is None
        assert not re.search(r"(api_?key|token|secret)=", address, re.IGNORECASE), address


def test_events_are_dated_in_their_slug_and_tied_to_units() -> None:
    seoul = ZoneInfo("Asia/Seoul")
    for event in (unit for unit in _units() if unit["type"] == "event"):
        moment = _moment(event["occurred_at"])
        # An event on the other side of the date line may carry the month of its own place.
        months = {f"{moment.astimezone(seoul):%Y-%m}", f"{moment:%Y-%m}"}
        assert event["slug"][:7] in months, event["slug"]
        assert event["entities"], event["slug"]
        assert event["topics"], event["slug"]


def test_creators_stay_drafts_until_their_feed_proves_them() -> None:
    creators = _read(CANON / "creators.json")["units"]
    assert {creator["status"] for creator in creators} == {"draft"}
    ids = [creator["channel_id"] for creator in creators if creator["channel_id"]]
    assert all(re.fullmatch(r"UC[\w-]{22}", channel) for channel in ids)
    assert len(ids) == len(set(ids))
    feeds = {source["creator"]: source["url"] for source in _sources() if source.get("creator")}
    assert feeds == {
        _public_id(creator): f"https://www.youtube.com/feeds/videos.xml?channel_id={creator['channel_id']}"
        for creator in creators
        if creator["channel_id"]
    }


def test_a_persona_says_that_it_is_a_machine() -> None:
    personas = _personas()
    assert len({persona["glyph"] for persona in personas}) == len(personas)
    for persona in personas:
        assert len(persona["glyph"]) == 1
        assert "AI 페르소나" in persona["disclosure"]
        assert "AI persona" in persona["disclosure_en"]
        assert "AI 페르소나" in persona["summary"]
        assert persona["voice"]


def test_a_persona_writes_short_dated_opinions_about_units() -> None:
    for persona in _personas():
        posts = persona["posts"]
        assert len(posts) >= 4
        assert len({post["slug"] for post in posts}) == len(posts)
        for post in posts:
            assert 2 <= len(_sentences(post["body"])) <= 5, post["slug"]
            assert _hangul_share(post["body"]) >= HANGUL_SHARE, post["slug"]
            assert post["units"], post["slug"]
            assert _moment(post["published_at"]) > datetime(2026, 1, 1, tzinfo=UTC)


def test_sources_cover_every_adapter_with_its_own_kind() -> None:
    sources = _sources()
    assert {source["adapter"] for source in sources} == set(ADAPTERS)
    assert len({source["slug"] for source in sources}) == len(sources)
    kinds = {(source["adapter"], source["kind"]) for source in sources}
    assert len(kinds) == len(ADAPTERS), kinds
    assert {kind for _adapter, kind in kinds} == set(SourceKind.values)
    for source in sources:
        assert source["interval_minutes"] >= 5, source["slug"]
        if source["naive_timezone"]:
            ZoneInfo(source["naive_timezone"])
        if source.get("key_setting"):
            assert source["key_setting"] == ADAPTERS[source["adapter"]].key_setting


def test_general_outlets_keep_only_what_mentions_a_unit() -> None:
    flags = {source["slug"]: source for source in _sources()}
    for slug in ("yonhap-economy", "hankyung-economy", "digitaltoday", "zdnet-korea"):
        assert flags[slug]["requires_unit"]
        assert not flags[slug]["crypto"]
    for slug in ("fsc-press", "bok-press", "fed-press", "sec-press", "upbit-notices", "bithumb-notices"):
        assert flags[slug]["primary"]
    assert not [source["slug"] for source in _sources() if source["crypto"] and source["requires_unit"]]


def test_bars_name_no_markets_since_these_are_chosen_from_the_data() -> None:
    found = Counter(
        (source["adapter"], source["settings"]["interval"])
        for source in _sources()
        if ADAPTERS[source["adapter"]].parts == "markets" and not _markets(source)
    )
    venues = ("upbit_candles", "binance_klines")
    assert found == Counter((venue, interval) for venue in venues for interval in ("1h", "1d"))


def test_the_first_markets_belong_to_assets_of_the_canon_by_their_ticker() -> None:
    tickers = {f"asset:{unit['slug']}": unit["symbol"] for unit in _units() if unit["type"] == "asset"}
    markets = _read(CANON / "markets.json")["markets"]
    named = {"upbit": "KRW-{}", "binance": "{}USDT"}
    for market in markets:
        assert market["symbol"] == named[market["venue"]].format(tickers[market["asset"]])
    assert {"asset:btc", "asset:eth", "asset:xrp"} <= {market["asset"] for market in markets}


def test_seed_questions_are_unique_and_in_both_languages() -> None:
    questions = _questions()
    langs = Counter(question["lang"] for question in questions)
    assert langs["ko"] >= 14
    assert langs["en"] >= 8
    assert len({normalise_alias(question["question"]) for question in questions}) == len(questions)
    assert len({question["order"] for question in questions}) == len(questions)
    for question in questions:
        assert len(question["question"]) <= 300
        assert (question["lang"] == "ko") == bool(re.search("[가-힣]", question["question"]))


def test_renamed_assets_lead_to_their_successors() -> None:
    into = {redirect["slug"]: redirect["into"] for redirect in _redirects()}
    assert into == {"matic": "asset:pol", "eos": "asset:a"}


def test_what_series_are_under_and_come_from_is_said_in_english_too() -> None:
    measured = (SourceKind.MACRO, SourceKind.PRICE, SourceKind.ONCHAIN)
    said = [(each["licence"], each.get("licence_en", "")) for each in _read(CANON / "series.json")["series"]]
    said += [(each["name"], each.get("name_en", "")) for each in _sources() if each["kind"] in measured]
    for korean, english in said:
        assert (english or korean).isascii(), korean
        assert english != korean


def test_units_have_english_titles_that_are_names() -> None:
    titles = {_public_id(unit): unit.get("label_en", "") for unit in _units()}
    assert sum(map(bool, titles.values())) >= TITLED_MIN * len(titles)
    for unit in _units():
        title = titles[_public_id(unit)]
        assert not re.search("[가-힣]", title), title
        latin = [one["surface"] for one in unit["aliases"] if one["lang"] == "en"]
        names = [name for name in latin if normalise_alias(name) != normalise_alias(unit.get("symbol", ""))]
        if title == unit.get("symbol") and names:
            assert title in TICKERS_THAT_ARE_NAMES, names


@pytest.mark.parametrize("name", PHRASES_MIN)
def test_units_are_asked_for_by_enough_phrases_in_both_languages(name: str) -> None:
    few = []
    for unit in _units_of(name):
        korean = [bool(re.search("[가-힣]", phrase)) for phrase in unit.get("asked_as", [])]
        if korean.count(True) < PHRASES_MIN[name][0] or korean.count(False) < PHRASES_MIN[name][1]:
            few.append(f"{unit['slug']}: {korean.count(True)} Korean, {korean.count(False)} English")
    assert not few, "\n".join(few)


def test_a_phrase_stands_once_and_names_nothing() -> None:
    named = {normalise_alias(name["surface"]) for unit in _units() for name in unit["aliases"]}
    named |= {normalise_alias(unit["label"]) for unit in _units()}
    asked = {_public_id(unit): unit["asked_as"] for unit in _units() if "asked_as" in unit}
    for public_id, phrases in asked.items():
        norms = {normalise_alias(phrase) for phrase in phrases}
        assert len(norms) == len(phrases), public_id
        assert not norms & named, public_id


def test_a_phrase_means_one_unit_unless_reviewed() -> None:
    owners = Counter(normalise_alias(phrase) for unit in _units() for phrase in unit.get("asked_as", []))
    assert {norm for norm, count in owners.items() if count > 1} == set(map(normalise_alias, SHARED_PHRASES))


def test_every_sentence_answers_questions_of_readers_in_its_language() -> None:
    silent, asked = [], {}
    for name in UNIT_FILES:
        asked |= _read(CANON / f"questions_{name}.json")["reader_questions"]
    for unit in (unit for name in UNIT_FILES for unit in _units_of(name)):
        lines = lines_of(asked.pop(_public_id(unit)))
        assert tidied_questions(lines) == lines, unit["slug"]
        assert unanswered(lines, unit["summary"], unit["summary_en"]) == []
        questions = list(map(read_question, lines))
        for lang, text in (("ko", unit["summary"]), ("en", unit["summary_en"])):
            told = [one.told_by for one in questions if one.is_korean == (lang == "ko") and one.told_by]
            sentences = split_sentences(text, lang)
            silent += [sentence for sentence in sentences if not any(one in sentence for one in told)]
            # Words of two sentences would lead to both of them.
            assert all(sum(one in sentence for sentence in sentences) == 1 for one in told), unit["slug"]
    assert (silent, asked) == ([], {})
