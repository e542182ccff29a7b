"""What readers do: look something up, follow it to its source, use the keyboard, print, meet hostile text."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from knowledge.models import UnitType
from tests.factories.knowledge import make_unit
from tests.factories.world import QUESTION, World
from tests.feeds.hostile import HOSTILE
from tests.feeds.surfaces import rebuild

pytestmark = pytest.mark.slow


@pytest.fixture
def page(browser: Browser, site: tuple[str, World]) -> Iterator[Page]:
    """A page that fails its test when anything on it runs, fails or asks another host."""
    address, _world = site
    context = browser.new_context(base_url=address)
    opened = context.new_page()
    opened.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    opened.on("pageerror", lambda error: pytest.fail(f"a script failed: {error}"))
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    assert all(url.startswith(address) for url in asked), asked
    context.close()


def test_a_reader_goes_from_a_search_by_asset_event_and_answer_to_the_source(page: Page) -> None:
    page.goto("/")
    page.get_by_role("searchbox").fill("마루코인")
    page.get_by_role("button", name="찾기").click()
    page.get_by_role("link", name="마루코인", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("마루코인 MARU")
    page.get_by_role("link", name="마루코인 새벽거래소 상장").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("마루코인 새벽거래소 상장")
    page.get_by_role("banner").get_by_role("link", name="물어보기").click()
    page.get_by_role("link", name=QUESTION).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    page.locator("sup a").first.click()
    page.locator("#c1 a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("마루코인 MARU")
    original = page.get_by_role("link", name=re.compile("1번째 주 거래")).first
    expect(original).to_have_attribute("href", "https://maru-tv.example/0")


def test_an_answer_leads_to_what_it_cites(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name=QUESTION).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    page.locator("sup a").first.click()
    assert page.url.endswith("#c1")
    page.locator("#c1 a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("마루코인 MARU")


def test_a_question_is_asked_and_answered_without_script(page: Page) -> None:
    page.goto("/ask")
    page.get_by_role("textbox").fill("마루코인은 누가 만들었어?")
    page.get_by_role("main").get_by_role("button").click()
    assert re.search("/ask/q/[0-9a-f]{32}$", page.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("마루코인은 누가 만들었어?")
    expect(page.locator("main")).to_contain_text("도연우가 만든")
    expect(page.locator("meta[name=robots]")).to_have_attribute("content", "noindex")
    page.locator("#c1 a").first.click()
    assert page.url.endswith("/asset/marucoin")


def test_the_keyboard_reaches_the_text_first_and_always_shows_where_it_is(page: Page) -> None:
    page.goto("/asset/marucoin")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="본문으로 건너뛰기")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for _ in range(8):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", page.evaluate("document.activeElement.outerHTML")


def test_a_question_is_asked_and_its_source_opened_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/ask")
    tab_to(page, "#question")
    page.keyboard.type("마루코인은 누가 만들었어?")
    tab_to(page, "main button")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/ask/q/[0-9a-f]{32}$"))
    tab_to(page, "#c1 a")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/asset/marucoin$"))
    tab_to(page, "main summary")
    page.keyboard.press("Enter")
    expect(page.locator("main details[open]")).to_have_count(1)


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    """Press Tab until the first such element has the focus, and can be seen to have it."""
    wanted = page.locator(selector).first
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            assert wanted.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
            return
    pytest.fail(f"{selector} is out of reach of the keyboard")


def test_a_narrow_phone_reads_without_scrolling_sideways_and_its_targets_can_be_hit(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 600})
    page.goto("/asset/marucoin")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    heights = page.locator(".top nav a").evaluate_all(
        "links => links.map(a => a.getBoundingClientRect().height)"
    )
    assert min(heights) >= 24
    assert page.get_by_role("heading", level=1).bounding_box()["y"] < 300  # type: ignore[index]


def test_a_table_of_a_plot_opens_without_script(page: Page) -> None:
    page.goto("/asset/marucoin")
    table = page.get_by_role("table", name="김치 프리미엄")
    expect(table).to_be_hidden()
    page.locator("figure", has_text="김치 프리미엄").locator("summary").click()
    expect(table).to_be_visible()


def test_dark_mode_is_dark_and_paper_stays_white(browser: Browser, site: tuple[str, World]) -> None:
    address, _world = site
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(address + "/asset/marucoin")
    assert brightness(page) < 60
    page.emulate_media(media="print", color_scheme="dark")
    assert brightness(page) > 200
    assert page.locator("nav").first.is_hidden()
    assert page.get_by_role("heading", level=1).is_visible()
    original = page.get_by_role("link", name=re.compile("1번째 주 거래")).first
    printed = original.evaluate("link => getComputedStyle(link, '::after').content")
    assert "https://maru-tv.example/0" in printed
    context.close()


def brightness(page: Page) -> float:
    """The mean of the background's channels, 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    channels = [float(part) for part in re.findall(r"[0-9.]+", colour)[:3]]
    return sum(channels) / 3


def test_nothing_of_a_hostile_text_runs(page: Page) -> None:
    for number, text in enumerate(HOSTILE):
        make_unit(
            f"hostile-{number}",
            text,
            type=UnitType.TOPIC,
            summary=text,
            summary_en=text,
            aliases=[f"{text} a{number}"[:100]],
        )
    rebuild()
    for path in [*(f"/topic/hostile-{number}" for number in range(len(HOSTILE))), "/topic", "/"]:
        page.goto(path)
        assert page.evaluate("document.querySelectorAll('script:not([type])').length") == 0, path
        expect(page.get_by_role("contentinfo")).to_be_visible()
