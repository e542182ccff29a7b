"""What kind of thing a unit is, and how units stand to each other: the words, and what each word may stand on."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from knowledge.models.types import ENTITY_TYPES, UnitType


class Category(models.TextChoices):
    """The value is what JSON, MCP and addresses say; within the contract's ``v1`` none is ever renamed."""

    # Companies and institutions
    EXCHANGE = "exchange", _("가상자산 거래소")
    STOCK_EXCHANGE = "stock_exchange", _("증권거래소")
    ISSUER = "issuer", _("스테이블코인 발행사")
    WALLET = "wallet", _("지갑")
    CUSTODIAN = "custodian", _("수탁사")
    BANK = "bank", _("은행")
    FUND = "fund", _("자산운용·투자사")
    FINTECH = "fintech", _("핀테크·금융 서비스")
    TREASURY = "treasury", _("가상자산 비축 기업")
    DEVELOPER = "developer", _("블록체인 개발")
    DATA = "data", _("데이터·분석")
    MEDIA = "media", _("언론·미디어")
    COMPANY = "company", _("일반 기업")
    REGULATOR = "regulator", _("금융 감독기관")
    CENTRAL_BANK = "central_bank", _("중앙은행")
    GOVERNMENT = "government", _("정부·공공기관")
    INTERNATIONAL = "international", _("국제기구")
    ASSOCIATION = "association", _("협회·협의체")
    FOUNDATION = "foundation", _("재단")
    HACKER = "hacker", _("해킹 조직")
    # People
    FOUNDER = "founder", _("창업자")
    EXECUTIVE = "executive", _("경영자")
    OFFICIAL = "official", _("공직자·정치인")
    INVESTOR = "investor", _("투자자·분석가")
    # Assets
    CHAIN = "chain", _("블록체인")
    LAYER2 = "layer2", _("레이어 2")
    STABLECOIN = "stablecoin", _("스테이블코인")
    MEMECOIN = "memecoin", _("밈코인")
    DEFI = "defi", _("탈중앙화 금융")
    EXCHANGE_TOKEN = "exchange_token", _("거래소 토큰")
    BACKED_TOKEN = "backed_token", _("실물 담보 토큰")
    INFRASTRUCTURE = "infrastructure", _("인프라")
    GAMING = "gaming", _("게임·메타버스·NFT")
    SERVICE = "service", _("서비스 토큰")
    # Those who publish
    CHANNEL = "channel", pgettext_lazy("category", "채널")
    PERSONA = "persona", pgettext_lazy("category", "AI 페르소나")


_ORGANISATIONS = frozenset(list(Category)[: list(Category).index(Category.FOUNDER)])
_ASSETS = frozenset(
    list(Category)[list(Category).index(Category.CHAIN) : list(Category).index(Category.CHANNEL)]
)
# Which words may stand on which type of unit; topics and events have none.
CATEGORIES_OF: Mapping[str, frozenset[Category]] = MappingProxyType(
    {
        UnitType.COMPANY: _ORGANISATIONS,
        UnitType.ORGANISATION: _ORGANISATIONS,
        UnitType.PERSON: frozenset(
            {Category.FOUNDER, Category.EXECUTIVE, Category.OFFICIAL, Category.INVESTOR, Category.DEVELOPER}
        ),
        UnitType.ASSET: _ASSETS,
        UnitType.PRODUCT: _ASSETS | {Category.EXCHANGE, Category.WALLET, Category.DATA, Category.MEDIA},
        UnitType.CREATOR: frozenset({Category.CHANNEL, Category.PERSONA, Category.MEDIA}),
    }
)


def categories_of(kind: str) -> list[Category]:
    """The words that may stand on a type of unit, in the order of the vocabulary."""
    return [category for category in Category if category in CATEGORIES_OF.get(kind, ())]


def wrong_category(kind: str) -> str:
    """Why a word must not stand on a type of unit, with the words that may."""
    if known := categories_of(kind):
        said = gettext("이 종류의 항목에는 쓸 수 없는 분류입니다. 쓸 수 있는 분류: %(known)s.")
        return said % {"known": ", ".join(known)}
    return gettext("이 종류의 항목에는 분류가 없습니다.")


class Narrowing(NamedTuple):
    """Which units are asked for: of any of these types, of any of these categories, of this country. What is empty asks
    for all; ``UnitQuerySet.narrowed`` reads it."""

    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    country: str = ""

    def admits(self, kind: str, category: str, country: str) -> bool:
        """What ``narrowed`` says, of a unit at hand."""
        return (
            (not self.types or kind in self.types)
            and (not self.categories or category in self.categories)
            and self.country in ("", country)
        )


ALL_UNITS = Narrowing()


class RelationKind(models.TextChoices):
    """How a relation's ``subject`` stands to its ``object``."""

    FOUNDER_OF = "founder_of", _("창업한 곳")
    LEADS = "leads", _("대표를 맡은 곳")
    OPERATES = "operates", _("운영하는 것")
    SUBSIDIARY_OF = "subsidiary_of", _("모회사")
    MEMBER_OF = "member_of", _("소속된 곳")
    ISSUES = "issues", _("발행하는 자산")
    DEVELOPS = "develops", _("개발하는 것")


class InverseKind(models.TextChoices):
    """The same, seen from the object; each stands at the place of its ``RelationKind``."""

    FOUNDED_BY = "founded_by", _("창업자")
    LED_BY = "led_by", _("대표")
    OPERATED_BY = "operated_by", _("운영사")
    PARENT_OF = "parent_of", _("자회사")
    HAS_MEMBER = "has_member", _("회원사")
    ISSUED_BY = "issued_by", _("발행사")
    DEVELOPED_BY = "developed_by", _("개발사")


INVERSE_OF: Mapping[str, InverseKind] = MappingProxyType(dict(zip(RelationKind, InverseKind, strict=True)))
_BODIES = frozenset({UnitType.COMPANY, UnitType.ORGANISATION})
# The types of units that may stand at the two ends.
ENDS_OF: Mapping[str, tuple[frozenset[UnitType], frozenset[UnitType]]] = MappingProxyType(
    {
        RelationKind.FOUNDER_OF: (
            _BODIES | {UnitType.PERSON},
            _BODIES | {UnitType.ASSET, UnitType.PRODUCT, UnitType.CREATOR},
        ),
        RelationKind.LEADS: (frozenset({UnitType.PERSON}), _BODIES),
        RelationKind.OPERATES: (
            _BODIES | {UnitType.PERSON},
            frozenset(ENTITY_TYPES) - {UnitType.PERSON},
        ),
        RelationKind.SUBSIDIARY_OF: (_BODIES, _BODIES),
        RelationKind.MEMBER_OF: (frozenset(ENTITY_TYPES), _BODIES),
        RelationKind.ISSUES: (_BODIES, frozenset({UnitType.ASSET})),
        RelationKind.DEVELOPS: (_BODIES | {UnitType.PERSON}, frozenset({UnitType.ASSET, UnitType.PRODUCT})),
    }
)
