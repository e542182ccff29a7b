"""Made-up units and documents of any number, the same for the same seed: Korean and English, as the feeds write.

Which unit a document names follows a long tail: one unit stands in a fifth of all documents, most in a handful.
"""

import random
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from knowledge.linking.lexicon import ENGLISH_WORDS
from knowledge.models import UnitType

SHARE_OF_FIRST = 0.2  # documents that name the first unit
NAMED_BESIDE = ((0, 1, 2, 3, 4), (20, 35, 25, 15, 5))  # how many others a document names, and how often
KOREAN_SHARE = 0.8
WITHOUT_SUMMARY = 0.1
UNITS_A_TRANSLATION = 10  # of so many units one has an English summary
SUMMARY_WORDS = (12, 26)  # so that the names beside them fit into a summary as well
TITLE_WORDS = (5, 9)
PARTICLES = ("가", "는", "를", "의", "에", "와", "도", "로", "")

_NOUNS = """
시장 가격 거래 투자 자산 규제 금리 정책 발표 전망 상승 하락 급등 급락 분석 자금 유입 유출 기관 은행 정부
의회 법안 승인 심사 상장 폐지 공시 보고 실적 매출 이익 손실 위험 보안 해킹 피해 조사 수사 기소 소송 판결
합의 협력 제휴 인수 합병 출시 서비스 기술 개발 연구 보상 발행 공급 수요 유통 소각 잠금 해제 갱신 검증 처리
속도 비용 수수료 지갑 계좌 입금 출금 결제 송금 환율 달러 국채 물가 고용 성장 침체 회복 경기 무역 관세 수출
수입 원유 세금 과세 신고 의무 기준 지침 제도 개편 논의 회의 행사 참가 대표 임원 직원 이용자 고객 회사 업계
전문가 관계자 당국 위원회 협회 재단 연합 지역 국내 해외 미국 중국 일본 유럽 아시아 오전 오후 지난주 이번달
"""
_VERBS = """
밝혔다 전했다 나섰다 올랐다 내렸다 늘었다 줄었다 이어졌다 발표했다 검토했다 시작했다 마쳤다 지적했다 예상했다
강조했다
"""
_ENGLISH = """
market price trading investors asset regulation rates policy announces outlook rises falls surges slumps
analysis funds inflows outflows institutions bank government congress bill approval review listing filing
report earnings revenue profit loss risk security breach damage probe lawsuit ruling settlement partnership
acquisition launch service technology development research rewards issuance supply demand burn unlock
upgrade validators throughput cost fees wallet account deposit withdrawal payments transfer dollar bonds
inflation jobs growth slowdown recovery trade tariffs exports oil taxes guidance framework reform talks
meeting event users customers company industry experts officials agency committee association foundation
region domestic overseas quarter week month year says after before amid against under over with from into
plans could would will may more less record new major
"""
_NAME_SYLLABLES = (
    "라마바사자카타파하나다가로모보소조코토포호노도고루무부수주쿠투"
    "푸후누두구리미비시지키티피히니디기레메베세제케테페헤네데게"
)
_ONSETS = "b br c d dr f g gl k l m n p qu r s st t v z"
_RIMES = "an ar ax el en era ex ia ino ix on ora ox um us yn"
_LATIN_KINDS = ("Protocol", "Network", "Labs", "Finance", "Capital", "Chain", "Group", "Foundation")
_TYPES = (  # of a hundred units
    *((UnitType.ASSET,) * 70), *((UnitType.COMPANY,) * 10), *((UnitType.PERSON,) * 8),
    *((UnitType.ORGANISATION,) * 5), *((UnitType.PRODUCT,) * 4), *((UnitType.CREATOR,) * 2), UnitType.TOPIC,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MadeUpUnit:
    """``names`` are its aliases: the label, a name in Latin letters and, of an asset, the ticker."""

    type: str
    slug: str
    label: str
    symbol: str
    names: tuple[str, ...]
    summary: str
    summary_en: str


@dataclass(frozen=True, slots=True)
class MadeUpDocument:
    """A text and the units in it: ``named`` has (number of the unit, start, end) in title, newline, summary."""

    lang: str
    title: str
    summary: str
    named: tuple[tuple[int, int, int], ...]


class MadeUp:
    """Units first, then documents that name them."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        nouns = _NOUNS.split()
        compounds = [one + two for one in nouns for two in nouns if one != two]
        self._random.shuffle(compounds)
        self._korean = _Words([*nouns, *_VERBS.split(), *compounds])
        self._latin = [onset + rime for onset in _ONSETS.split() for rime in _RIMES.split()]
        self._english = _Words([*_ENGLISH.split(), *(a + b for a in self._latin for b in self._latin[::9])])
        self.units: list[MadeUpUnit] = []
        self._taken: set[str] = set()

    def make_units(self, count: int) -> None:
        """The first unit is the one of which everybody speaks."""
        self.units = [self._unit(number) for number in range(count)]
        self._tail = _Weights(count - 1)

    def documents(self, count: int) -> Iterator[MadeUpDocument]:
        for _number in range(count):
            yield self._document()

    def _unit(self, number: int) -> MadeUpUnit:
        kind = _TYPES[number * 37 % len(_TYPES)]
        label, latin = self._once(self._korean_name), self._once(self._latin_name)
        symbol = self._once(self._ticker) if kind == UnitType.ASSET else ""
        summary = " ".join((f"{label}는", *self._korean.pick(self._random, 18)))
        english = () if number % UNITS_A_TRANSLATION else (latin, "is", *self._english.pick(self._random, 24))
        summary_en = " ".join(english)
        names = (label, latin, symbol) if symbol else (label, latin)
        return MadeUpUnit(kind, f"made-up-{number}", label, symbol, names, summary, summary_en)

    def _once(self, make: Callable[[], str]) -> str:
        """What ``make`` gives, and never the same again."""
        while (made := make()) in self._taken:
            pass
        self._taken.add(made)
        return made

    def _korean_name(self) -> str:
        return "".join(self._random.choices(_NAME_SYLLABLES, k=self._random.choice((3, 4, 5))))

    def _latin_name(self) -> str:
        first = "".join(self._random.choices(self._latin, k=2)).capitalize()
        return f"{first} {self._random.choice(_LATIN_KINDS)}"

    def _ticker(self) -> str:
        letters = "".join(self._random.choices(string.ascii_uppercase, k=self._random.choice((4, 4, 5))))
        return letters if letters.lower() not in ENGLISH_WORDS else f"{letters}X"

    def _document(self) -> MadeUpDocument:
        chance = self._random
        korean = chance.random() < KOREAN_SHARE
        words = self._korean if korean else self._english
        title = words.pick(chance, chance.randint(*TITLE_WORDS))
        length = 0 if chance.random() < WITHOUT_SUMMARY else chance.randint(*SUMMARY_WORDS)
        summary = words.pick(chance, length)
        return _written("ko" if korean else "en", title, summary, self._names_of_one(korean), chance)

    def _names_of_one(self, korean: bool) -> dict[str, int]:
        """Spellings for one document, each with the number of its unit; no unit twice."""
        chance = self._random
        units = [0] if chance.random() < SHARE_OF_FIRST else []
        beside = chance.choices(*NAMED_BESIDE)[0]
        units += [1 + rank for rank in self._tail.pick(chance, beside)]
        return {self._spelling(unit, korean): unit for unit in dict.fromkeys(units)}

    def _spelling(self, unit: int, korean: bool) -> str:
        names = self.units[unit].names
        return names[0] if korean and self._random.random() < 0.7 else self._random.choice(names[1:])


class _Weights:
    """Ranks drawn so that the r-th comes about 1/r as often as the first."""

    def __init__(self, count: int) -> None:
        self._ranks = range(count)
        self._weights = list(accumulate(1 / (rank + 5) for rank in self._ranks))

    def pick(self, chance: random.Random, count: int) -> list[int]:
        return chance.choices(self._ranks, cum_weights=self._weights, k=count) if self._ranks else []


class _Words:
    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(dict.fromkeys(words))
        self._weights = _Weights(len(self._words))

    def pick(self, chance: random.Random, count: int) -> list[str]:
        return [self._words[rank] for rank in self._weights.pick(chance, count)]


def _written(
    lang: str, title: list[str], summary: list[str], names: dict[str, int], chance: random.Random
) -> MadeUpDocument:
    """The names put between the words, the first into the title, and where they came to stand."""
    pieces: list[list[tuple[str, int | None, str]]] = [
        [(word, None, "") for word in title], [(word, None, "") for word in summary]
    ]  # fmt: skip
    for number, (name, named_unit) in enumerate(names.items()):
        place = pieces[1] if number and summary else pieces[0]
        ending = chance.choice(PARTICLES) if lang == "ko" else ""
        place.insert(chance.randint(0, len(place)), (name, named_unit, ending))
    texts, named, at = [], [], 0
    for piece in pieces:
        written: list[str] = []
        for word, unit, ending in piece:
            if unit is not None:
                named.append((unit, at, at + len(word)))
            written.append(word + ending)
            at += len(word) + len(ending) + 1
        texts.append(" ".join(written))
    return MadeUpDocument(lang, texts[0], texts[1], tuple(named))
