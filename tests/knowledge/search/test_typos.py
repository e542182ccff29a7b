"""Mistyped names in questions."""

import threading
from math import inf

import pytest

from knowledge.linking import gazetteer
from knowledge.models import Alias, Status
from knowledge.search import indexing, morphemes, typos
from knowledge.search.query import read_question
from knowledge.search.ranking import understand
from knowledge.search.statistics import Corpus
from knowledge.search.typos import Mend, Mended, mend
from tests.factories.knowledge import make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

NOTHING_KNOWN = Corpus(passages=10, average_length=10.0, frequencies={})


@pytest.fixture(autouse=True)
def canon() -> None:
    make_unit("btc", "비트코인", aliases=["Bitcoin"])
    make_unit("doge", "도지코인", aliases=["도지"])


def mends(question: str, corpus: Corpus = NOTHING_KNOWN) -> list[tuple[str, str]]:
    mended = mend(read_question(question), corpus)
    return [tuple(one) for one in mended.mends] if mended else []


def mend_to_bitcoin(written: str) -> Mended:
    return Mended("비트코인 시세", (Mend(written, "비트코인"),))


@pytest.mark.parametrize("typed", ["비트코잉", "비트코임", "비토코인", "비트고인", "비트코이", "비트콩인"])
def test_a_slip_of_one_letter_is_mended(typed: str) -> None:
    assert mend(read_question(f"{typed} 시세"), NOTHING_KNOWN) == mend_to_bitcoin(typed)


@pytest.mark.parametrize("typed", ["트비코인", "비타민제", "비둘기파", "도지사는", "코인판"])
def test_another_word_is_not_taken_for_a_slip(typed: str) -> None:
    assert mend(read_question(f"{typed} 시세"), NOTHING_KNOWN) is None


NAMES = (
    ("eth", "이더리움", "Ethereum"),
    ("sol", "솔라나", "Solana"),
    ("ada", "에이다", "Cardano"),
    ("dot", "폴카닷", "Polkadot"),
    ("link", "체인링크", "Chainlink"),
    ("avax", "아발란체", "Avalanche"),
    ("ltc", "라이트코인", "Litecoin"),
    ("uni", "유니스왑", "Uniswap"),
    ("hype", "하이퍼리퀴드", "Hyperliquid"),
    ("usdt", "테더", "Tether"),
    ("shib", "시바이누", "Shiba Inu"),
    ("bch", "비트코인 캐시", "Bitcoin Cash"),
    ("stepn", "스테픈", "Stepn"),
    ("linea", "리네아", "Linea"),
    ("snx", "신세틱스", "Synthetix"),
    ("storj", "스토리지", "Storj"),
    ("upbit", "업비트", "Upbit"),
    ("binance", "바이낸스", "Binance"),
    ("coinbase", "코인베이스", "Coinbase"),
    ("coinone", "코인원", "Coinone"),
    ("bithumb", "빗썸", "Bithumb"),
    ("kraken", "크라켄", "Kraken"),
    ("streami", "스트리미", "Streami"),
    ("consensys", "컨센시스", "ConsenSys"),
    ("strategy", "스트래티지", "MicroStrategy"),
    ("blackrock", "블랙록", "BlackRock"),
    ("fsc", "금융위원회", "Financial Services Commission"),
    ("jungmu", "정무위원회", "National Policy Committee"),
    ("moef", "기획재정부", "Ministry of Economy and Finance"),
    ("vitalik-buterin", "비탈릭 부테린", "Vitalik Buterin"),
    ("staking", "스테이킹", "staking"),
    ("halving", "반감기", "halving"),
    ("stablecoin", "스테이블코인", "stablecoin"),
    ("gamefi", "게임파이", "GameFi"),
    ("premium", "김치 프리미엄", "Kimchi Premium"),
)


@pytest.fixture
def known_names() -> None:
    for slug, korean, english in NAMES:
        make_unit(slug, korean, aliases=[english])


