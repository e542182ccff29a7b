"""Clustering over invented headlines: three weeks of a market whose different stories share their units.

Every company, coin and figure is made up, but for a few large assets and public bodies. Units are found by
the names in `NAMES`, so some rows name fewer than they tell of, and some none.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from knowledge.evaluation.events import score_pairs
from knowledge.events.clustering import Clusters, EventIndex, cluster
from knowledge.events.features import EventDoc, Features, NamedUnit, counted

START = datetime(2031, 3, 3, tzinfo=UTC)

NAMES = {
    "entity:gaon": ["가온거래소", "Gaon"],
    "asset:lumi": ["루미", "Lumi"],
    "entity:kisa": ["인터넷진흥원"],
    "asset:dodam": ["도담", "DODAM"],
    "topic:listing": ["신규 거래지원", "신규 상장"],
    "entity:nuripay": ["누리페이", "Nuripay"],
    "topic:outage": ["접속 장애"],
    "asset:btc": ["비트코인", "bitcoin", "Bitcoin"],
    "asset:eth": ["이더리움", "Ethereum", "ETH"],
    "topic:spot-etf": ["비트코인 현물 ETF"],
    "topic:mining": ["채굴"],
    "entity:sec": ["SEC"],
    "asset:sol": ["솔라나", "Solana"],
    "asset:avax": ["아발란체", "Avalanche"],
    "topic:altcoin-etf": ["현물 ETF", "spot ETF", "ETFs", "ETF"],
    "topic:basic-act": ["디지털자산기본법", "가상자산 2단계법"],
    "entity:assembly": ["국회", "기재위"],
    "topic:stablecoin": ["스테이블코인", "stablecoin"],
    "topic:krw-stablecoin": ["원화 스테이블코인"],
    "topic:crypto-tax": ["가상자산 과세", "코인 과세"],
    "entity:fiu": ["FIU"],
    "entity:nuribit": ["누리빗"],
    "topic:reporting-act": ["특금법"],
    "topic:real-name": ["실명계좌"],
    "asset:moa": ["모아", "MOA"],
    "topic:delisting": ["거래지원 종료", "상장폐지"],
    "entity:daxa": ["닥사"],
    "topic:hard-fork": ["하드포크"],
    "topic:whale": ["고래", "whale"],
    "entity:meridian": ["메리디안홀딩스", "Meridian Holdings"],
    "asset:pegone": ["페그원", "PegOne"],
    "topic:depeg": ["디페깅"],
    "topic:airdrop": ["에어드롭", "airdrop"],
    "topic:kimchi-premium": ["김치 프리미엄"],
    "entity:tidal": ["타이달", "Tidal"],
    "topic:bridge": ["브리지", "bridge"],
}
# The longest name wins where several begin, as in the linker.
BY_LENGTH = sorted(
    ((name, unit) for unit, names in NAMES.items() for name in names), key=lambda pair: -len(pair[0])
)


class Row(NamedTuple):
    story: str  # "" for a document that tells of nothing another tells of
    hours: float
    lang: str
    outlet: str
    title: str
    lead: str = ""


ROWS = [
    # Day 1: one exchange is robbed and lists a coin on the same day.
    Row(
        "hack",
        0.2,
        "ko",
        "한들일보",
        "가온거래소서 루미 320억원어치 비정상 출금…입출금 전면 중단",
        "가온거래소가 핫월렛에서 루미가 빠져나간 사실을 확인하고 입출금을 멈췄다.",
    ),
    Row("hack", 0.7, "ko", "새벽경제", '가온거래소 해킹에 루미 320억원 유출 "회사 자산으로 전액 보전"'),
    Row(
        "hack",
        2.0,
        "ko",
        "블록데일리",
        "320억 털린 가온거래소, 핫월렛 관리 도마에",
        "루미 유출 경위를 두고 인터넷진흥원이 현장에 나갔다.",
    ),
    Row("hack", 1.5, "en", "Chain Courier", "Korean exchange Gaon halts withdrawals after $24M Lumi hack"),
    Row(
        "hack", 3.0, "en", "The Ledger Post", "Gaon exchange loses $24 million in Lumi to hot wallet exploit"
    ),
    Row("dodam-listing", 1.0, "ko", "가온거래소", "[거래] 도담(DODAM) 신규 거래지원 안내 (원화 마켓)"),
    Row("dodam-listing", 1.4, "ko", "코인마당", "가온거래소, 도담 원화 마켓 상장…오늘 오후 거래 시작"),
    Row("dodam-listing", 2.2, "ko", "한들일보", "도담 코인, 가온거래소 원화 마켓 신규 상장"),
    Row("", 4.0, "ko", "새벽경제", "가온거래소 상반기 신입 공채 시작…개발 직군 40명"),
    # Day 2: a takeover and an outage of the same exchange.
    Row("merger", 25, "ko", "새벽경제", "누리페이, 가온거래소 인수 추진…지분 60% 취득 협상"),
    Row("merger", 27, "ko", "한들일보", "누리페이·가온거래소 합병설 급물살…이번 주 이사회서 지분 인수 논의"),
    Row("merger", 28, "en", "Chain Courier", "Nuripay in talks to acquire majority stake in Gaon exchange"),
    Row("outage", 30, "ko", "코인마당", "가온거래소 한때 접속 장애…30분 만에 복구"),
    Row("outage", 30.5, "ko", "블록데일리", "가온거래소 앱 먹통, 30분 접속 장애에 투자자 분통"),
    Row("", 33, "ko", "한들일보", '[인터뷰] 가온거래소 대표 "동남아 진출 본격화할 것"'),
    # Days 3 and 4: down, up, and everything else that is said about bitcoin meanwhile.
    Row(
        "btc-fall",
        48,
        "ko",
        "새벽경제",
        "비트코인 9만달러 붕괴…하루 새 8% 급락",
        "미국 금리 우려에 위험자산이 일제히 내렸다.",
    ),
    Row("btc-fall", 48.5, "ko", "한들일보", "[속보] 비트코인 9만달러 아래로 추락"),
    Row("btc-fall", 49.5, "ko", "블록데일리", "비트코인, 금리 충격에 8%대 폭락…9만달러선 내줬다"),
    Row("btc-fall", 49, "en", "The Ledger Post", "Bitcoin plunges below $90,000 as rate fears grow"),
    Row(
        "btc-fall",
        50,
        "en",
        "Chain Courier",
        "Bitcoin drops 8% to under $90,000 as rate fears hit risk assets",
    ),
    Row("btc-rise", 73, "ko", "새벽경제", "비트코인 하루 만에 급반등…9만5000달러 회복"),
    Row("btc-rise", 74, "ko", "코인마당", "비트코인 9만5000달러 회복, 저가 매수에 반등"),
    Row("btc-rise", 74.5, "en", "Chain Courier", "Bitcoin rebounds to $95,000 as dip buyers return"),
    Row("btc-rise", 75, "en", "Coin Herald", "Dip buyers lift bitcoin back to $95,000 in sharp rebound"),
    Row("etf-flow", 55, "ko", "블록데일리", "비트코인 현물 ETF 이틀 연속 순유입…하루 6억달러"),
    Row("etf-flow", 57, "ko", "새벽경제", "미 비트코인 현물 ETF에 6억달러 순유입"),
    Row("difficulty", 78, "ko", "코인마당", "비트코인 채굴 난이도 조정…3% 올라 역대 최고"),
    Row("difficulty", 80, "ko", "블록데일리", "비트코인 채굴 난이도 또 역대 최고, 채굴업체 부담 가중"),
    Row("", 60, "ko", "한들일보", "비트코인 결제 받는 동네 카페 늘어난다"),
    Row("", 76, "en", "Coin Herald", "Bitcoin conference opens in Busan with 4,000 visitors"),
    Row("", 82, "ko", "새벽경제", "비트코인으로 학비 내는 대학 등장"),
    # Days 5 and 6: one fund is approved, another rejected, by the same agency.
    Row("sol-etf", 98, "en", "The Ledger Post", "SEC approves first spot Solana ETFs"),
    Row("sol-etf", 99, "en", "Coin Herald", "Spot Solana ETF wins SEC approval, trading to begin next week"),
    Row(
        "sol-etf",
        100,
        "ko",
        "새벽경제",
        "美 SEC, 솔라나 현물 ETF 첫 승인",
        "다음 주부터 거래가 시작될 전망이다.",
    ),
    Row("sol-etf", 101, "ko", "한들일보", "솔라나 현물 ETF 미국서 첫 승인…다음 주 거래 시작"),
    Row("avax-etf", 122, "en", "Coin Herald", "SEC rejects Avalanche spot ETF application"),
    Row("avax-etf", 123, "en", "The Ledger Post", "Avalanche spot ETF application denied by SEC"),
    Row("avax-etf", 124, "ko", "블록데일리", "SEC, 아발란체 현물 ETF 신청 거부"),
    # Day 7: a law, and what is said about another.
    Row("law", 146, "ko", "한들일보", "디지털자산기본법 국회 본회의 통과"),
    Row("law", 147, "ko", "새벽경제", "디지털자산기본법, 국회 본회의 문턱 넘었다…내년 7월 시행"),
    Row(
        "law",
        149,
        "ko",
        "블록데일리",
        "가상자산 2단계법 본회의 통과…스테이블코인 발행 길 열려",
        "디지털자산기본법이 재석 200명 중 180명 찬성으로 통과됐다.",
    ),
    Row("tax", 150, "ko", "새벽경제", "가상자산 과세 2년 유예안, 기재위 통과"),
    Row(
        "tax",
        152,
        "ko",
        "코인마당",
        "코인 과세 또 2년 유예…여야 기재위서 합의",
        "가상자산 과세 유예안이 기재위를 통과했다.",
    ),
    # Day 8: one exchange is punished and renews a contract.
    Row(
        "sanction",
        170,
        "ko",
        "한들일보",
        "FIU, 누리빗에 영업 일부정지 3개월 제재",
        "특금법 위반으로 과징금 120억원도 함께 물렸다.",
    ),
    Row("sanction", 171, "ko", "새벽경제", "누리빗 과징금 120억원…FIU, 특금법 위반 제재"),
    Row("sanction", 173, "ko", "블록데일리", "누리빗 영업 일부정지 3개월…신규 회원 가상자산 이전 제한"),
    Row("bank", 172, "ko", "코인마당", "누리빗, 한솔은행과 실명계좌 제휴 2년 연장"),
    Row("bank", 174, "ko", "새벽경제", "누리빗·한솔은행 실명계좌 2년 재계약"),
    # Day 9: a coin leaves.
    Row("delisting", 194, "ko", "가온거래소", "[거래] 모아(MOA) 거래지원 종료 안내"),
    Row("delisting", 195, "ko", "코인마당", "모아 상장폐지…닥사 회원사 거래지원 종료 결정"),
    Row("delisting", 197, "ko", "한들일보", "모아 코인 거래지원 종료, 5개 거래소 동시 통보"),
    Row("", 196, "ko", "누리빗", "[공지] 시스템 정기 점검 안내"),
    # Day 10: two things about ether.
    Row("harbor", 218, "en", "The Ledger Post", "Ethereum developers set mainnet date for Harbor upgrade"),
    Row("harbor", 219, "en", "Coin Herald", "Ethereum's Harbor upgrade gets a mainnet date in May"),
    Row("harbor", 221, "ko", "블록데일리", "이더리움 하버 하드포크 5월 메인넷 적용 확정"),
    Row("harbor", 222, "ko", "새벽경제", "이더리움 하버 하드포크, 메인넷 적용 일정 5월로 확정"),
    Row("whale", 220, "ko", "코인마당", "3년 잠자던 이더리움 고래, 4만개 옮겼다"),
    Row("whale", 221, "ko", "한들일보", "이더리움 고래 4만개 이동…3년 만에 깨어나"),
    Row("whale", 222, "en", "Chain Courier", "Dormant Ethereum whale moves 40,000 ETH after three years"),
    Row("", 223, "ko", "한들일보", "이더리움 재단, 연구원 장학 사업 공모"),
    # Day 11: two won coins.
    Row("bank-coin", 242, "ko", "새벽경제", "한결은행, 원화 스테이블코인 시범 발행…가맹점 500곳 참여"),
    Row("bank-coin", 244, "ko", "한들일보", "한결은행 원화 스테이블코인 시범 발행 시작, 가맹점 500곳서 결제"),
    Row("consortium", 243, "ko", "블록데일리", "8개사 뭉친 원화 스테이블코인 연합 '온원' 출범"),
    Row("consortium", 245, "ko", "코인마당", "원화 스테이블코인 연합 온원 출범식…8개사 합류"),
    # Day 12: a treasury buys, a coin loses its peg.
    Row("purchase", 266, "en", "Coin Herald", "Meridian Holdings buys another 3,100 bitcoin"),
    Row("purchase", 267, "en", "Chain Courier", "Meridian Holdings adds 3,100 bitcoin to its treasury"),
    Row("purchase", 269, "ko", "블록데일리", "메리디안홀딩스, 비트코인 3100개 추가 매입"),
    Row("depeg", 268, "ko", "새벽경제", "페그원 0.93달러까지 디페깅…담보 부족 의혹"),
    Row("depeg", 268.5, "ko", "코인마당", "페그원 달러 연동 깨졌다, 0.93달러로 디페깅"),
    Row("depeg", 269, "en", "The Ledger Post", "PegOne stablecoin loses dollar peg, trades at $0.93"),
    Row("depeg", 270, "en", "Coin Herald", "PegOne slides to $0.93 as stablecoin loses dollar peg"),
    # Day 13: an airdrop; the premium.
    Row("airdrop", 290, "ko", "코인마당", "루미 재단, 에어드롭 일정 공개…20일 시작"),
    Row("airdrop", 292, "ko", "블록데일리", "루미 에어드롭 20일 시작, 스냅샷 기준 공개"),
    Row("airdrop", 293, "en", "Chain Courier", "Lumi Foundation sets date for token airdrop"),
    Row("premium", 291, "ko", "한들일보", "김치 프리미엄 7% 돌파…두 달 만에 최고"),
    Row("premium", 292.5, "ko", "새벽경제", "김치 프리미엄 두 달 만에 7% 넘어…국내 코인 시장 과열"),
    # Days 15 and 16: the words of day 3 again, twelve days later; a second robbery elsewhere.
    Row("btc-fall-2", 340, "ko", "새벽경제", "비트코인 9만달러 또 붕괴…하루 새 6% 급락"),
    Row("btc-fall-2", 341, "ko", "한들일보", "[속보] 비트코인 9만달러 다시 붕괴, 6% 급락"),
    Row("bridge-hack", 362, "en", "The Ledger Post", "Tidal bridge drained of $11 million in exploit"),
    Row("bridge-hack", 363, "en", "Coin Herald", "Hacker steals $11 million from Tidal bridge"),
    Row("bridge-hack", 365, "ko", "블록데일리", "타이달 브리지 해킹…1100만달러 탈취"),
    Row("", 364, "ko", "한들일보", "타이달 재단, 서울 사무소 연다"),
    # Stories without any known name, in both languages.
    Row("festival", 10, "ko", "한들일보", "블록체인 주간 '체인위크' 부산서 개막…해외 연사 120명"),
    Row("festival", 12, "ko", "새벽경제", "부산 체인위크 개막, 연사 120명 무대 오른다"),
    Row(
        "licence",
        30.2,
        "en",
        "The Ledger Post",
        "UK regulator opens crypto licensing window ahead of new regime",
    ),
    Row("licence", 31, "en", "Coin Herald", "Crypto licensing window opens in UK before new regime starts"),
    Row("quartz", 50, "en", "Chain Courier", "Basin network launches Quartz upgrade with faster blocks"),
    Row("quartz", 51, "en", "The Ledger Post", "Basin completes Quartz upgrade, cuts block times"),
    Row("", 14, "ko", "코인마당", "게임사 3곳, 블록체인 게임 신작 공개"),
    Row("", 20, "ko", "블록데일리", "블록체인 협회, 신임 회장 선출"),
    Row("", 33, "en", "Coin Herald", "UK lawmakers debate crypto advertising rules"),
    Row("", 34, "en", "Chain Courier", "Crypto startup raises $20 million in Series B"),
    Row("", 36, "en", "Coin Herald", "Payments firm hires former central banker"),
    Row("", 64, "ko", "한들일보", "가상자산 시장 전망…전문가들은 엇갈려"),
]


def documents() -> list[EventDoc]:
    return [
        EventDoc(row.title, row.lead, row.outlet, START + timedelta(hours=row.hours), row.lang)
        for row in ROWS
    ]


def units_of(document: EventDoc) -> list[NamedUnit]:
    """A linker small enough to read: the longest names first, none within another."""
    found: list[NamedUnit] = []
    for name, unit in BY_LENGTH:
        for start in places(document.text, name):
            end = start + len(name)
            if all(end <= other.start or other.end <= start for other in found):
                found.append(NamedUnit(unit, start, end))
    return found


def places(text: str, name: str) -> Iterator[int]:
    start = text.find(name)
    while start >= 0:
        yield start
        start = text.find(name, start + 1)


@pytest.fixture(scope="module")
def clusters() -> Clusters:
    return cluster(documents(), units=units_of)


def of_story(clusters: Clusters, story: str) -> list[list[str]]:
    """The clusters that hold documents of a story, as the stories of their rows."""
    stories = [[ROWS[row].story for row in rows] for rows in clusters.clusters]
    return [names for names in stories if story in names]


def test_few_pairs_are_put_together_wrongly_and_few_are_missed(clusters: Clusters) -> None:
    scores = score_pairs(clusters.clusters, [row.story for row in ROWS])
    assert len(ROWS) >= 60
    assert scores.precision >= 0.95
    assert scores.recall >= 0.9


def test_every_document_is_in_one_cluster(clusters: Clusters) -> None:
    assert sorted(row for rows in clusters.clusters for row in rows) == list(range(len(ROWS)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hack", "dodam-listing"),
        ("merger", "outage"),
        ("btc-fall", "btc-rise"),
        ("sol-etf", "avax-etf"),
        ("sanction", "bank"),
        ("law", "tax"),
        ("btc-fall", "btc-fall-2"),
        ("bank-coin", "consortium"),
    ],
)
def test_two_stories_of_one_unit_stay_apart(clusters: Clusters, one: str, other: str) -> None:
    assert all(other not in names for names in of_story(clusters, one))


@pytest.mark.parametrize("story", ["hack", "merger", "btc-fall", "btc-rise", "sol-etf", "purchase"])
def test_a_story_told_in_two_languages_is_one_cluster(clusters: Clusters, story: str) -> None:
    assert {row.lang for row in ROWS if row.story == story} == {"ko", "en"}
    assert len(of_story(clusters, story)) == 1


def test_a_rise_after_a_fall_is_left_to_the_editor(clusters: Clusters) -> None:
    stories = [{ROWS[row].story for row in rows} for rows in clusters.clusters]
    pairs = [stories[one] | stories[other] for one, other in clusters.possible_merges]
    assert {"btc-fall", "btc-rise"} in pairs
    # Two assets are two stories, and no question.
    assert {"sol-etf", "avax-etf"} not in pairs


def test_the_order_in_which_documents_are_given_does_not_matter(clusters: Clusters) -> None:
    docs = documents()
    order = list(range(len(docs)))
    random.Random(7).shuffle(order)
    mixed = cluster([docs[row] for row in order], units=units_of)
    assert {frozenset(order[row] for row in rows) for rows in mixed.clusters} == {
        frozenset(rows) for rows in clusters.clusters
    }


@pytest.mark.parametrize("stop", [1, 23, 60, 90])
def test_a_worker_that_starts_anew_goes_on_where_it_stopped(stop: int) -> None:
    def read(document: EventDoc) -> Features:
        assert document.at is not None
        return counted(document, document.at, units_of(document))

    docs = [
        read(document) for document in sorted(documents(), key=lambda document: (document.at, document.title))
    ]
    steady, anew = EventIndex(), EventIndex()
    went = [steady.place(row, document) for row, document in enumerate(docs)]
    for row in range(stop):
        anew.restore(docs[row], cluster=went[row].cluster)
    assert [anew.place(row, docs[row]) for row in range(stop, len(docs))] == went[stop:]
