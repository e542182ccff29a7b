"""Canonical units: what everything else in the knowledge base speaks of.

One table holds every unit; ``Entity``, ``Topic`` and ``Event`` are proxies of it, so that an alias, a mention
or a redirect has one real foreign key whatever it points to. The public id is ``<prefix>:<slug>`` and the page
``/<prefix>/<slug>``; neither ever changes.
"""

from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import Any, ClassVar

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Case, CheckConstraint, F, Index, Q, UniqueConstraint, Value, When
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pgtrigger import Condition, Deferred, Delete, Insert, Truncate, Update, UpdateOf

from knowledge.invisible import one_line, without_invisible
from knowledge.languages import ENGLISH, current_language
from knowledge.models.countries import COUNTRIES, Country, country_choices
from knowledge.models.history import Changes
from knowledge.models.kinds import CATEGORIES_OF, Category, Narrowing, wrong_category
from knowledge.models.reader_questions import check_number, reader_questions_field, tidied_questions
from knowledge.models.source_urls import checked, source_urls_constraints, source_urls_field, tidied
from knowledge.models.triggers import (
    after_change,
    after_row,
    after_statement,
    after_statements,
    before_row,
    before_truncate,
)
from knowledge.models.types import ENTITY_TYPES, UnitType
from knowledge.normalise import normalise_alias


class Status(models.TextChoices):
    """Where an editorial record stands. Only ``published`` is ever public."""

    DRAFT = "draft", _("초안")
    PUBLISHED = "published", _("공개")
    RETRACTED = "retracted", _("철회")


# Each prefix of an address, and what readers call what stands there. All types without one of their own share /entity/.
PREFIX_LABELS = {
    "asset": pgettext_lazy("list", "자산"),
    "creator": pgettext_lazy("list", "크리에이터"),
    "topic": pgettext_lazy("list", "주제"),
    "event": pgettext_lazy("list", "사건"),
    "entity": pgettext_lazy("list", "인물과 기관"),
}
PREFIXES = tuple(PREFIX_LABELS)
# ``updated_at`` moves with all that readers see of a unit, once a transaction: the rest says who is public at all.
_PUBLIC_CHANGE = Condition(
    "'published' IN (OLD.status, NEW.status) AND"
    " (OLD.updated_at, OLD.status, OLD.merged_into_id, OLD.prefix, OLD.slug) IS DISTINCT FROM"
    " (NEW.updated_at, NEW.status, NEW.merged_into_id, NEW.prefix, NEW.slug)"
)
NAME_MAX_LENGTH = 200  # characters of a label or an alias


def prefix_of(kind: str) -> str:
    """The first part of the public ids and addresses of units of a type."""
    return kind if kind in PREFIXES else "entity"


class UnitQuerySet(models.QuerySet["Unit"]):
    def published(self) -> "UnitQuerySet":
        """The public units: the only place where that is said for units."""
        return self.filter(status=Status.PUBLISHED, merged_into__isnull=True)

    def survivors(self) -> "UnitQuerySet":
        """Units that stand for themselves, whatever their status."""
        return self.filter(merged_into__isnull=True)

    def awaiting(self) -> "UnitQuerySet":
        """Drafts that nobody has let in or kept out, the newest first."""
        return self.survivors().filter(status=Status.DRAFT).order_by("-created_at", "-pk")

    def family(self, unit: "Unit") -> "UnitQuerySet":
        """The unit and all that was merged into it: mentions, links and names stay with whatever they were made for."""
        return self.filter(Q(pk=unit.pk) | Q(merged_into=unit.pk))

    def families(self, units: Collection[int] | models.QuerySet[Any, Any]) -> "UnitQuerySet":
        """The units with these keys and all that was merged into them."""
        return self.filter(Q(pk__in=units) | Q(merged_into__in=units))

    def survivor_keys(self) -> dict[int, int]:
        """By the key of each of these units the key of the unit that answers for it. One query."""
        rows = self.order_by().values_list("pk", "merged_into")
        return {pk: pk if merged_into is None else merged_into for pk, merged_into in rows}

    def with_public_ids(self, public_ids: Iterable[str]) -> "UnitQuerySet":
        """Units with these ``prefix:slug``; none for what has no such form."""
        named = Q(pk__in=())
        for public_id in public_ids:
            prefix, _colon, slug = public_id.partition(":")
            named |= Q(prefix=prefix, slug=slug)
        return self.filter(named)

    def narrowed(self, to: Narrowing) -> "UnitQuerySet":
        asked = {"type__in": to.types, "category__in": to.categories, "country": to.country}
        return self.filter(**{lookup: wanted for lookup, wanted in asked.items() if wanted})

    def find(self, public_id: str) -> "Unit | None":
        """Whatever has this id, public or not, with the unit it was merged into."""
        return self.with_public_ids([public_id]).select_related("merged_into").first()

    def newest_first(self) -> "UnitQuerySet":
        """Events by the time they happened, the newest first."""
        return self.order_by("-occurred_at", "-pk")

    def latest_first(self) -> "UnitQuerySet":
        """Those that became public last foremost; events of one moment by the time they happened."""
        return self.order_by("-public_since", "-occurred_at", "-pk")


