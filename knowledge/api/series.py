"""``/api/series/<slug>.json`` and ``.csv``: the points of one series, oldest first."""

import csv
import io
import re
from collections.abc import Callable
from datetime import date, datetime, time
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

import orjson
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from rest_framework import status
from rest_framework.request import Request
from rest_framework.views import APIView

from knowledge.errors import Gone, InvalidParameter, Refusal
from knowledge.models import Observation
from knowledge.publications import keep, revalidated
from knowledge.publications.delivery import CACHE_CONTROL
from knowledge.queries import series as queries
from knowledge.queries.cursors import CursorError, Page, Pagination, page
from knowledge.queries.numbers import SCOPES
from knowledge.queries.series import rounded
from knowledge.series.values import POINTS_MAX, Figures, figures_of, json_number, points_of
from knowledge.times import iso_kst

LIMIT_DEFAULT = 1_000
_WHOLE_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class NoSuchSeries(Refusal):
    """404: no public series has this slug."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_such_series"

    def __init__(self, slug: str, nearest: list[str]) -> None:
        named = ", ".join(nearest) or "none yet"
        super().__init__(
            f"There is no series {slug[:80]}. The nearest: {named}. /api/series.json lists all.",
            f"{slug[:80]}라는 시계열은 없습니다. 가까운 것: {named}. 전체 목록은 /api/series.json에 있습니다.",
            errors=[{"parameter": "slug", "nearest": nearest}],
        )


class NotPassedOn(Refusal):
    """404: the values may be shown, but not passed on as a file."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "not_redistributable"
    english = (
        "The exchange's terms allow its prices to be shown, not to be passed on, so there is no CSV of this series."
        " The .json address gives the closes of the last 400 days."
    )
    korean = (
        "거래소 이용 조건이 가격의 재배포를 허락하지 않아 이 시계열의 CSV는 없습니다."
        " .json 주소에서 최근 400일의 종가를 볼 수 있습니다."
    )


class SeriesPointsView(APIView):
    """The points of a series as JSON, in pages of 1 to 5,000."""

    parameters: ClassVar = frozenset({"from", "to", "limit", "cursor", "revisions"})

    def get(self, request: Request, slug: str) -> HttpResponse:
        asked, now = _asked(request.GET, self.parameters), timezone.now()
        return _answer(request._request, slug, now, lambda figures: _as_json(figures, asked, now))


class SeriesTableView(APIView):
    """The points of a series as CSV: ``at,period,value``."""

    parameters: ClassVar = frozenset({"from", "to"})

    def get(self, request: Request, slug: str) -> HttpResponse:
        asked, now = _asked(request.GET, self.parameters), timezone.now()
        return _answer(request._request, slug, now, lambda figures: _as_csv(figures, asked, now))


def _answer(
    request: HttpRequest, slug: str, now: datetime, body: Callable[[Figures], HttpResponse]
) -> HttpResponse:
    """The body where the series is public; each query has an entry of its own, for none is refused but unknown ones."""
    series = queries.named(slug)
    status = series.public_status if series else HTTPStatus.NOT_FOUND
    if status is HTTPStatus.GONE:
        raise Gone
    if series is None or status is not HTTPStatus.OK:
        raise NoSuchSeries(slug, queries.nearest(slug))
    (figures,) = figures_of([series], now=now)
    response = revalidated(request, body(figures), cache_control=CACHE_CONTROL)
    return keep(request, response, scopes=SCOPES, variant=None)


def _asked(parameters: QueryDict, known: frozenset[str]) -> dict[str, str]:
    """Each parameter once, none that is unknown."""
    for name, values in parameters.lists():
        if name not in known or len(values) != 1:
            names = ", ".join(sorted(known))
            raise InvalidParameter(
                name[:40],
                f"The parameters here are {names}, each at most once.",
                f"쓸 수 있는 매개변수는 {names}이며 하나씩만 받습니다.",
            )
    asked = {name: str(parameters[name]) for name in parameters}
    first, last = _moment(asked, "from", time.min), _moment(asked, "to", time.max)
    if first and last and first > last:
        raise InvalidParameter("from", "from must not be later than to.", "from은 to보다 늦을 수 없습니다.")
    _limit(asked)
    if asked.get("revisions", "1") != "1":
        raise InvalidParameter(
            "revisions", "revisions is 1, or left out.", "revisions는 1이거나 없어야 합니다."
        )
    return asked


