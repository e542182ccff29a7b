import re
from datetime import UTC, datetime, timedelta

import pytest

from knowledge.events.actions import action_facets, is_denial
from knowledge.events.clustering import EventIndex, RecentUse, cluster
from knowledge.events.features import EventDoc, NamedUnit, counted, sounds, terms, without_names
from knowledge.events.figures import figures
from knowledge.events.indicators import indicators
from knowledge.events.meanings import LIST, meanings
from knowledge.events.similarity import WORTH, amounts_agree, signals
from knowledge.events.sounds import of_hangul, of_latin

NOON = datetime(2031, 3, 3, 12, tzinfo=UTC)
NAMES = {
    "누리빗": "entity:nuribit",
    "Nuribit": "entity:nuribit",
    "루미": "asset:lumi",
    "Lumi": "asset:lumi",
    "비트코인": "asset:btc",
    "Bitcoin": "asset:btc",
}


def doc(title: str, hours: float = 0, lang: str = "ko", lead: str = "", outlet: str = "한들일보") -> EventDoc:
    return EventDoc(title, lead, outlet, NOON + timedelta(hours=hours), lang)


def units_of(document: EventDoc) -> list[NamedUnit]:
    found = ((document.text.find(name), name) for name in NAMES)
    return [NamedUnit(NAMES[name], start, start + len(name)) for start, name in found if start >= 0]


def clusters_of(*docs: EventDoc) -> list[list[int]]:
    return cluster(docs, units=units_of).clusters


HACK = doc("누리빗 해킹에 루미 40억원 유출")


def test_two_reports_of_one_hack_are_one_cluster() -> None:
    assert clusters_of(HACK, doc("누리빗서 루미 40억원 유출…해킹 추정", 2)) == [[0, 1]]


def test_another_unit_is_another_story() -> None:
    assert clusters_of(HACK, doc("비트코인 40억원어치 유출, 지갑 해킹 추정", 2)) == [[0], [1]]


def test_another_action_is_another_story_and_a_possible_merge() -> None:
    result = cluster([HACK, doc("누리빗, 루미 40억원 규모 상장", 2)], units=units_of)
    assert (result.clusters, result.possible_merges) == ([[0], [1]], [(0, 1)])


def test_a_document_kept_out_of_one_cluster_may_join_the_next() -> None:
    listing = doc("누리빗, 루미 40억원 규모 상장", 1)
    result = cluster([HACK, listing, doc("누리빗에 루미 상장", 2)], units=units_of)
    assert (result.clusters, result.possible_merges) == ([[0], [1, 2]], [(0, 1)])


def test_a_shared_name_alone_is_no_event() -> None:
    assert clusters_of(doc("비트코인 결제 받는 카페 늘어"), doc("비트코인 학회 창립총회 열려", 1)) == [
        [0],
        [1],
    ]


def test_across_languages_the_units_decide() -> None:
    assert clusters_of(HACK, doc("Nuribit loses $3M in Lumi", 1, "en")) == [[0, 1]]
    assert clusters_of(HACK, doc("Bitcoin wallet hacked", 1, "en")) == [[0], [1]]


def test_across_languages_a_unit_alone_is_not_enough() -> None:
    assert clusters_of(doc("비트코인 카페"), doc("Bitcoin museum opens", 6, "en")) == [[0], [1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (doc("다온은행, 결제 시범 시작"), doc("Daon Bank begins payment pilot", 1, "en")),
        (
            doc("타이달 브리지에서 1100만달러 털렸다"),
            doc("Tidal bridge loses $11 million to hackers", 1, "en"),
        ),
    ],
)
def test_across_languages_names_that_sound_alike_meet(one: EventDoc, other: EventDoc) -> None:
    assert clusters_of(one, other) == [[0, 1]]
    elsewhere = doc(other.title.replace("Daon", "Saesol").replace("Tidal", "Marea"), 1, "en")
    assert clusters_of(one, elsewhere) == [[0], [1]]


def test_a_denial_is_another_story_than_the_deed() -> None:
    denial = doc('누리빗 "루미 40억원 해킹 유출 사실 아니다"', 2)
    assert clusters_of(HACK, denial) == [[0], [1]]
    assert clusters_of(denial, doc("누리빗, 루미 40억원 해킹 유출 부인", 3)) == [[0, 1]]


