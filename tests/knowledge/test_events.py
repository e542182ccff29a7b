from datetime import UTC, datetime, timedelta

import pytest

from knowledge.events.clustering import EventIndex, cluster
from knowledge.events.features import EventDoc, NamedUnit, action_facets, counted, terms, without_names

NOON = datetime(2031, 3, 3, 12, tzinfo=UTC)
NAMES = {
    "누리빗": "nuribit",
    "Nuribit": "nuribit",
    "루미": "lumi",
    "Lumi": "lumi",
    "비트코인": "btc",
    "Bitcoin": "btc",
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


def test_across_languages_a_unit_often_in_the_news_is_not_enough() -> None:
    news = [doc(f"비트코인 {word}", hour) for hour, word in enumerate(["카페", "학회", "책", "전시", "강연"])]
    opening = doc("Bitcoin museum opens", 6, "en")
    assert len(clusters_of(news[0], opening)) == 1
    assert [5] in clusters_of(*news, opening)


def test_a_region_does_not_make_another_language() -> None:
    again = EventDoc(HACK.title, "", "새벽경제", HACK.at, "ko-KR")
    assert clusters_of(HACK, again) == [[0, 1]]


@pytest.mark.parametrize(("hours", "count"), [(95, 1), (97, 2)])
def test_after_four_days_a_cluster_is_closed(hours: float, count: int) -> None:
    assert len(clusters_of(HACK, doc(HACK.title, hours))) == count


def test_a_story_may_go_on_for_longer_than_four_days() -> None:
    assert clusters_of(HACK, doc(HACK.title, 70), doc(HACK.title, 140)) == [[0, 1, 2]]


def test_the_further_apart_the_more_alike_they_must_be() -> None:
    other = "누리빗 해킹 경위 조사, 지갑 관리 부실 드러나"
    assert clusters_of(HACK, doc(other, 1)) == [[0, 1]]
    assert clusters_of(HACK, doc(other, 94)) == [[0], [1]]


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
        ("Lumi password wallet launches", set()),
        ("가온거래소 접속 장애", {"outage"}),
        ("비트코인 급락에 거래소 먹통", {"price down", "outage"}),
        ("블록체인 행사 개막", set()),
    ],
)
def test_headlines_name_their_actions(title: str, facets: set[str]) -> None:
    assert action_facets(title) == facets


def test_the_lead_is_asked_only_where_the_headline_names_no_action() -> None:
    assert action_facets("누리빗에서 생긴 일", "루미가 유출됐다") == {"hack"}
    assert action_facets("누리빗, 도담 상장", "지난달 해킹을 겪은 거래소다") == {"listing"}


def test_terms_are_syllable_pairs_and_latin_words() -> None:
    assert dict(terms("비트코인 ETF 또 The ETF")) == {"비트": 1, "트코": 1, "코인": 1, "etf": 2}
    assert dict(terms("ＢＴＣ")) == {"btc": 1}


def test_names_leave_a_gap() -> None:
    assert without_names("누리빗 해킹", [NamedUnit("nuribit", 0, 3)]).split() == ["해킹"]
    assert without_names("짧다", [NamedUnit("nuribit", 0, 30)]).strip() == ""
