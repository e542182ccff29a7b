"""What each of the six sister services measures: declared here once, read by validation, rules and pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

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
        "거래",
        "거래 항구",
        "activeTraders",
        (
            Metric("activeTraders", "거래한 사람", volume=True),
            Metric("orders", "주문", volume=True),
            Metric("volumeKrw", "거래 대금(원)", volume=True),
            Metric("volatilityPct", "변동성(%)", "number", 0, 100),
            Metric("upShare", "오른 종목의 비율", "number", 0, 1),
        ),
    ),
    Service(
        "community",
        "커뮤니티",
        "광장",
        "activeUsers",
        (
            Metric("posts", "글", volume=True),
            Metric("comments", "댓글", volume=True),
            Metric("activeUsers", "활동한 사람", volume=True),
            Metric("newUsers", "새로 온 사람"),
            Metric("positive", "긍정 반응"),
            Metric("negative", "부정 반응"),
            Metric("neutral", "중립 반응"),
            Metric("reports", "신고"),
        ),
    ),
    Service(
        "learning",
        "배움",
        "학당 언덕",
        "learners",
        (
            Metric("learners", "배운 사람", volume=True),
            Metric("lessonsCompleted", "마친 수업", volume=True),
            Metric("quizAttempts", "풀어 본 문제", volume=True),
            Metric("avgScore", "평균 점수", "number", 0, 100),
            Metric("streakUsers", "이어서 배우는 사람"),
        ),
    ),
    Service(
        "media",
        "미디어",
        "방송 거리",
        "views",
        (
            Metric("published", "새 콘텐츠", volume=True),
            Metric("views", "조회", volume=True),
            Metric("watchMinutes", "시청 시간(분)", volume=True),
            Metric("saves", "저장", volume=True),
            Metric("topTopics", "많이 본 주제", "topics"),
        ),
    ),
    Service(
        "arena",
        "아레나",
        "경기장",
        "players",
        (
            Metric("players", "선수", volume=True),
            Metric("matches", "경기", volume=True),
            Metric("wins", "승리"),
            Metric("avgSessionMin", "평균 이용 시간(분)", "number", 0, 600),
            Metric("seasonDay", "시즌 날짜", "count", 0, 10_000),
        ),
    ),
    Service(
        "infra",
        "인프라",
        "발전소",
        "requests",
        (
            Metric("requests", "요청", volume=True),
            Metric("errorRate", "오류율", "number", 0, 1),
            Metric("p95Ms", "응답 시간 p95(ms)", "number", 0, 600_000),
            Metric("uptime", "가동률", "number", 0, 1),
            Metric("cpuPct", "CPU 사용률(%)", "number", 0, 100),
            Metric("deploys", "배포"),
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