@pytest.mark.parametrize(
    "title",
    [
        '누리빗 "해킹 사실 아냐"',
        "소문은 사실과 다릅니다",
        "상장 결정한 바 없다",
        "가온 인수 추진 안 한다",
        "Nuribit has not decided",
        "It wasn't hacked",
        "Nuribit says hacking talk is baseless",
        "Founder dismisses takeover report",
        "Nothing decided on Gaon, says Nuribit",
        '누리빗 "인수, 정해진 것 없다"',
        "가온 인수를 검토하고 있지 않습니다",
        "Gaon insists no coins were lost",
        "Nuribit quashes takeover talk",
    ],
)
def test_denials_are_known(title: str) -> None:
    assert is_denial(title)


@pytest.mark.parametrize(
    "title", ["누리빗 해킹", "Application denied by SEC", "사실상 승인", "Nothing stolen"]
)
def test_what_happened_is_no_denial(title: str) -> None:
    assert not is_denial(title)


def test_of_a_statement_the_lead_says_whether_it_denies() -> None:
    assert is_denial("해킹설 관련 당사 입장", "유포된 내용은 전혀 사실이 아닙니다.")
    assert not is_denial("해킹 관련 당사 입장", "피해 고객에게 사과드립니다.")
    assert not is_denial("누리빗 해킹", "가온은 해킹당한 적이 없다고 밝혔다.")


def test_a_notice_is_its_outlets() -> None:
    notice = doc("[안내] 입출금 일시 중단", outlet="누리핏")
    assert counted(notice, NOON, []).parties & counted(doc("누리핏거래소 해킹"), NOON, []).parties
    assert not counted(doc("입출금 일시 중단", outlet="누리핏"), NOON, []).parties


def test_an_outlook_reports_nothing() -> None:
    fall = doc("비트코인 20만달러 붕괴")
    assert clusters_of(fall, doc("비트코인 20만달러 붕괴, 지킬 수 있을까", 1)) == [[0, 1]]
    assert clusters_of(fall, doc("[주간 전망] 비트코인 20만달러 붕괴, 지킬 수 있을까", 1)) == [[0], [1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("비트코인 20만달러 붕괴", "비트코인 19만달러 붕괴"),
        ("누리빗, 비트코인 2만7200개 매입", "누리빗, 비트코인 5만1780개 매입"),
        ("비트코인 20만달러 붕괴", "루미 20만달러 붕괴"),
        ("가온거래소 해킹, 비트코인 유출", "한솔거래소 해킹, 비트코인 유출"),
    ],
)
def test_another_figure_asset_or_party_is_another_story(one: str, other: str) -> None:
    assert clusters_of(doc(one), doc(one + "됐다", 1)) == [[0, 1]]
    assert clusters_of(doc(one), doc(other, 1)) == [[0], [1]]


def test_the_next_stage_of_a_law_is_another_story_and_a_possible_merge() -> None:
    docs = [doc("가상자산 기본법 국회 정무위 통과"), doc("가상자산 기본법 국회 본회의 통과", 30)]
    assert cluster(docs, units=units_of) == ([[0], [1]], [(0, 1)])


def test_what_is_listed_is_told_apart_by_its_ticker() -> None:
    one, other = "[거래] 새별(SBY) 신규 거래지원 안내", "[거래] 한울(HNL) 신규 거래지원 안내"
    assert clusters_of(doc(one, outlet="누리빗"), doc(one + " (추가)", 1, outlet="누리빗")) == [[0, 1]]
    assert clusters_of(doc(one, outlet="누리빗"), doc(other, 1, outlet="누리빗")) == [[0], [1]]


def test_the_currencies_of_a_market_are_no_subjects() -> None:
    units = [NamedUnit("asset:lumi", 5, 7), NamedUnit("asset:btc", 29, 32)]
    assert counted(doc("[거래] 루미 신규 거래지원 안내 (KRW, BTC 마켓)"), NOON, units).units == {"asset:lumi"}


