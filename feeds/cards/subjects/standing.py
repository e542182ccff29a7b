"""Pages that are always there: home, lists, and what says how to use the service."""

import re
from collections.abc import Collection
from datetime import datetime
from http import HTTPStatus
from typing import NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from archive.models import Snapshot
from feeds.cards.content import CITY, Card
from feeds.cards.subjects.days import picture_of
from feeds.cards.subjects.meeting import Meeting
from knowledge.models import PREFIX_LABELS, Unit

HOME, TOWN = "/", "/city"


class CardWords(NamedTuple):
    title: str | Promise
    sentence: str | Promise


SAID = {
    HOME: CardWords(
        _("한국 크립토, 출처까지"),
        _("코인과 거래소, 사람과 사건의 소식과 숫자를 모아 출처와 함께 보여 줍니다."),
    ),
    "/ask": CardWords(_("물어보기"), _("여기 모인 기록만으로, 문장마다 출처를 달아 답합니다.")),
    "/numbers": CardWords(
        pgettext_lazy("list", "숫자"), _("금리와 환율, 온체인 수치, 가격과 김치 프리미엄.")
    ),
    "/pulses": CardWords(pgettext_lazy("list", "펄스"), _("가격이 갑자기 움직인 기록과 그 출처.")),
    TOWN: CardWords(_("가상 도시"), _("자정마다 봉인되는 하루.")),
    "/search": CardWords(_("찾기"), _("자산, 인물, 기관, 주제, 사건과 그 기록.")),
    "/about": CardWords(_("소개와 인용"), _("무엇을 모으고 어떻게 엮는지, 어떻게 인용하면 되는지.")),
    "/terms": CardWords(
        pgettext_lazy("page", "이용 조건"), _("인용과 복제, 번역, 상업적 이용, 출처를 적는 법.")
    ),
    "/docs": CardWords(_("API 문서"), _("등록 없이 쓰는 JSON API, MCP, RSS.")),
    "/status": CardWords(_("상태"), _("수집이 얼마나 새로운지, 무엇이 늦는지.")),
}
LISTS = {f"/{prefix}": prefix for prefix in PREFIX_LABELS}
PATH = re.compile("|".join(map(re.escape, (*SAID, *LISTS))))


def paths() -> list[str]:
    return [*SAID, *LISTS]


def cards(paths: Collection[str], now: datetime) -> dict[str, Card]:
    newest = Snapshot.objects.published().first() if {HOME, TOWN} & set(paths) else None
    found = {path: _list(path, LISTS[path]) for path in paths if path in LISTS}
    for path in paths:
        if path in SAID:
            picture = picture_of(newest) if newest and path in (HOME, TOWN) else f"{CITY}:{path}"
            kicker = "" if path == HOME else settings.SERVICE_NAME
            title, sentence = SAID[path]
            found[path] = Card(str(title), picture, kicker=kicker, sentence=str(sentence))
    return found


def _list(path: str, prefix: str) -> Card:
    count = Unit.objects.published().filter(prefix=prefix).count()
    sentence = gettext("%(count)s개, 출처와 함께") % {"count": f"{count:,}"} if count else ""
    kicker = gettext("한국 크립토, 출처까지")
    return Card(str(PREFIX_LABELS[prefix]), f"{CITY}:{path}", kicker=kicker, sentence=sentence)


def at(path: str) -> Meeting:
    return Meeting(HTTPStatus.OK)
