"""The first page: a few numbers, what is new, the city of last night, questions."""

import re
from datetime import datetime, timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from archive.days import yesterday
from archive.rehearsal import rehearse
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge.models import Source, Unit, UnitType
from tests.factories.knowledge import make_document, make_pulse, make_source, make_unit
from tests.factories.series import make_series, observe
from tests.feeds.surfaces import rebuild, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_at_noon")]


def plain(page: str) -> str:
    main = re.sub(r"^.*<main[^>]*>|</main>.*$", "", page, flags=re.S)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", main)))


def make_strip(now: datetime) -> None:
    bitcoin = make_unit("btc", "비트코인")
    upbit = make_source("upbit", name="업비트", name_en="Upbit", kind="price")
    bank = make_source("bank", name="한국은행", name_en="Bank of Korea", kind="macro")
    live = {"cadence": "live", "unit": "KRW", "decimals": 0}
    for slug, label, source, fields in (
        ("usd-krw", "원/달러 환율", bank, {"unit": "KRW", "cadence": "business_daily"}),
        ("price-btc", "비트코인 원화 가격", upbit, live),
        ("kimchi-premium", "김치 프리미엄", upbit, {"cadence": "hourly"}),
        ("bok-base-rate", "한국은행 기준금리", bank, {}),
    ):
        series = make_series(slug, holder=bitcoin, label=label, label_en=f"{slug} in English", **fields)
        series.inputs.update(source=source)
    for hours in (0, 24):
        at = now - timedelta(hours=hours)
        observe("price-btc", at, 124_000_000 + 4_000_000 * (hours == 24))
        observe("kimchi-premium", at, 2.31 - 0.4 * (hours == 24))
    observe("bok-base-rate", now, 2.5)
    for days in (1, 2):
        at = now - timedelta(days=days)
        observe("usd-krw", at, 1384.5 + days, period=f"{timezone.localtime(at):%Y-%m-%d}")


def make_event_of(slug: str, label: str, at: datetime) -> Unit:
    return make_unit(slug, label, type=UnitType.EVENT, occurred_at=at)


def ask_seed(text: str, lang: str = "ko") -> None:
    seed, now = SeedQuestion.objects.create(text=text), timezone.now()
    answer = Answer.objects.create(question_hash=seed.question_hash, question=text, lang=lang, created_at=now)
    answer.current = AnswerVersion.objects.create(
        answer=answer,
        mode="extractive",
        body="답이다. [1]",
        citations=[{"label": "비트코인", "url": "/asset/btc", "type": "asset"}],
        evidence_fingerprint="0" * 64,
        prompt_version="1",
        generated_at=now,
    )
    answer.save()


def test_the_strip_has_three_numbers_each_with_its_change_its_time_and_its_source(client: Client) -> None:
    make_strip(timezone.now())
    page = text_of(client, "/")
    said = plain(page)
    found = re.findall(r"<ul class=\"ticker\">.+?</ul>", page, re.S)
    assert re.findall(r'href="/number/([a-z-]+)"', found[0]) == ["price-btc", "kimchi-premium", "usd-krw"]
    assert re.search(r"비트코인 원화 가격 1억 2,400만 원 .{0,12}▼ −3\.1[23]%", said)
    assert re.search(r"김치 프리미엄 2\.31% .{0,12}▲ \+0\.40%p", said)
    assert re.search(r"하락 24시간 .{0,12}12:00 KST · 업비트 김치 프리미엄", said)
    assert re.search(r"상승 24시간 .{0,12}12:00 KST · 업비트 원/달러", said)
    assert re.search(r"원/달러.+ · 한국은행", said)
    assert "기준금리" not in said
    assert "price-btc in English" in plain(text_of(client, "/en/"))