def test_common_words_are_no_names() -> None:
    assert not sounds("Bank customers withdraw deposits 은행 고객 예금 인출")
    assert not sounds("Already Twenty days, Hong Kong says") - sounds("Twenty")
    assert sounds("Customers leave Daon") & sounds("다온 고객 이탈")
    assert sounds("Cointide outage") & sounds("코인타이드 장애")


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        ("소비자물가 예상 하회", "consumer prices below forecast"),
        ("대출업체 파산보호 신청", "lender files for chapter 11"),
        ("기준금리 동결", "rates unchanged"),
        ("5월 47분간 정지", "stalled for 47 minutes in may"),
        ("美 상원 비과세 법안 가결", "us senate passes tax exemption bill"),
    ],
)
def test_words_mean_alike_in_both_languages(korean: str, english: str) -> None:
    assert len(set(meanings(korean)) & set(meanings(english))) >= 2


def test_numbers_mean_themselves_and_months_are_named() -> None:
    assert list(meanings("47 of 1,100 or 3")) == ["47", "1100"]
    assert list(meanings("5월 6일")) == list(meanings("in may"))[:1] == ["may-month"]


def test_the_list_of_meanings_is_in_order() -> None:
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found = [re.fullmatch(r"([a-z0-9-]+): ([^/]+) / ([^/]+)", line) for line in lines]
    assert all(found)
    named = [match[1] for match in found if match]
    assert len(named) == len(set(named))
    for match in filter(None, found):
        assert all(len(words.split()) == len(set(words.split())) for words in match.groups()[1:]), match[1]


@pytest.mark.parametrize(
    ("korean", "english"),
    [("위스프", "Wisp"), ("탤로", "Tallow"), ("아들러", "Adler"), ("제이드브리지", "Jadebridge")],
)
def test_short_and_long_names_meet_in_both_scripts(korean: str, english: str) -> None:
    assert sounds(korean) & sounds(english)


def test_in_one_language_names_are_compared_as_they_are_written() -> None:
    def name_shared(one: EventDoc, other: EventDoc) -> float:
        use = RecentUse()
        compared = [use.weighed(counted(document, NOON, [])) for document in (one, other)]
        return dict(zip(WORTH, signals(*compared, use.of_unit, use.of_name), strict=True))["name"]

    korean, english = doc("두레빗 해킹"), doc("Durebit hacked", lang="en")
    assert name_shared(korean, english) > 0
    assert name_shared(korean, doc("도레빗 해킹")) == 0
    assert name_shared(korean, doc("두레빗이 털렸다")) > 0


@pytest.mark.parametrize(
    ("korean", "english", "named"),
    [
        ("연준, 기준금리 0.25%p 인하", "Fed cuts by a quarter point", "us rate"),
        ("美 8월 CPI 2.9% 상승", "U.S. inflation at 2.9%", "us prices"),
        ("영란은행 금리 동결", "BoE sits tight", "uk rate"),
    ],
)
def test_rates_and_indexes_are_named_by_their_state(korean: str, english: str, named: str) -> None:
    assert indicators(korean) == indicators(english) == {named}


def test_an_amount_in_won_may_be_one_in_dollars() -> None:
    assert amounts_agree(figures("830억원 유치"), figures("raises $60M"))
    assert not amounts_agree(figures("430억원 유치"), figures("raises $60M"))


def test_an_authoritys_next_case_is_another_story() -> None:
    def fined(name: str, hours: float) -> EventDoc:
        return doc(f"감독원, {name}에 과태료 부과", hours)

    def units(document: EventDoc) -> list[NamedUnit]:
        names = {"감독원": "entity:fss", "누리빗": "entity:nuribit", "가온": "entity:gaon"}
        return [NamedUnit(unit, 0, 3) for name, unit in names.items() if name in document.title]

    docs = [fined("누리빗", 0), fined("누리빗", 1), fined("가온", 2)]
    assert cluster(docs, units=units).clusters == [[0, 1], [2]]


def test_what_a_headline_compares_with_is_not_its_subject() -> None:
    units = [NamedUnit("entity:nuribit", 0, 3), NamedUnit("entity:gaon", 11, 13)]
    features = counted(doc("누리빗, 루미 상장…가온보다 하루 늦어"), NOON, units)
    assert features.units == {"entity:nuribit", "entity:gaon"}
    assert features.headline_units == {"entity:nuribit"}


