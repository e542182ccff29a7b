"""The pictures that shared links show: what stands on them, when they are made anew, and when they are gone."""

import re
import sys
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone
from django.utils.translation import override
from PIL import Image, ImageChops

from ask.curation import hide
from ask.models import Answer, AnswerVersion
from feeds.cards import fonts, painting, palette, scene, shelf
from feeds.cards.content import Card
from feeds.cards.painting import BYTES_MAX, HEIGHT, SAFE_WIDTH, WIDTH, Backdrop, painted
from feeds.cards.subjects import cards_of, every_page
from feeds.models import ShareCard
from knowledge import curation
from knowledge.models import Status, Unit
from knowledge.publications.keeping import KEEP_HEADER
from tests.factories.knowledge import make_unit
from tests.factories.world import QUESTION, World

pytestmark = pytest.mark.django_db
PAGES = (
    "/",
    "/asset",
    "/number/maru-rate",
    "/en/number/maru-rate",
    "/asset/marucoin",
    "/event/2026-03-maru-listing",
)
LONG = "마이크로스트래티지가 보유한 비트코인을 담보로 한 전환사채 발행과 관련한 투자자들의 소송은 어떻게 되었나요?"


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def drawn(world: World, now: datetime, monkeypatch: pytest.MonkeyPatch) -> int:
    """Cards of a few pages only: each costs a tenth of a second."""
    pages = (*PAGES, world.answer)
    monkeypatch.setattr(shelf, "every_page", lambda: iter(pages))
    return shelf.draw_due(now=now, seconds=60)


def card_of(client: Client, page: str) -> str:
    """The address of the card that a page shows, within this site."""
    [address] = re.findall(r'property="og:image" content="([^"]+)"', client.get(page).content.decode())
    assert address.startswith(settings.BASE_URL)
    return str(address.removeprefix(settings.BASE_URL))


def test_each_page_shows_a_light_png_of_its_own(client: Client, world: World, drawn: int) -> None:
    pictures = set()
    for page in (*PAGES, world.answer):
        response = client.get(card_of(client, page))
        assert (response.status_code, response["Content-Type"]) == (200, "image/png"), page
        assert Image.open(BytesIO(response.content)).size == (WIDTH, HEIGHT) == (1200, 630)
        assert len(response.content) <= BYTES_MAX == 60_000
        pictures.add(response.content)
    assert drawn == len(pictures) == 7


def test_a_card_says_what_its_page_says(world: World, now: datetime) -> None:
    cards = cards_of((*PAGES, world.answer, "/en/asset/marucoin", "/creator/maru-ledger"), now)
    rate, asset, answer = cards["/number/maru-rate"], cards["/asset/marucoin"], cards[world.answer]
    assert (rate.title, rate.value, rate.direction) == ("마루 기준율", "3.25%", "rise")
    assert cards["/en/number/maru-rate"].title == "Maru base rate"
    assert (asset.title, asset.value, asset.kicker) == ("마루코인", "1,520.5원", "자산 · MARU")
    assert "KST" in asset.note
    assert (answer.title, answer.sentence) == (
        QUESTION,
        "발행 상한은 3억 6천만 개이고, 넉 달마다 보상이 줄어든다.",
    )
    assert cards["/event/2026-03-maru-listing"].sentence == "마루코인 새벽거래소 상장이 있었다."
    assert cards["/creator/maru-ledger"].kicker == "◈ AI persona"
    # A unit without an English title has no English card; its twin shows that of its list.
    assert "/en/asset/marucoin" not in cards


@override_settings(REHEARSAL=True)
def test_a_card_of_a_rehearsed_world_says_so(world: World, now: datetime) -> None:
    assert cards_of(["/"], now)["/"].kicker == "연습용 데이터"
    assert (
        cards_of(["/en/number/maru-rate"], now)["/en/number/maru-rate"].kicker == "Rehearsal data · Numbers"
    )


