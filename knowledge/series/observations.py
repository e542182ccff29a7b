"""What readers call the series that the adapters bring, how often each has a new point, and its newest value."""

from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from knowledge.models import Observation


class Cadence(Enum):
    """How often a series has a new point, and how old its newest may become before it is stale.

    A point is dated by the beginning of its day or month and published later, so each allows for both.
    """

    LIVE = timedelta(hours=2)  # whenever it is asked for
    DAILY = timedelta(days=3)
    BUSINESS_DAILY = timedelta(days=5)  # weekends and holidays have no value: a long one none for four days
    MONTHLY = timedelta(days=80)  # known weeks after the month's end


class SeriesFacts(NamedTuple):
    label: str = ""
    cadence: Cadence = Cadence.BUSINESS_DAILY


SERIES: dict[str, SeriesFacts] = {
    "722Y001/0101000": SeriesFacts("한국은행 기준금리", Cadence.BUSINESS_DAILY),
    "731Y001/0000001": SeriesFacts("원/달러 매매기준율", Cadence.BUSINESS_DAILY),
    "901Y009/0": SeriesFacts("한국 소비자물가지수", Cadence.MONTHLY),
    "DGS10": SeriesFacts("미국 국채 10년물 금리", Cadence.BUSINESS_DAILY),
    "DFEDTARU": SeriesFacts("미국 연방기금금리 목표 상단", Cadence.DAILY),
    "CPIAUCSL": SeriesFacts("미국 소비자물가지수", Cadence.MONTHLY),
    "DTWEXBGS": SeriesFacts("달러 실효환율 지수(광의)", Cadence.BUSINESS_DAILY),
    "USDKRW": SeriesFacts("원/달러 기준환율(유럽중앙은행)", Cadence.BUSINESS_DAILY),
    "bitcoin.fee.fastest": SeriesFacts("비트코인 수수료(다음 블록)", Cadence.LIVE),
    "bitcoin.fee.half_hour": SeriesFacts("비트코인 수수료(30분)", Cadence.LIVE),
    "bitcoin.fee.hour": SeriesFacts("비트코인 수수료(1시간)", Cadence.LIVE),
    "bitcoin.fee.economy": SeriesFacts("비트코인 수수료(절약)", Cadence.LIVE),
    "bitcoin.fee.minimum": SeriesFacts("비트코인 수수료(최저)", Cadence.LIVE),
    "bitcoin.mempool.count": SeriesFacts("비트코인 대기 거래 수", Cadence.LIVE),
    "bitcoin.mempool.size": SeriesFacts("비트코인 대기 거래 크기", Cadence.LIVE),
    "bitcoin.mempool.fees": SeriesFacts("비트코인 대기 거래 수수료 합계", Cadence.LIVE),
    "bitcoin.retarget.progress": SeriesFacts("비트코인 난이도 조정 진행률", Cadence.LIVE),
    "bitcoin.retarget.change": SeriesFacts("비트코인 난이도 조정 예상 폭", Cadence.LIVE),
    "bitcoin.retarget.remaining_blocks": SeriesFacts("비트코인 난이도 조정까지 남은 블록", Cadence.LIVE),
    "bitcoin.hashrate": SeriesFacts("비트코인 해시레이트", Cadence.LIVE),
    "bitcoin.difficulty": SeriesFacts("비트코인 채굴 난이도", Cadence.LIVE),
    "bitcoin.height": SeriesFacts("비트코인 블록 높이", Cadence.LIVE),
    "defi.tvl": SeriesFacts("디파이 예치금 총액", Cadence.DAILY),
    "stablecoins.supply": SeriesFacts("스테이블코인 유통량", Cadence.DAILY),
}


def facts_of(key: str) -> SeriesFacts:
    """What is known of a series; one that is not listed has no label and is taken for a daily one."""
    return SERIES.get(key, SeriesFacts())


class Latest(NamedTuple):
    """The newest value of a series at ``at``. ``stale`` values may be shown only as such."""

    value: float
    at: datetime
    stale: bool


def latest(key: str, *, now: datetime) -> Latest | None:
    """The value that holds at ``now``, carried forward with a flag once it is older than its cadence allows; None
    while there is none yet."""
    newest = Observation.objects.filter(series__key=key, at__lte=now).order_by("-at").first()
    if newest is None:
        return None
    return Latest(newest.value, newest.at, now - newest.at > facts_of(key).cadence.value)