def test_what_is_new_is_told_with_its_outlet_and_time_and_a_story_once(client: Client) -> None:
    now = timezone.now()
    for number, name in enumerate(("새벽경제", "마루일보", "가나방송")):
        make_document(
            make_source(f"outlet-{number}", name=name),
            str(number),
            title="빗썸, 가나코인 거래지원 종료",
            published_at=now - timedelta(minutes=10 + number),
        )
    make_document(
        Source.objects.get(slug="outlet-0"), "en", title="A market note", lang="en", published_at=now
    )
    make_event_of("2026-ghost", "가나코인 거래지원 종료", now.replace(hour=0) - timedelta(hours=9))
    make_event_of("2020-old", "아주 오래된 일", now - timedelta(days=900))
    coins = [make_unit(f"coin-{number}", f"동전 {number}") for number in range(3)]
    for coin in coins:
        make_pulse(coin, coin.slug, now - timedelta(hours=2), kind="price")
    rebuild()
    page = text_of(client, "/")
    said = plain(page)
    assert re.search(r"오늘 KST .*가나코인 거래지원 종료 사건", said)
    assert re.search(r"12:00 A market note 새벽경제", said)
    assert '<a class="name" href="https://paper.example/en" rel="noopener nofollow" lang="en">' in page
    assert re.search(r"11:50 빗썸, 가나코인 거래지원 종료 새벽경제 · 3곳 보도", said)
    assert said.count("빗썸, 가나코인") == 1
    assert re.search(r"10:00 3개 자산 동반 하락 , 최대 ▼ −12\.5%", said)
    assert "아주 오래된 일" not in said
    assert "3 outlets" in plain(text_of(client, "/en/"))


def test_shortly_after_midnight_nothing_is_of_today_yet(client: Client) -> None:
    make_document(make_source(), "late", published_at=timezone.now() - timedelta(hours=13))
    said = plain(text_of(client, "/"))
    assert re.search(r"새 소식 KST 어제 23:00 비트코인이 오른 날 마당일보", said)
    assert "오늘" not in said


def test_without_news_it_leads_to_the_last_events(client: Client) -> None:
    make_event_of("2020-old", "아주 오래된 일", timezone.now() - timedelta(days=900))
    said = plain(text_of(client, "/"))
    assert "최근 사건" in said
    assert "아주 오래된 일" in said
    assert "오늘" not in said


def test_sections_without_data_are_left_out(client: Client) -> None:
    page = text_of(client, "/")
    assert "<h2" not in page
    assert "city.css" not in page
    assert "curl" not in page


@pytest.mark.parametrize(("has_values", "said"), [(True, "마지막으로 받은 값"), (False, "연결되는 대로")])
def test_offline_is_told_once(client: Client, has_values: bool, said: str) -> None:
    if has_values:
        make_strip(timezone.now())
    make_source("switched-off", enabled=False)
    assert "네트워크에 연결되지" not in text_of(client, "/")
    make_source("news")
    Source.objects.filter(enabled=True).update(consecutive_failures=3, last_cause="dns")
    make_source("never-due")
    page = text_of(client, "/")
    assert page.count("네트워크에 연결되지") == 1
    assert said in page
    Source.objects.filter(slug="news").update(consecutive_failures=0, last_success_at=timezone.now())
    assert "네트워크에 연결되지" not in text_of(client, "/")


def test_last_night_is_drawn_with_the_first_sentence_of_its_reflection(client: Client) -> None:
    night = yesterday(timezone.now())
    list(rehearse(3, until=night))
    rebuild()
    page = text_of(client, "/")
    sentence = re.search(r'<p class="reflection" lang="ko">([^<]+)</p>', page)
    day = text_of(client, f"/city/{night}")
    assert "어젯밤의 도시" in page
    assert 'class="skyline' in page
    assert f'/city/{night}"' in page
    assert "예행" in page
    assert sentence
    assert sentence[1].endswith(".")
    assert sentence[1] in day
    assert len(re.findall(r"[.!?]", sentence[1])) <= 2


def test_five_questions_in_the_language_of_the_page(client: Client) -> None:
    for number in range(6):
        ask_seed(f"김치 프리미엄이 뭐예요 {number}?")
    ask_seed("What is the kimchi premium?", "en")
    korean, english = text_of(client, "/"), text_of(client, "/en/")
    assert len(re.findall("/ask/q/", korean)) == 5
    assert "What is" not in korean
    assert "What is the kimchi premium?" in english


def test_it_costs_few_queries(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    make_strip(timezone.now())
    list(rehearse(2, until=yesterday(timezone.now())))
    rebuild()
    client.get("/")
    with django_assert_max_num_queries(10):
        client.get("/")