SLIPS = """
    비트코윈은=비트코인 비트코잉이=비트코인 비토코인을=비트코인 비트콩인=비트코인 도지코잉=도지코인
    이더륨이=이더리움 이더리웅은=이더리움 이더리음=이더리움 업비뜨에서=업비트 업빗트=업비트
    바이넨스=바이낸스 바이낸쓰는=바이낸스 솔라냐=솔라나 쏠라나=솔라나 코인배이스=코인베이스
    코인언=코인원 체인링쿠=체인링크 아발란채는=아발란체 하이퍼리귀드=하이퍼리퀴드 시바이뉴=시바이누
    라이트코엔=라이트코인 스테이캥=스테이킹 스태이블코인이란=스테이블코인 금응위원회가=금융위원회
    블랙룩=블랙록 반감끼는=반감기 폴카닫=폴카닷 유니스웝=유니스왑 스트레티지=스트래티지 bitcion=Bitcoin
    bitcoim=Bitcoin bitcions=Bitcoin etherium=Ethereum ethereun=Ethereum solanna=Solana cardno=Cardano
    polkadto=Polkadot chainlnik=Chainlink avalanceh=Avalanche litecion=Litecoin uniswpa=Uniswap
    hyperliqiud=Hyperliquid tehter=Tether upbti=Upbit uppbit=Upbit binanse=Binance coinbse=Coinbase
    coinbace=Coinbase bithmub=Bithumb krakken=Kraken krakan=Kraken mocrostrategy=MicroStrategy
    staknig=staking halvign=halving stabelcoin=stablecoin sythetix=Synthetix
""".split()  # noqa: SIM905


@pytest.mark.usefixtures("known_names")
def test_slips_in_names_of_either_script_are_mended() -> None:
    wrong = {}
    for slip in SLIPS:
        written, _equals, name = slip.partition("=")
        taken = [taken for _written, taken in mends(f"{written} 시세")]
        if taken != [name]:
            wrong[written] = taken
    assert wrong == {}
    assert len(SLIPS) >= 50


# Ordinary words, names themselves with particles and plurals, and words that share letters with a name.
LEFT_ALONE = """
    거래소는 이용하는 투자하였다 브랜드가 마스크를 스트리밍과 네이비 슬리퍼를 코인판 도지사는 비타민제
    비둘기파 무리한 금융의 비트코인은 비트코인이란 이더리움을 이더리움현물은 업비트에서는 솔라나가
    도지코인으로 비트코인캐시의 스테이킹하면 반감기까지 에이다는 크라켄이 마이크로소프트는 헤드라인
    스타트업 디지털자산 위원회가 정보통신부 은행에서 올랐나요 무엇인가요 게임사이며 balance balances
    steps linear stream stack either synthetics stats staging stating halting finance binary comic later
    bitcoin Bitcoins coinbases solanas bitcoiner ethereal tethering tethered avalanched kraken upbeat
    orbit teacher weather better whether cardiac polka chain chains transactionKey streaming stable
    commission
""".split()  # noqa: SIM905


@pytest.mark.usefixtures("known_names")
def test_words_and_names_are_left_as_they_are_written() -> None:
    assert {word: found for word in LEFT_ALONE if (found := mends(f"{word} 시세"))} == {}
    assert len(LEFT_ALONE) >= 60


def test_what_passages_hold_is_a_word() -> None:
    make_unit("consensys", "컨센시스", aliases=["ConsenSys"])
    make_unit("jungmu", "정무위원회")
    held = Corpus(10, 10.0, dict.fromkeys(["consensus", *morphemes.terms("정보위원회")], 3))
    assert mends("consensus 정보위원회 시세", held) == []
    assert mends("consensus 정보위원회 시세") == [("consensus", "ConsenSys"), ("정보위원회", "정무위원회")]


def test_a_compound_that_stands_in_a_passage_is_a_word() -> None:
    make_unit("consensys", "컨센시스")
    assert understand("컨센서스 시세").mended == (("컨센서스", "컨센시스"),)
    indexing.index_documents([make_document(make_source(), title="시장의 컨센서스").pk])
    assert understand("컨센서스 시세").mended == ()


def test_a_word_of_a_name_is_mended_where_the_text_then_names_a_unit() -> None:
    make_unit("vitalik-buterin", "비탈릭 부테린", aliases=["Vitalik Buterin"])
    asked = understand("Who is Vitalik Buterim?")
    assert (asked.named, asked.mended) == (("asset:vitalik-buterin",), (("Buterim", "Buterin"),))
    assert understand("Who is Buterim?").mended == ()
    assert understand("비트코인 Buterim").mended == ()


def test_what_was_taken_is_said_in_the_order_of_the_question_and_the_rest_is_kept() -> None:
    make_unit("upbit", "업비트")
    make_unit("binance", "바이낸스", aliases=["Binance"])
    asked = understand("업비뜨랑 Binanse 중 어디서 ETH를 사요?")
    assert asked.mended == (("업비뜨", "업비트"), ("Binanse", "Binance"))
    assert asked.lexical.text == "업비트랑 Binance 중 어디서 ETH를 사요?"
    assert asked.named == ("asset:upbit", "asset:binance")
    assert understand("업비트는?").mended == ()


def test_the_longest_part_of_a_word_that_is_close_to_a_name_counts() -> None:
    make_unit("shorter", "가나다라마")
    make_unit("longer", "가나다라모두")
    assert mends("가나다라모도 시세") == [("가나다라모도", "가나다라모두")]