@pytest.mark.parametrize(
    "title", ["Marea robbed two days after Tidal bridge", "마레아 브리지 해킹…타이달 이어 또"]
)
def test_an_earlier_story_lends_no_name(title: str) -> None:
    heard = counted(doc(title), NOON, []).heard
    assert sounds("Marea") & heard
    assert not sounds("Tidal") & heard


def test_what_was_before_is_no_action_of_the_headline() -> None:
    features = counted(doc("소송 끝나자 누리빗 상장"), NOON, [])
    assert features.facets == {"listing"}


def test_an_author_is_the_subject_of_what_names_nobody() -> None:
    author = NamedUnit("entity:gaon", 0, 0)
    assert counted(doc("[공지] 입출금 일시 중단"), NOON, [author]).headline_units == {"entity:gaon"}
    named = [NamedUnit("entity:nuribit", 0, 3), author]
    assert counted(doc("누리빗 입출금 일시 중단"), NOON, named).headline_units == {"entity:nuribit"}


def test_a_region_does_not_make_another_language() -> None:
    again = EventDoc(HACK.title, "", "새벽경제", HACK.at, "ko-KR")
    assert clusters_of(HACK, again) == [[0, 1]]


@pytest.mark.parametrize(("hours", "count"), [(143, 1), (145, 2)])
def test_after_six_days_a_cluster_is_closed(hours: float, count: int) -> None:
    assert len(clusters_of(HACK, doc(HACK.title, hours))) == count


def test_a_story_may_go_on_for_longer_than_six_days() -> None:
    assert clusters_of(HACK, doc(HACK.title, 100), doc(HACK.title, 200)) == [[0, 1, 2]]


def placed_after(hours: float, title: str, lang: str) -> float:
    """How probably a document that comes so long after the hack reports it."""
    index = EventIndex()
    index.place(1, counted(HACK, NOON, units_of(HACK)))
    other = doc(title, hours, lang)
    return index.place(2, counted(other, NOON + timedelta(hours=hours), units_of(other))).score