AnyUnitManager = models.Manager.from_queryset(UnitQuerySet)


class UnitManager(AnyUnitManager["Unit"]):
    """A manager of the units of some types; ``types`` empty means all."""

    def __init__(self, *types: UnitType) -> None:
        super().__init__()
        self.types = types

    def get_queryset(self) -> UnitQuerySet:
        units = UnitQuerySet(self.model, using=self._db)
        return units.filter(type__in=self.types) if self.types else units


def survivor_key(path: str) -> Coalesce:
    """The key of the unit that answers for the one at ``path``, a lookup such as ``unit``."""
    return Coalesce(f"{path}__merged_into", path)


class Unit(models.Model):
    """A canonical unit. ``updated_at`` is the last change of what the public sees, and the database owns it."""

    type = models.CharField(_("종류"), max_length=16, choices=UnitType.choices)
    prefix = models.GeneratedField(
        expression=Case(
            When(type__in=[kind.value for kind in UnitType if kind in PREFIXES], then=F("type")),
            default=Value("entity"),
        ),
        output_field=models.CharField(max_length=16),
        db_persist=True,
    )
    slug = models.SlugField(_("슬러그"), max_length=96, help_text=_("공개 주소의 일부이며 바뀌지 않습니다."))
    label = models.CharField(_("이름"), max_length=NAME_MAX_LENGTH)
    label_en = models.CharField(
        _("이름(영어)"),
        max_length=NAME_MAX_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text=_(
            "영어 페이지의 제목. 비우면 한국어 이름이 나오고 그 페이지는 검색 엔진에 올리지 않습니다."
        ),
    )
    summary = models.TextField(_("요약"), blank=True)
    summary_en = models.TextField(_("요약(영어)"), blank=True)
    status = models.CharField(_("상태"), max_length=10, choices=Status.choices, default=Status.DRAFT)
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        verbose_name=_("병합된 곳"),
        null=True,
        blank=True,
        related_name="merged_units",
    )
    symbol = models.CharField(_("심볼"), max_length=24, blank=True)
    website = models.URLField(_("공식 사이트"), blank=True)
    source_urls = source_urls_field(
        verbose_name=pgettext_lazy("unit", "근거 주소"),
        help_text=_(
            "요약의 사실이 어디에 나오는지, 한 줄에 하나. 법령, 공시, 백서, 공식 발표처럼 오래 남는 페이지를 씁니다. "
            "공식 사이트는 따로 적습니다."
        ),
    )
    category = models.CharField(
        _("분류"), max_length=16, choices=Category.choices, blank=True, default="", db_default=""
    )
    country = models.CharField(
        _("나라"),
        max_length=2,
        choices=country_choices,
        blank=True,
        default="",
        db_default="",
        help_text=_("단체는 근거지, 인물은 국적, 자산은 개발한 곳. 분명하지 않으면 비웁니다."),
    )
    # Read in questions, searches and misspelt words, never in documents and never shown; units may share one.
    asked_as = ArrayField(
        models.CharField(max_length=NAME_MAX_LENGTH, blank=True),
        verbose_name=_("질문 표현"),
        default=list,
        db_default=Value([], output_field=ArrayField(models.CharField(max_length=NAME_MAX_LENGTH))),
        blank=True,
        help_text=_(
            "사람들이 물을 때 쓰는 말, 한 줄에 하나. 질문과 검색만 읽고 문서 연결과 공개 별칭에는 쓰지 않습니다."
        ),
    )
    # Read in questions and searches alone, as ``asked_as`` is, and never shown.
    reader_questions = reader_questions_field(
        verbose_name=_("독자 질문"),
        help_text=_(
            "요약이 답하는 질문, 한 줄에 하나. 화살표(→) 뒤에 답이 되는 문장의 말을 적으면 그 문장으로 답합니다. "
            "요약에 없는 말로 묻는 질문을 적습니다. 질문과 검색만 읽고 보여 주지 않습니다."
        ),
    )
    occurred_at = models.DateTimeField(_("발생 일시"), null=True, blank=True)
    related_units = models.ManyToManyField(
        "self", through="EventUnit", through_fields=("event", "unit"), symmetrical=False, related_name="+"
    )
    document_count = models.PositiveIntegerField(_("문서 수"), default=0, editable=False)
    video_count = models.PositiveIntegerField(_("영상 수"), default=0, editable=False)
    # What the canon loader last wrote; a unit that no longer matches it was changed by an editor and stays.
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(_("생성 일시"), db_default=Now(), editable=False)
    # Kept by a trigger. Null for what never was public.
    public_since = models.DateTimeField(_("최초 공개 일시"), null=True, editable=False)
    updated_at = models.DateTimeField(_("공개 내용 변경 일시"), db_default=Now(), editable=False)

    linked: list[Any]  # its aliases by which texts call it, where the linker loaded them

    objects: ClassVar[UnitManager] = UnitManager()
    history = Changes(
        _("항목의 변경"),
        excluded=(
            *("prefix", "document_count", "video_count", "canon_sha256"),
            *("created_at", "public_since", "updated_at"),
        ),
        no_db_index=("slug", "merged_into"),
    )

    class Meta:
        verbose_name = verbose_name_plural = _("항목")
        permissions = [
            ("publish_unit", _("항목을 공개하고 철회")),
            ("merge_unit", _("항목을 병합하고 나누고 되돌리기")),
            ("decide_candidate", _("사건 후보를 결정")),
            ("import_unit", _("항목과 별칭 들여오기")),
            ("export_unit", _("항목과 별칭 내보내기")),
            ("run_source", _("출처를 지금 수집")),
        ]
        constraints = [
            UniqueConstraint(fields=["prefix", "slug"], name="unit_prefix_slug_unique"),
            CheckConstraint(condition=Q(type__in=UnitType.values), name="unit_type_known"),
            CheckConstraint(condition=Q(status__in=Status.values), name="unit_status_known"),
            CheckConstraint(
                condition=Q(category="") | Q(category__in=Category.values, type__in=ENTITY_TYPES),
                name="unit_category_known",
            ),
            CheckConstraint(
                condition=Q(country="") | Q(country__regex=r"^[A-Z]{2}$", type__in=ENTITY_TYPES),
                name="unit_country_of_entity",
            ),
            CheckConstraint(condition=~Q(label=""), name="unit_label_present"),
            CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("id")),
                name="unit_not_merged_into_itself",
            ),
            CheckConstraint(condition=Q(slug__regex=r"^[a-z0-9][a-z0-9-]*$"), name="unit_slug_lowercase"),
            CheckConstraint(
                condition=Q(occurred_at__isnull=True) | Q(type=UnitType.EVENT), name="unit_only_events_occur"
            ),
            CheckConstraint(
                condition=~Q(type=UnitType.EVENT, status=Status.PUBLISHED) | Q(occurred_at__isnull=False),
                name="unit_published_event_has_time",
            ),
            *source_urls_constraints("source_urls", "unit_source_urls"),
        ]
        indexes = [
            Index(fields=["type", "status"], name="unit_type_status"),
            Index(fields=["category", "country"], condition=~Q(category=""), name="unit_category"),
            Index(fields=["-occurred_at"], condition=Q(occurred_at__isnull=False), name="unit_occurred_at"),
        ]
        triggers = [
            before_row("unit_own_updated_at", Update),
            before_row("unit_public_since", Insert | UpdateOf("status", "public_since"), body="public_since"),
            *after_statements("unit"),
            before_truncate("unit"),
            # At commit, so that a curator may merge and repoint in any order.
            after_row(
                "unit_redirects_one_hop",
                Insert | UpdateOf("merged_into_id"),
                Condition("NEW.merged_into_id IS NOT NULL"),
                "merge_holds",
                Deferred,
            ),
            after_change("unit_retyped", "type", body="merge_holds", timing=Deferred),
            after_row(
                "unit_lends_names",
                UpdateOf("status"),
                Condition("NEW.merged_into_id IS NOT NULL AND OLD.status IS DISTINCT FROM NEW.status"),
            ),
            after_change("family_changed", "merged_into_id"),
            after_row("family_left", Delete, Condition("OLD.merged_into_id IS NOT NULL"), "family_changed"),
            after_statement("pair_deleted", Delete, "pair_of_unit_deleted"),
            after_statement("label_insert", Insert),
            after_change("label_rename", "label"),
            after_statement("label_delete", Delete),
            after_statement("vocabulary_unit", Insert | Delete | Truncate, "vocabulary_changed"),
            after_statement("vocabulary_unit_updated", Update),
            after_row("unit_appears", Insert, Condition("NEW.status = 'published'")),
            after_row("unit_unsettled", Update, _PUBLIC_CHANGE),
            after_row("unit_leaves", Delete, Condition("OLD.status = 'published'"), "unit_unsettled"),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.public_id})"

    def clean(self) -> None:
        if len(types := type(self).objects.types) == 1:  # a form of one type has no field of it
            self.type = types[0]
        self.tidy()
        try:
            self.source_urls = checked(self.source_urls)
        except ValidationError as error:
            raise ValidationError({"source_urls": error}) from error
        try:
            check_number(self.reader_questions)
        except ValidationError as error:
            raise ValidationError({"reader_questions": error}) from error
        if not self.label:
            raise ValidationError({"label": _("보이는 글자가 하나 이상 있어야 합니다.")})
        if self.type == UnitType.EVENT and self.status == Status.PUBLISHED and self.occurred_at is None:
            raise ValidationError({"occurred_at": _("공개하는 사건에는 발생 일시가 있어야 합니다.")})
        if self.category and self.category not in CATEGORIES_OF.get(self.type, ()):
            raise ValidationError({"category": wrong_category(self.type)})
        if self.country and (self.country not in COUNTRIES or self.type not in ENTITY_TYPES):
            raise ValidationError({"country": _("ISO 3166-1의 두 글자 나라 코드여야 합니다.")})

    def tidy(self) -> None:
        """Take out of the texts what nobody sees: a bidirectional mark would turn the rest of a page around."""
        for name in ("label", "label_en", "symbol", "website"):
            setattr(self, name, one_line(getattr(self, name)))
        for name in ("summary", "summary_en"):
            setattr(self, name, without_invisible(getattr(self, name)))
        self.source_urls = tidied(self.source_urls)
        self.reader_questions = tidied_questions(self.reader_questions)
        phrases: dict[str, str] = {}
        for phrase in map(one_line, self.asked_as):
            phrases.setdefault(normalise_alias(phrase), phrase)
        phrases.pop("", None)
        self.asked_as = list(phrases.values())

    @property
    def shown_label(self) -> str:
        """Its name in the language of the page; the Korean one where it has no other."""
        return self.label_in(current_language())

    def label_in(self, lang: str) -> str:
        """Its name in a language; the Korean one where it has no other."""
        return (lang == ENGLISH and self.label_en) or self.label

    @property
    def shown_summary(self) -> str:
        """Its summary in the language of the page; the Korean one where it has no other."""
        return (current_language() == ENGLISH and self.summary_en) or self.summary

    @property
    def shown_country(self) -> Country | None:
        """Its country with the names, if it has one."""
        return COUNTRIES.get(self.country)

    @property
    def public_id(self) -> str:
        """``asset:btc``: what JSON, MCP and citations call this unit."""
        return f"{self.url_prefix}:{self.slug}"

    @property
    def url_prefix(self) -> str:
        return prefix_of(self.type)

    def get_absolute_url(self) -> str:
        return f"/{self.url_prefix}/{self.slug}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        apps.get_model("knowledge.Alias").names.key_labels([self])

    @property
    def survivor(self) -> "Unit":
        """The unit that answers for this one: itself unless merged. Redirects are one hop, always."""
        return self.merged_into or self

    @property
    def public_status(self) -> HTTPStatus:
        """What readers get at this unit's address. A draft was never public, so that it exists is nobody's business."""
        answering = self.survivor
        if answering.status == Status.RETRACTED:
            return HTTPStatus.GONE
        if not answering.is_public:
            return HTTPStatus.NOT_FOUND
        return HTTPStatus.OK if answering is self else HTTPStatus.PERMANENT_REDIRECT

    @property
    def kind(self) -> str:
        """``entity``, ``topic`` or ``event``: which of the three indexes holds the unit."""
        return self.type if self.type in (UnitType.TOPIC, UnitType.EVENT) else "entity"

    @property
    def is_public(self) -> bool:
        return self.status == Status.PUBLISHED and self.merged_into_id is None