def test_an_opinion_of_an_ai_persona_is_not_shown_as_the_answer(world: World, now: datetime) -> None:
    answer = Answer.objects.get()
    cites = [{"label": "◈ 마루 장부 · AI persona", "url": "/creator/maru-ledger", "type": "creator"}]
    answer.current = AnswerVersion.objects.create(
        answer=answer, mode="extractive", body="장부에는 둘을 따로 적는다. [1]", citations=cites,
        evidence_fingerprint="1" * 64, prompt_version="test", generated_at=now,
    )  # fmt: skip
    answer.save()
    card = cards_of([world.answer], now)[world.answer]
    assert (card.sentence, card.kicker) == ("", "질문과 답 · AI persona")


def test_a_picture_is_made_anew_when_its_page_changed_and_only_then(
    client: Client, world: World, drawn: int, now: datetime
) -> None:
    before = card_of(client, "/asset/marucoin")
    assert shelf.draw_due(now=now + timedelta(minutes=1)) == 0
    Unit.objects.filter(slug="marucoin").update(label="새 마루")
    assert shelf.draw_due(now=now + timedelta(minutes=1)) == 0, "looked at a minute ago"
    assert shelf.draw_due(now=now + timedelta(minutes=6)) == 1
    assert card_of(client, "/asset/marucoin") != before


def test_a_run_ends_in_time_and_the_next_goes_on(world: World, drawn: int, now: datetime) -> None:
    ShareCard.objects.update(digest="", looked_at=None)
    assert shelf.draw_due(now=now, seconds=0) == 0
    assert shelf.draw_due(now=now, seconds=60) == drawn


def test_a_page_without_a_card_shows_that_of_its_list_or_a_general_one(
    client: Client, world: World, drawn: int
) -> None:
    assert card_of(client, "/asset/marucoin").startswith("/card/asset/marucoin.png?v=")
    ShareCard.objects.filter(page="/asset/marucoin").update(etag="")
    assert card_of(client, "/asset/marucoin").startswith("/card/asset.png?v=")
    assert card_of(client, "/topic/maru-premium").startswith("/card/index.png?v=")
    ShareCard.objects.update(etag="")
    assert re.fullmatch(r"/static/card[.a-z0-9]*\.png", card_of(client, "/topic/maru-premium"))
    early = client.get("/card/asset/marucoin.png")
    assert (early.status_code, early["Cache-Control"]) == (302, "no-store")
    assert re.fullmatch(r"/static/card[.a-z0-9]*\.png", early["Location"])


def test_a_card_goes_with_its_page(client: Client, world: World, drawn: int, now: datetime) -> None:
    assert client.get(f"/card{world.answer}.png").status_code == 200
    hide(Answer.objects.all(), "신고")
    assert client.get(f"/card{world.answer}.png").status_code == 410
    survivor = make_unit("newcoin", "새 코인")
    curation.merge(Unit.objects.get(slug="marucoin"), survivor, now=now)
    moved = client.get("/card/asset/marucoin.png")
    assert (moved.status_code, moved["Location"]) == (308, "/card/asset/newcoin.png")
    Unit.objects.filter(pk=survivor.pk).update(status=Status.RETRACTED)
    assert client.get("/card/asset/marucoin.png").status_code == 410
    assert [client.get(f"/card/{name}.png").status_code for name in ("asset/none", "nothing", "en/city")] == [
        404,
        404,
        302,
    ]


def test_what_is_withdrawn_is_not_kept(world: World, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "painted", lambda *_args, **_more: b"picture")
    shelf.draw_due(now=now, seconds=60)
    assert ShareCard.objects.filter(page="/asset/marucoin").exclude(etag="").exists()
    assert not ShareCard.objects.filter(page__startswith="/en/asset/").exclude(etag="").exists()
    Unit.objects.filter(slug="marucoin").update(status=Status.RETRACTED)
    shelf.draw_due(now=now)
    assert set(ShareCard.objects.values_list("page", flat=True)) == set(every_page())
    assert not ShareCard.objects.filter(page="/asset/marucoin").exists()


