"""How the service stands, in the words of readers. Health (``/api/health``) has the operators' own."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from knowledge.ingestion.health.freshness import FAIL, OK, WARN, Freshness
from knowledge.ingestion.health.troubles import Intake, SourceTrouble
from knowledge.languages import ENGLISH, current_language
from knowledge.models import FetchCause

NAMES = {
    "sources.video": gettext_lazy("유튜브 영상"),
    "sources.news": gettext_lazy("뉴스"),
    "sources.notice": gettext_lazy("거래소와 기관의 공지"),
    "sources.macro": gettext_lazy("금리·환율 등 경제 지표"),
    "sources.price": gettext_lazy("코인 가격"),
    "sources.onchain": gettext_lazy("블록체인 지표"),
    "publications": gettext_lazy("공개 목록"),
    "search": gettext_lazy("검색"),
    "model": gettext_lazy("답변"),
    "archive": gettext_lazy("도시 기록"),
    "bulk": gettext_lazy("전체 데이터 파일"),
}
VERDICTS = {
    OK: pgettext_lazy("status", "정상"),
    WARN: pgettext_lazy("status", "지연"),
    FAIL: pgettext_lazy("status", "중단"),
}
# What is the matter with a part that is late, other than its sources.
REASONS = {
    "publications": gettext_lazy("바뀐 내용이 아직 공개 목록에 모두 반영되지 않았습니다."),
    "search": gettext_lazy("새로 모은 글 일부가 아직 검색되지 않습니다."),
    "model": gettext_lazy("오늘은 AI로 새 답을 쓰지 않고, 기록을 그대로 인용해 답합니다."),
    "archive": gettext_lazy("지난 하루의 도시 기록이 늦어지고 있거나, 온전하지 않은 파일이 있습니다."),
    "bulk": gettext_lazy("오늘의 전체 데이터 파일이 아직 준비되지 않았습니다."),
}
CAUSES = {
    FetchCause.NONE: gettext_lazy("원인 확인 중"),
    FetchCause.TIMEOUT: gettext_lazy("상대 서버의 응답 지연"),
    FetchCause.DNS: gettext_lazy("서버 주소를 찾지 못함"),
    FetchCause.TLS: gettext_lazy("보안 연결 실패"),
    FetchCause.REFUSED: gettext_lazy("서버에 연결하지 못함"),
    FetchCause.STATUS: gettext_lazy("상대 서버의 오류 응답"),
    FetchCause.TOO_LARGE: gettext_lazy("응답이 지나치게 큼"),
    FetchCause.PARSE: gettext_lazy("내용을 읽지 못함"),
    FetchCause.EMPTY: gettext_lazy("내용이 빈 응답"),
    FetchCause.FORBIDDEN_ADDRESS: gettext_lazy("접속이 허용되지 않은 주소"),
    FetchCause.INTERNAL: gettext_lazy("내부 오류"),
}
SOURCES = "sources."


@dataclass(frozen=True, slots=True)
class Row:
    """A part of the service: ``reasons`` say in whole lines what is late and why."""

    name: str
    verdict: str
    reasons: Sequence[str]
    freshness: Freshness

    @property
    def is_well(self) -> bool:
        return self.freshness.status == OK and not self.reasons


@dataclass(frozen=True, slots=True)
class Standing:
    rows: Sequence[Row]
    offline: bool

    @property
    def stopped(self) -> list[str]:
        return [row.name for row in self.rows if row.freshness.status == FAIL]

    @property
    def late(self) -> list[str]:
        return [row.name for row in self.rows if not row.is_well and row.freshness.status != FAIL]


def name_of(subsystem: str) -> str:
    return str(NAMES.get(subsystem, subsystem))


def standing(rows: Iterable[Freshness], intake: Intake) -> Standing:
    """Every part with what is the matter. While nothing is reached at all, that is said once and not of each source."""
    by_kind: defaultdict[str, list[SourceTrouble]] = defaultdict(list)
    for trouble in () if intake.offline else intake.troubles:
        by_kind[SOURCES + trouble.kind].append(trouble)
    return Standing([_row(row, by_kind[row.name]) for row in rows], intake.offline)


def _row(row: Freshness, troubles: Sequence[SourceTrouble]) -> Row:
    reasons = [str(REASONS[row.name])] if row.status != OK and row.name in REASONS else _by_cause(troubles)
    verdict = _("일부 지연") if row.status == OK and reasons else str(VERDICTS[row.status])
    return Row(name_of(row.name), verdict, reasons, row)


def _by_cause(troubles: Iterable[SourceTrouble]) -> list[str]:
    """``서버 주소를 찾지 못함: 블록미디어, CoinDesk``, a line a cause."""
    names: defaultdict[FetchCause, list[str]] = defaultdict(list)
    for trouble in troubles:
        names[trouble.cause].append(trouble.name_en if current_language() == ENGLISH else trouble.name)
    return [f"{CAUSES[cause]}: {', '.join(found)}" for cause, found in names.items()]