class Entity(Unit):
    objects: ClassVar[UnitManager] = UnitManager(*ENTITY_TYPES)

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("인물·기관")


class Topic(Unit):
    objects: ClassVar[UnitManager] = UnitManager(UnitType.TOPIC)

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("주제")


class Event(Unit):
    objects: ClassVar[UnitManager] = UnitManager(UnitType.EVENT)

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("사건")


class Creator(Unit):
    """An entity of the type creator, as a list of its own."""

    objects: ClassVar[UnitManager] = UnitManager(UnitType.CREATOR)

    class Meta:
        proxy = True
        # Who may look at units may look at creators; see the desk.
        default_permissions = ()
        verbose_name = verbose_name_plural = _("크리에이터")


class EventUnit(models.Model):
    """An event speaks of a unit (an entity or a topic)."""

    event = models.ForeignKey(Unit, models.CASCADE, related_name="event_units", db_index=False)
    unit = models.ForeignKey(Unit, models.CASCADE, related_name="unit_events")

    class Meta:
        verbose_name = verbose_name_plural = _("사건의 대상")
        constraints = [
            UniqueConstraint(fields=["event", "unit"], name="event_unit_unique"),
            CheckConstraint(condition=~Q(event=F("unit")), name="event_unit_not_itself"),
        ]
        triggers = [*after_statements("eventunit", "eventunit_changed"), before_truncate("eventunit")]

    def __str__(self) -> str:
        return f"{self.event_id} → {self.unit_id}"


class UnitMerge(models.Model):
    """One merge as an editor made it, so that it can be undone. Open while ``undone_at`` is null."""

    loser = models.ForeignKey(Unit, models.CASCADE, related_name="merges_away")
    survivor = models.ForeignKey(Unit, models.CASCADE, related_name="merges_in")
    merged_at = models.DateTimeField(_("병합 시각"))
    undone_at = models.DateTimeField(_("되돌린 시각"), null=True, blank=True)
    note = models.CharField(_("메모"), max_length=300, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = _("병합 기록")
        constraints = [
            UniqueConstraint(
                fields=["loser"], condition=Q(undone_at__isnull=True), name="merge_open_once_per_loser"
            ),
            CheckConstraint(condition=~Q(loser=F("survivor")), name="merge_of_two_units"),
        ]

    def __str__(self) -> str:
        return f"{self.loser_id} → {self.survivor_id}"