def test_a_word_of_a_name_is_no_slip_as_it_stands() -> None:
    make_unit("dex", "탈중앙화 거래소")
    assert mends("탈중앙화 거래소 시세") == []


def test_a_name_that_two_units_share_alike_is_not_guessed() -> None:
    make_unit("one", "모노레일", aliases=["모노레일"])
    make_unit("two", "모노레인", aliases=["모노레인"])
    assert mends("모노레임 시세") == []


def test_a_particle_stays_out_of_the_comparison_and_in_the_question() -> None:
    mended = mend(read_question("비트코잉은 뭐야"), NOTHING_KNOWN)
    assert mended == Mended("비트코인은 뭐야", (Mend("비트코잉", "비트코인"),))


def test_short_names_are_left_alone() -> None:
    assert mend(read_question("도자 시세"), NOTHING_KNOWN) is None


def test_names_of_hidden_units_are_never_guessed() -> None:
    make_unit("secret", "이더리움", aliases=["이더리움"], status=Status.DRAFT)
    assert mend(read_question("이더리웅 시세"), NOTHING_KNOWN) is None


def test_an_alias_of_a_merged_unit_speaks_for_its_survivor() -> None:
    pol = make_unit("pol", "폴리곤")
    matic = make_unit("matic", "매틱네트워크", merged_into=pol)
    Alias.objects.create(unit=matic, surface="매틱네트워크")
    assert understand("매틱네트웍크 매틱네트워그 시세").named == ("asset:pol",)


def test_a_question_of_odd_characters_is_no_error() -> None:
    odd = "ㅋㅋㅋ 🤔 \ud800\x00 가나다라마바사아자차카타파하가나다라마바사아자차카타파하"
    assert mend(read_question(odd), NOTHING_KNOWN) is None


def test_a_label_is_mended_unless_an_editor_has_doubts_about_it() -> None:
    make_unit("eth", "이더리움")
    assert mends("이더리웅 시세") == [("이더리웅", "이더리움")]
    Alias.objects.create(unit=make_unit("sol", "솔라나체인"), surface="솔라나체인", ambiguous=True)
    assert mends("솔라나체잉 시세") == []


def test_nobody_waits_for_names_that_take_long_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    slip = read_question("이더리웅 시세")
    typos.read_names()
    former = typos._names
    make_unit("eth", "이더리움")
    typos.read_names()
    newer, version = typos._names, typos._version
    monkeypatch.setattr(typos, "_names", former)
    monkeypatch.setattr(typos, "_version", "former")
    reading, read = reader_that_waits(monkeypatch, newer, version)
    assert mend(slip, NOTHING_KNOWN) is None
    assert reading.acquire(timeout=10)
    assert mend(slip, NOTHING_KNOWN) is None
    assert mend(read_question("비트코잉 시세"), NOTHING_KNOWN) == mend_to_bitcoin("비트코잉")
    read.set()
    join_readers()
    assert not reading.acquire(blocking=False)  # one thread was enough
    assert mend(slip, NOTHING_KNOWN) == Mended("이더리움 시세", (Mend("이더리웅", "이더리움"),))


def test_a_process_that_never_read_the_names_mends_nothing_and_has_them_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slip = read_question("비트코잉 시세")
    typos.read_names()
    names, version = typos._names, typos._version
    for name, value in {"_names": {}, "_version": None, "_seconds": inf}.items():
        monkeypatch.setattr(typos, name, value)
    _reading, read = reader_that_waits(monkeypatch, names, version)
    assert mend(slip, NOTHING_KNOWN) is None
    read.set()
    join_readers()
    assert mend(slip, NOTHING_KNOWN) == mend_to_bitcoin("비트코잉")


def reader_that_waits(
    monkeypatch: pytest.MonkeyPatch, names: typos.Names, version: str | None
) -> tuple[threading.Semaphore, threading.Event]:
    """Reading takes long from now on: what counts those who began it, and what lets it end with these names."""
    reading, read = threading.Semaphore(0), threading.Event()

    def slow() -> None:
        reading.release()
        assert read.wait(timeout=10)
        monkeypatch.setattr(typos, "_names", names)
        monkeypatch.setattr(typos, "_version", version)

    known = gazetteer.newest_gazetteer()
    monkeypatch.setattr(gazetteer, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr(gazetteer, "current_gazetteer", lambda _text: known)
    monkeypatch.setattr(typos, "read_names", slow)
    return reading, read


def join_readers() -> None:
    for thread in threading.enumerate():
        if thread.name == "typos":
            thread.join(timeout=10)