def _moment(asked: dict[str, str], name: str, at: time) -> datetime | None:
    """An RFC 3339 time, or the first or last moment of a date in Seoul; None where it is not asked."""
    if name not in asked:
        return None
    text = asked[name]
    try:
        if _DATE.fullmatch(text):
            return timezone.make_aware(datetime.combine(date.fromisoformat(text), at))
        # A plus sign that nobody encoded arrives as a space.
        found = datetime.fromisoformat(text.replace(" ", "+"))
        if found.tzinfo is None:
            raise ValueError("no offset")
        return found.astimezone(timezone.get_default_timezone())
    except (ValueError, OverflowError):
        raise InvalidParameter(
            name,
            f"{name} must be a date such as 2026-11-20 or a time with offset such as 2026-11-20T09:00:00%2B09:00.",
            f"{name}은 2026-11-20 같은 날짜나 2026-11-20T09:00:00%2B09:00 같은 시각이어야 합니다.",
        ) from None


def _limit(asked: dict[str, str]) -> int:
    text = asked.get("limit", str(LIMIT_DEFAULT))
    if not _WHOLE_NUMBER.fullmatch(text) or not 1 <= int(text) <= POINTS_MAX:
        raise InvalidParameter(
            "limit",
            f"limit must be a whole number, 1 to {POINTS_MAX}.",
            f"limit는 1부터 {POINTS_MAX}까지의 정수여야 합니다.",
        )
    return int(text)


def _as_json(figures: Figures, asked: dict[str, str], now: datetime) -> HttpResponse:
    series, shown = figures.series, _page(figures, asked, now)
    following = None
    if shown.next_cursor:
        query = urlencode(asked | {"cursor": shown.next_cursor})
        following = f"{reverse('series-points-json', args=[series.slug])}?{query}"
    body = {
        "id": series.public_id,
        "label": series.label,
        "labelEn": series.label_en,
        "unit": series.unit,
        "cadence": series.cadence,
        "source": queries.source_of(figures),
        "licence": series.licence,
        "licenceEn": series.licence_in_english,
        "count": len(shown.rows),
        "points": [_point(row, series.decimals, revisions="revisions" in asked) for row in shown.rows],
        "next": following,
    }
    response = HttpResponse(orjson.dumps(body, default=json_number), content_type="application/json")
    if following:
        response.headers["Link"] = f'<{following}>; rel="next"'
    return response


def _page(figures: Figures, asked: dict[str, str], now: datetime) -> Page[Observation]:
    first, last = _moment(asked, "from", time.min), _moment(asked, "to", time.max)
    rows = points_of(figures, now=now, first=first, last=last, revisions="revisions" in asked)
    pagination = Pagination("series", (figures.series.slug, *(asked.get(name) for name in ("from", "to"))))
    try:
        key = pagination.key(asked.get("cursor", ""))
    except CursorError:
        raise InvalidParameter(
            "cursor",
            "cursor must be the one in next of the page before, with from and to unchanged.",
            "cursor는 from과 to가 같은 앞 페이지의 next에 있는 값이어야 합니다.",
        ) from None
    if key is not None:
        at, revision = datetime.fromisoformat(key[0]), key[1]
        rows = rows.filter(at__gte=at).exclude(at=at, revision__lte=revision)
    limit = _limit(asked)
    return page(list(rows[: limit + 1]), limit, lambda row: pagination.after(row.at, row.revision))


def _point(row: Observation, decimals: int, *, revisions: bool) -> dict[str, Any]:
    point = {
        "at": iso_kst(row.at),
        "period": row.period or None,
        "value": rounded(row.value, decimals),
        "revision": row.revision,
    }
    return point | {"fetchedAt": iso_kst(row.fetched_at)} if revisions else point


def _as_csv(figures: Figures, asked: dict[str, str], now: datetime) -> HttpResponse:
    series = figures.series
    if not series.redistributable:
        raise NotPassedOn
    first, last = _moment(asked, "from", time.min), _moment(asked, "to", time.max)
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerow(("at", "period", "value"))
    for row in points_of(figures, now=now, first=first, last=last):
        writer.writerow((iso_kst(row.at), row.period, f"{rounded(row.value, series.decimals):f}"))
    response = HttpResponse(table.getvalue(), content_type="text/csv; charset=utf-8")
    source = queries.source_of(figures)
    said = [series.slug, *([source["label"]] if source else []), series.licence]
    name = " - ".join(said).replace("/", " ")
    response.headers["Content-Disposition"] = content_disposition_header(True, f"{name}.csv") or ""
    # A title in other than Latin letters is written as RFC 8187 says.
    links = [f"<{series.get_absolute_url()}#licence>; rel=\"license\"; title*=UTF-8''{quote(series.licence)}"]
    if source:
        links.append(f"<{source['url']}>; rel=\"via\"; title*=UTF-8''{quote(source['label'])}")
    response.headers["Link"] = ", ".join(links)
    return response