def test_a_card_that_cannot_be_drawn_keeps_no_other_from_it(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(card: Card, *_args: object, **_more: object) -> bytes:
        if card.title == "마루코인":
            raise ValueError("no room")
        return b"picture"

    monkeypatch.setattr(shelf, "painted", fails)
    shelf.draw_due(now=now, seconds=60)
    assert not ShareCard.objects.filter(page="/asset/marucoin").exclude(etag="").exists()
    assert ShareCard.objects.filter(page="/topic/maru-premium").exclude(etag="").exists()
    assert "the card of /asset/marucoin could not be drawn" in caplog.text


def test_a_card_is_revalidated_and_kept_by_what_its_page_hangs_on(
    client: Client, world: World, drawn: int
) -> None:
    first = client.get("/card/asset/marucoin.png", headers={"accept-encoding": "br, gzip"})
    assert "Content-Encoding" not in first
    assert '"entity", "event", "topic"' in first[KEEP_HEADER]
    again = client.get("/card/asset/marucoin.png", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def difference(one: bytes, other: bytes) -> tuple[int, int, int, int] | None:
    pictures = [Image.open(BytesIO(each)).convert("L") for each in (one, other)]
    # What few colours make of the sky is no word.
    return ImageChops.difference(*pictures).point(lambda value: 255 if value > 60 else 0).getbbox()


def test_words_stand_in_the_middle_square_that_messengers_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    with override("ko"):
        card = Card(LONG, "city:x", kicker="질문과 답", sentence=LONG, note="2026년 11월 22일")
    backdrop = Backdrop(scene.invented("x"))
    said = painted(card, backdrop, address="madang.example/ask/q/0123456789abcdef0123456789abcdef")
    # Stars stand aside of the words, so the same picture without words has more of them.
    monkeypatch.setattr(painting, "_write", lambda *_args: None)
    monkeypatch.setattr(painting, "_sign", lambda *_args: None)
    wordless = painted(card, backdrop, address="")
    box = difference(said, wordless)
    assert box is not None
    assert box[0] >= (WIDTH - SAFE_WIDTH) / 2
    assert box[2] <= (WIDTH + SAFE_WIDTH) / 2
    assert box[3] < HEIGHT
    assert len(said) <= BYTES_MAX


def test_without_a_font_a_card_is_the_picture_without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painting, "typeface", lambda: None)
    backdrop = Backdrop(scene.invented("x"), line="M0,0h0l1000,300")
    one, other = (painted(Card(title, "series:x"), backdrop, address=title) for title in ("가", "나다"))
    assert one == other
    assert Image.open(BytesIO(one)).size == (WIDTH, HEIGHT)


def test_the_general_picture_is_what_is_drawn_for_no_page() -> None:
    kept = Path(settings.BASE_DIR) / "static" / shelf.GENERAL
    assert difference(kept.read_bytes(), painting.general()) is None


def test_what_the_font_lacks_is_left_out_and_a_number_keeps_its_sign() -> None:
    face = fonts.typeface()
    assert face is not None
    assert face.visible("🦉 부엉이 \u200d −3.1% ▼ 1억 2,400만 원") == "부엉이 -3.1% ▼ 1억 2,400만 원"
    assert face.visible("🦉") == ""


def test_the_package_of_the_font_is_never_imported_and_brings_nothing_along() -> None:
    fonts.typeface.cache_clear()
    assert fonts.typeface() is not None
    assert fonts.CARRIER not in sys.modules
    locked = (Path(settings.BASE_DIR) / "requirements" / "base.txt").read_text(encoding="utf-8")
    assert "\nkoreanize-matplotlib==" in locked
    assert not re.search(r"^(matplotlib|numpy)==", locked, re.MULTILINE)


def test_colours_are_those_of_the_city_and_of_pages_in_the_dark() -> None:
    styles = "".join(
        (Path(settings.BASE_DIR) / "static" / name).read_text(encoding="utf-8")
        for name in ("city.css", "madang.css")
    )
    lows = [colour for each in palette.LOW.values() for colour in each.values()]
    fills = [
        said[0] for each in (palette.FILLS, palette.FILLS_WITHIN, palette.STROKES) for said in each.values()
    ]
    marks = (palette.INK, palette.QUIET, palette.RISE, palette.FALL, palette.LINK)
    assert [
        colour for colour in (*palette.HIGH.values(), *lows, *fills, *marks) if colour not in styles
    ] == []
