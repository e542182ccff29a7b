"""What each of the six sister services measures: declared here once, read by validation, rules and pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# Marked for the pages only: what is written and stored is Korean.
from django.utils.translation import gettext_noop as _

MetricKind = Literal["count", "number", "topics"]
# Far beyond any city, and still exact as a double.
COUNT_MAX = 10**15


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a signal. Counts are whole; ``volume`` ones make a district's activity."""

    name: str
    label: str
    kind: MetricKind = "count"
    low: float = 0
    high: float = COUNT_MAX
    volume: bool = False

    @property
    def is_count(self) -> bool:
        return self.kind == "count"


@dataclass(frozen=True, slots=True)
class Service:
    """A kind of sister service: the district that it plays, and ``users``, the metric that fills its streets."""

    slug: str
    name: str
    district: str
    users: str
    metrics: tuple[Metric, ...]

    def metric(self, name: str) -> Metric:
        return next(metric for metric in self.metrics if metric.name == name)

    @property
    def volumes(self) -> tuple[Metric, ...]:
        return tuple(metric for metric in self.metrics if metric.volume)


SERVICES: tuple[Service, ...] = (
    Service(
        "market",
        _("거래"),
        _("거래 항구"),
        "activeTraders",
        (
            Metric("activeTraders", _("거래한 사람"), volume=True),
            Metric("orders", _("주문"), volume=True),
            Metric("volumeKrw", _("거래 대금(원)"), volume=True),
            Metric("volatilityPct", _("변동성(%)"), "number", 0, 100),
            Metric("upShare", _("오른 종목의 비율"), "number", 0, 1),
        ),
    ),
    Service(
        "community",
        _("커뮤니티"),
        _("광장"),
        "activeUsers",
        (
            Metric("posts", _("글"), volume=True),
            Metric("comments", _("댓글"), volume=True),
            Metric("activeUsers", _("활동한 사람"), volume=True),
            Metric("newUsers", _("새로 온 사람")),
            Metric("positive", _("긍정 반응")),
            Metric("negative", _("부정 반응")),
            Metric("neutral", _("중립 반응")),
            Metric("reports", _("신고")),
        ),
    ),
    Service(
        "learning",
        _("배움"),
        _("학당 언덕"),
        "learners",
        (
            Metric("learners", _("배운 사람"), volume=True),
            Metric("lessonsCompleted", _("마친 수업"), volume=True),
            Metric("quizAttempts", _("풀어 본 문제"), volume=True),
            Metric("avgScore", _("평균 점수"), "number", 0, 100),
            Metric("streakUsers", _("이어서 배우는 사람")),
        ),
    ),
    Service(
        "media",
        _("미디어"),
        _("방송 거리"),
        "views",
        (
            Metric("published", _("새 콘텐츠"), volume=True),
            Metric("views", _("조회"), volume=True),
            Metric("watchMinutes", _("시청 시간(분)"), volume=True),
            Metric("saves", _("저장"), volume=True),
            Metric("topTopics", _("많이 본 주제"), "topics"),
        ),
    ),
    Service(
        "arena",
        _("아레나"),
        _("경기장"),
        "players",
        (
            Metric("players", _("선수"), volume=True),
            Metric("matches", _("경기"), volume=True),
            Metric("wins", _("승리")),
            Metric("avgSessionMin", _("평균 이용 시간(분)"), "number", 0, 600),
            Metric("seasonDay", _("시즌 날짜"), "count", 0, 10_000),
        ),
    ),
    Service(
        "infra",
        _("인프라"),
        _("발전소"),
        "requests",
        (
            Metric("requests", _("요청"), volume=True),
            Metric("errorRate", _("오류율"), "number", 0, 1),
            Metric("p95Ms", _("응답 시간 p95(ms)"), "number", 0, 600_000),
            Metric("uptime", _("가동률"), "number", 0, 1),
            Metric("cpuPct", _("CPU 사용률(%)"), "number", 0, 100),
            Metric("deploys", _("배포")),
        ),
    ),
)
SERVICES_BY_SLUG: dict[str, Service] = {service.slug: service for service in SERVICES}
SLUGS: tuple[str, ...] = tuple(SERVICES_BY_SLUG)


def numeric_metrics() -> Iterator[tuple[Service, Metric]]:
    """Every metric that is a number and so has a norm."""
    for service in SERVICES:
        for metric in service.metrics:
            if metric.kind != "topics":
                yield service, metric