def test_the_further_apart_the_less_probably_they_are_one_event() -> None:
    scores = [placed_after(hours, "Nuribit, Lumi and their users", "en") for hours in (1, 30, 60)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[2] > 0


def test_likeness_is_a_probability() -> None:
    assert 0.99 < placed_after(1, HACK.title, "ko") <= 1
    assert placed_after(1, "비트코인 카페", "ko") == 0


def test_a_document_that_comes_late_finds_its_cluster() -> None:
    index = EventIndex()
    for key, hours in enumerate([0, 5, 2], start=1):
        late = index.place(key, counted(HACK, NOON + timedelta(hours=hours), units_of(HACK)))
    assert late.cluster == 1
    assert late.score > 0.9


def test_a_document_without_a_time_stays_alone() -> None:
    timeless = EventDoc(HACK.title, "", "새벽경제", None, "ko")
    assert clusters_of(timeless, HACK, doc(HACK.title, 1)) == [[1, 2], [0]]


def test_a_naive_time_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        EventDoc("제목", "", "한들일보", NOON.replace(tzinfo=None), "ko")


def test_no_documents_make_no_clusters() -> None:
    assert cluster([], units=units_of) == ([], [])


def test_titles_without_words_are_borne() -> None:
    assert len(clusters_of(doc("…"), doc("!!!", 1), doc("🚀", 2))) == 3


@pytest.mark.parametrize(
    ("title", "facets"),
    [
        ("누리빗 해킹으로 루미 유출", {"hack"}),
        ("Hackers drained $3M from Nuribit", {"hack"}),
        ("누리페이, 가온거래소 인수 추진", {"merger"}),
        ("대통령직 인수위, 가상자산 공약 논의", set()),
        ("도담 원화 마켓 신규 상장", {"listing"}),
        ("도담 거래지원 안내", {"listing"}),
        ("도담 거래지원 종료 안내", {"delisting"}),
        ("도담 상장폐지", {"delisting"}),
        ("Exchange delists Dodam", {"delisting"}),
        ("비상장 주식 플랫폼 개편", set()),
        ("비트코인 상장지수펀드 심사", set()),
        ("SEC, 솔라나 ETF 승인", {"approval"}),
        ("SEC, 솔라나 ETF 불승인", {"rejection"}),
        ("SEC rejects Solana fund", {"rejection"}),
        ("Regulator disapproves plan", {"rejection"}),
        ("금융당국, 누리빗 제재", {"sanction"}),
        ("비트코인 급락", {"price down"}),
        ("Bitcoin surges past record", {"price up"}),
        ("이용자보호법 시행", {"enforcement"}),
        ("Lumi password wallet manual", set()),
        ("가온거래소 접속 장애", {"outage"}),
        ("비트코인 급락에 거래소 먹통", {"price down", "outage"}),
        ("블록체인 행사 개막", set()),
        ("누리빗서 무단 이더 출금", {"hack"}),
        ("한은, 기준금리 0.25%p 인하", {"rate cut"}),
        ("Bank of Korea trims base rate to 2.25%", {"rate cut"}),
        ("연준, 기준금리 동결", {"rate hold"}),
        ("Bank of Japan lifts policy rate", {"rate rise"}),
        ("SEC, 솔라나 ETF 심사 또 미뤄", {"delay"}),
        ("이더리움 업그레이드, 테스트넷 통과", {"test run"}),
        ("지니어스법 서명만 남았다", set()),
        ("Whale wallet moves 1,100 coins", {"transfer"}),
        ("기본법, 국회 정무위 통과", {"committee", "approval"}),
        ("Parliament committee clears bill", {"committee", "approval"}),
        ("기본법, 국회 본회의 통과", {"full parliament", "approval"}),
        ("일본은행, 기준금리 1.5%로 인상", {"rate rise"}),
        ("Ether breaches $9,000", {"price up"}),
        ("Founder resigns amid hack probe", {"appointment"}),
        ("Bill heads to the Senate", set()),
        ("모아거래소 새 앱", set()),
        ("가온거래소 인가 취소", {"revocation"}),
        ("누리페이, 가온과 제휴", {"partnership"}),
        ("Nuripay teams up with Gaon", {"partnership"}),
        ("Gaon lays off a fifth", {"layoffs"}),
        ("누리빗 사칭 피싱 주의", {"scam"}),
    ],
)
def test_headlines_name_their_actions(title: str, facets: set[str]) -> None:
    assert action_facets(title) == facets


def test_the_lead_is_asked_only_where_the_headline_names_no_action() -> None:
    assert action_facets("누리빗에서 생긴 일", "루미가 유출됐다") == {"hack"}
    assert action_facets("누리빗, 도담 상장", "지난달 해킹을 겪은 거래소다") == {"listing"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("이더리움 1만2천개 유출", {"#12000"}),
        ("exchange loses 12,000 ETH", {"#12000"}),
        ("1100만달러 탈취", {"$1.1e+07"}),
        ("$11 million exploit", {"$1.1e+07"}),
        ("기준금리 0.25%p 내려 2.25%", {"%0.25", "%2.25"}),
        ("cuts by a quarter point", {"%0.25"}),
        ("가온에 150억 투자", {"₩1.5e+10"}),
        ("3월 4일 24종 2031년", set()),
        ("in 2013, 24 tokens", set()),
    ],
)
def test_figures_are_told_alike_in_both_languages(text: str, told: set[str]) -> None:
    assert figures(text) == told


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        ("다온", "Daon"),
        ("타이달", "Tidal"),
        ("라일락", "Lilac"),
        ("서클", "Circle"),
        ("노스윈드", "Northwind"),
        ("이더리움", "Ethereum"),
        ("스타라이트", "Starlight"),
    ],
)
def test_names_sound_alike_in_both_scripts(hangul: str, latin: str) -> None:
    assert set(of_latin(latin)) & set(of_hangul(hangul + "에서"))


def test_terms_are_syllable_pairs_and_latin_words() -> None:
    assert dict(terms("비트코인 ETF 또 The ETF")) == {"비트": 1, "트코": 1, "코인": 1, "etf": 2}
    assert dict(terms("ＢＴＣ")) == {"btc": 1}


def test_names_leave_a_gap() -> None:
    assert without_names("누리빗 해킹", [NamedUnit("nuribit", 0, 3)]).split() == ["해킹"]
    assert without_names("짧다", [NamedUnit("nuribit", 0, 30)]).strip() == ""
