"""What readers call the series that the adapters bring, and how often each has a new point."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum


class Cadence(Enum):
    """How often a series has a new point, and how old its newest may become before it is stale.

    A point is dated by the beginning of its day or month and published later, so each allows for both.
    """

    LIVE = timedelta(hours=2)  # whenever it is asked for
    DAILY = timedelta(days=3)
    BUSINESS_DAILY = timedelta(days=5)  # weekends and holidays have no value: a long one none for four days
    MONTHLY = timedelta(days=80)  # known weeks after the month's end


@dataclass(frozen=True, slots=True)
class SeriesFacts:
    label: str = ""
    cadence: Cadence = Cadence.BUSINESS_DAILY


_DAY, _LIVE, _BUSINESS, _MONTH = Cadence.DAILY, Cadence.LIVE, Cadence.BUSINESS_DAILY, Cadence.MONTHLY

SERIES: dict[str, SeriesFacts] = {
    "722Y001/0101000": SeriesFacts("한국은행 기준금리", _BUSINESS),
    "731Y001/0000001": SeriesFacts("원/달러 매매기준율", _BUSINESS),
    "901Y009/0": SeriesFacts("한국 소비자물가지수", _MONTH),
    "DGS10": SeriesFacts("미국 국채 10년물 금리", _BUSINESS),
    "DFEDTARU": SeriesFacts("미국 연방기금금리 목표 상단", _DAY),
    "CPIAUCSL": SeriesFacts("미국 소비자물가지수", _MONTH),
    "DTWEXBGS": SeriesFacts("달러 실효환율 지수(광의)", _BUSINESS),
    "USDKRW": SeriesFacts("원/달러 기준환율(유럽중앙은행)", _BUSINESS),
    "bitcoin.fee.fastest": SeriesFacts("비트코인 수수료(다음 블록)", _LIVE),
    "bitcoin.fee.half_hour": SeriesFacts("비트코인 수수료(30분)", _LIVE),
    "bitcoin.fee.hour": SeriesFacts("비트코인 수수료(1시간)", _LIVE),
    "bitcoin.fee.economy": SeriesFacts("비트코인 수수료(절약)", _LIVE),
    "bitcoin.fee.minimum": SeriesFacts("비트코인 수수료(최저)", _LIVE),
    "bitcoin.mempool.count": SeriesFacts("비트코인 대기 거래 수", _LIVE),
    "bitcoin.mempool.size": SeriesFacts("비트코인 대기 거래 크기", _LIVE),
    "bitcoin.mempool.fees": SeriesFacts("비트코인 대기 거래 수수료 합계", _LIVE),
    "bitcoin.retarget.progress": SeriesFacts("비트코인 난이도 조정 진행률", _LIVE),
    "bitcoin.retarget.change": SeriesFacts("비트코인 난이도 조정 예상 폭", _LIVE),
    "bitcoin.retarget.remaining_blocks": SeriesFacts("비트코인 난이도 조정까지 남은 블록", _LIVE),
    "bitcoin.hashrate": SeriesFacts("비트코인 해시레이트", _LIVE),
    "bitcoin.difficulty": SeriesFacts("비트코인 채굴 난이도", _LIVE),
    "bitcoin.height": SeriesFacts("비트코인 블록 높이", _LIVE),
    "defi.tvl": SeriesFacts("디파이 예치금 총액", _DAY),
    "stablecoins.supply": SeriesFacts("스테이블코인 유통량", _DAY),
}


def facts_of(key: str) -> SeriesFacts:
    """What is known of a series; one that is not listed has no label and is taken for a daily one."""
    return SERIES.get(key, SeriesFacts())
