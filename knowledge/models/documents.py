"""Sources, the documents they publish, and the units those documents mention."""

from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import CheckConstraint, F, Func, Index, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _
from pgtrigger import Delete, Insert, Update

from knowledge.models.triggers import after_change, after_statement, after_statements
from knowledge.models.units import Unit

SUMMARY_MAX_LENGTH = 300  # characters: a quotation, never the article


class SourceKind(models.TextChoices):
    VIDEO = "video", _("영상")
    NEWS = "news", _("뉴스")
    NOTICE = "notice", _("공지")
    MACRO = "macro", _("거시 지표")
    PRICE = "price", _("가격")
    ONCHAIN = "onchain", _("온체인")


class FetchCause(models.TextChoices):
    """Why a fetch failed; the same words as ``SourceError.cause``."""

    NONE = "", _("없음")
    TIMEOUT = "timeout", _("시간 초과")
    DNS = "dns", _("이름 풀이 실패")
    TLS = "tls", _("TLS 오류")
    REFUSED = "refused", _("연결 거부")
    STATUS = "status", _("오류 상태 코드")
    TOO_LARGE = "too_large", _("너무 큼")
    PARSE = "parse", _("해석 불가")
    EMPTY = "empty", _("빈 응답")
    FORBIDDEN_ADDRESS = "forbidden_address", _("금지된 주소")
    INTERNAL = "internal", _("내부 오류")


class SourceQuerySet(models.QuerySet["Source"]):
    def due(self, now: datetime) -> "SourceQuerySet":
        """Enabled sources whose next fetch has come, longest overdue first."""
        due = Q(next_fetch_at__isnull=True) | Q(next_fetch_at__lte=now)
        return self.filter(due, enabled=True).order_by(F("next_fetch_at").asc(nulls_first=True), "pk")


class Source(models.Model):
    """One feed or endpoint. Its address is data, so a replay server can stand in for any of them."""

    slug = models.SlugField(_("슬러그"), max_length=80, unique=True)
    name = models.CharField(_("이름"), max_length=120)
    name_en = models.CharField(
        _("이름(영어)"),
        max_length=120,
        blank=True,
        default="",
        db_default="",
        help_text=_("비우면 한국어와 같음"),
    )
    kind = models.CharField(_("종류"), max_length=10, choices=SourceKind.choices)
    adapter = models.CharField(_("어댑터"), max_length=40)
    url = models.URLField(_("주소"), max_length=500)
    homepage = models.URLField(_("홈페이지"), max_length=500, blank=True)
    lang = models.CharField(_("언어"), max_length=8, default="ko")
    naive_timezone = models.CharField(
        _("시간대 없는 시각의 시간대"),
        max_length=40,
        blank=True,
        help_text=_("비어 있으면 시간대 없는 시각은 '모름'으로 둡니다."),
    )
    settings = models.JSONField(_("어댑터 설정"), default=dict, blank=True)
    key_setting = models.CharField(_("필요한 API 키"), max_length=40, blank=True)
    creator = models.ForeignKey(
        Unit, models.SET_NULL, verbose_name=_("크리에이터"), null=True, blank=True, related_name="sources"
    )
    crypto = models.BooleanField(
        _("크립토 채널"), default=False, help_text=_("채널 자체가 모호한 별칭의 단서가 됩니다.")
    )
    primary = models.BooleanField(_("1차 출처"), default=False, help_text=_("규제 기관이나 거래소 공지"))
    requires_unit = models.BooleanField(
        _("항목 언급 필수"), default=False, help_text=_("종합지: 항목을 언급한 기사만 남깁니다.")
    )
    enabled = models.BooleanField(_("켬"), default=True)
    in_bulk = models.BooleanField(
        _("벌크 파일에 포함"),
        default=True,
        db_default=True,
        help_text=_("매체가 제목 목록의 제공에 반대하면 끕니다. 페이지와 검색에는 그대로 나옵니다."),
    )
    interval_minutes = models.PositiveIntegerField(_("주기(분)"), default=15)

    next_fetch_at = models.DateTimeField(_("다음 수집"), null=True, blank=True, editable=False)
    first_success_at = models.DateTimeField(_("첫 성공"), null=True, blank=True, editable=False)
    last_success_at = models.DateTimeField(_("마지막 성공"), null=True, blank=True, editable=False)
    consecutive_failures = models.PositiveIntegerField(_("연속 실패"), default=0, editable=False)
    last_cause = models.CharField(
        _("마지막 원인"), max_length=20, choices=FetchCause.choices, blank=True, editable=False
    )
    needs_key = models.BooleanField(_("API 키 대기"), default=False, editable=False)
    etag = models.CharField(max_length=300, blank=True, editable=False)
    last_modified = models.CharField(max_length=300, blank=True, editable=False)
    body_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    objects = SourceQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("출처")
        constraints = [
            CheckConstraint(condition=Q(kind__in=SourceKind.values), name="source_kind_known"),
            CheckConstraint(condition=Q(interval_minutes__gte=1), name="source_interval_positive"),
        ]
        triggers = [
            after_change("pair_creator", "creator_id"),
            after_change("source_renamed", "name", "name_en", "homepage", "url"),
        ]

    def __str__(self) -> str:
        return self.name


class RunOutcome(models.TextChoices):
    OK = "ok", _("성공")
    UNCHANGED = "unchanged", _("변화 없음")
    PARTLY = "partly", _("일부 실패")
    FAILED = "failed", _("실패")
    NEEDS_KEY = "needs_key", _("API 키 필요")


class FetchRun(models.Model):
    """One attempt at one source, whatever came of it. Kept for 90 days."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="runs", db_index=False)
    started_at = models.DateTimeField(_("시작"))
    milliseconds = models.PositiveIntegerField(_("걸린 시간(ms)"), default=0)
    outcome = models.CharField(_("결과"), max_length=10, choices=RunOutcome.choices)
    cause = models.CharField(_("원인"), max_length=20, choices=FetchCause.choices, blank=True)
    detail = models.CharField(_("자세히"), max_length=300, blank=True)
    fetched = models.PositiveIntegerField(_("가져옴"), default=0)
    created = models.PositiveIntegerField(_("새로"), default=0)
    updated = models.PositiveIntegerField(_("업데이트"), default=0)
    unchanged = models.PositiveIntegerField(_("그대로"), default=0)

    class Meta:
        verbose_name = verbose_name_plural = _("수집 기록")
        indexes = [
            Index(fields=["source", "-started_at"], name="fetch_run_by_source"),
            Index(fields=["started_at"], name="fetch_run_started"),
        ]
        constraints = [
            CheckConstraint(condition=Q(outcome__in=RunOutcome.values), name="fetch_run_outcome_known"),
            # An error is never "no news": a run of which anything failed names the cause, and only such a run has one.
            CheckConstraint(
                condition=(Q(outcome__in=(RunOutcome.FAILED, RunOutcome.PARTLY)) & ~Q(cause=""))
                | (~Q(outcome__in=(RunOutcome.FAILED, RunOutcome.PARTLY)) & Q(cause="")),
                name="fetch_run_failed_has_cause",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.started_at:%Y-%m-%d %H:%M} {self.outcome}"


# Every two neighbouring characters of a document, spaces and separators aside: a text that holds a name of two or more
# has all pairs of that name.
CHARACTER_PAIRS = Func(
    "title", "summary", function="knowledge_character_pairs", output_field=ArrayField(models.TextField())
)


class Squeezed(Func):
    """A text in the form of ``normalise_alias``, as far as Postgres can; a norm is looked for in it."""

    function = "knowledge_squeezed"
    output_field = models.TextField()


class DocumentQuerySet(models.QuerySet["Document"]):
    def published(self) -> "DocumentQuerySet":
        """The public documents: those of sources that nobody switched off for good."""
        return self.filter(withdrawn=False)

    def videos(self) -> "DocumentQuerySet":
        return self.filter(kind=SourceKind.VIDEO)


class Document(models.Model):
    """A video, an article or a notice: title, a short summary and the original link, never the full text."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="documents", db_index=False)
    kind = models.CharField(_("종류"), max_length=10, choices=SourceKind.choices)
    external_id = models.CharField(_("원본 식별자"), max_length=300)
    url = models.URLField(_("원문"), max_length=1000)
    title = models.CharField(_("제목"), max_length=500)
    summary = models.CharField(_("요약"), max_length=SUMMARY_MAX_LENGTH, blank=True)
    author = models.CharField(_("글쓴이"), max_length=200, blank=True)
    lang = models.CharField(_("언어"), max_length=8)
    published_at = models.DateTimeField(_("발행"), null=True, blank=True)
    published_raw = models.CharField(max_length=80, blank=True, editable=False)
    source_updated_at = models.DateTimeField(_("출처 수정 일시"), null=True, blank=True)
    fetched_at = models.DateTimeField(_("수집 일시"))
    # Backlog of a first poll: stored and searchable, but too old to raise anything.
    seen_only = models.BooleanField(_("소급 수집"), default=False, editable=False)
    withdrawn = models.BooleanField(_("내림"), default=False)
    content_sha256 = models.CharField(max_length=64, editable=False)
    units: "models.ManyToManyField[Unit, Mention]" = models.ManyToManyField(
        Unit, through="Mention", related_name="documents"
    )

    objects = DocumentQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("문서")
        constraints = [
            UniqueConstraint(fields=["source", "external_id"], name="document_identity"),
            CheckConstraint(condition=Q(kind__in=SourceKind.values), name="document_kind_known"),
            CheckConstraint(condition=~Q(title=""), name="document_title_present"),
            CheckConstraint(
                condition=Q(url__startswith="https://") | Q(url__startswith="http://"),
                name="document_url_web",
            ),
        ]
        indexes = [
            Index(F("published_at").desc(nulls_last=True), name="document_newest"),
            Index(fields=["fetched_at"], name="document_fetched"),
            # By which documents are found that hold a name, however short it is; see ``knowledge.ingestion.relinking``.
            GinIndex(CHARACTER_PAIRS, name="document_pairs"),
        ]
        triggers = [
            after_statement("pair_inserted", Insert, "document_inserted"),
            after_statement("pair_updated", Update, "document_updated"),
            after_statement("pair_deleted", Delete, "pair_of_document_deleted"),
            after_change("terms_text", "title", "summary"),
            after_statement("told_edited", Update, "document_edited"),
            after_statement("told_removed", Delete, "document_removed"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def text(self) -> str:
        """What is linked and searched; mention offsets count characters of this."""
        return f"{self.title}\n{self.summary}" if self.summary else self.title


class Mention(models.Model):
    """A unit named at one place of a document's text."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="mentions", db_index=False)
    unit = models.ForeignKey(Unit, models.CASCADE, related_name="mentions", db_index=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    surface = models.CharField(max_length=200)

    class Meta:
        verbose_name = verbose_name_plural = _("언급")
        constraints = [
            UniqueConstraint(fields=["document", "unit", "start"], name="mention_once_per_place"),
            CheckConstraint(condition=Q(end__gt=F("start")), name="mention_not_empty"),
        ]
        indexes = [Index(fields=["unit", "document"], name="mention_unit_document")]
        triggers = [*after_statements("pair", "reason_changed"), *after_statements("terms", "terms_stale")]

    def __str__(self) -> str:
        return self.surface


class Verdict(models.TextChoices):
    CONFIRMED = "confirmed", _("맞음")
    REFUSED = "refused", _("아님")


class MentionReview(models.Model):
    """In this document, this surface is (or is not) this unit, wherever it stands: places move when a text changes."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="mention_reviews", db_index=False)
    unit = models.ForeignKey(Unit, models.CASCADE, related_name="mention_reviews")
    surface = models.CharField(_("표기"), max_length=200)
    verdict = models.CharField(_("판정"), max_length=10, choices=Verdict.choices)
    decided_at = models.DateTimeField(_("결정"))

    class Meta:
        # The admin's log names verdicts that were undone.
        verbose_name = verbose_name_plural = _("언급의 판정")
        constraints = [
            UniqueConstraint(fields=["document", "unit", "surface"], name="mention_review_once"),
            CheckConstraint(condition=Q(verdict__in=Verdict.values), name="mention_review_known"),
            CheckConstraint(condition=~Q(surface=""), name="mention_review_surface_present"),
        ]

    def __str__(self) -> str:
        return f"{self.surface}: {self.get_verdict_display()}"


class DocumentUnit(models.Model):
    """A public document speaks of a unit: it names it, its channel is the unit's own, or it tells of the event.

    Only triggers write here, whatever changes one of the reasons. A pair stands once however many reasons it has, and
    belongs to the unit that the reason names: who asks about a unit asks for those merged into it too.
    """

    pk = models.CompositePrimaryKey("document_id", "unit_id")
    # Deletions are the triggers' as well: Django would read every pair of a unit before it deletes one.
    document = models.ForeignKey(Document, models.DO_NOTHING, related_name="document_units", db_index=False)
    unit = models.ForeignKey(Unit, models.DO_NOTHING, related_name="document_units", db_index=False)
    published_at = models.DateTimeField(null=True)  # the document's, as ``video`` is
    video = models.BooleanField()

    class Meta:
        indexes = [
            Index(
                "unit",
                F("published_at").desc(nulls_last=True),
                F("document").desc(),
                include=["video"],
                name="pair_newest_of_unit",
            )
        ]
        triggers = [
            *after_statements("pair_noted", "pair_noted"),
            *after_statements("pair_told", "pair_told"),
        ]


class DocumentUnitChange(models.Model):
    """A pair that came (``step`` 1) or went (-1) and is not in the unit's counts yet.

    Without a document the unit is to be counted anew. Triggers insert here, ``knowledge.counting`` deletes what it has
    counted.
    """

    id = models.BigAutoField(primary_key=True)
    unit_id = models.BigIntegerField()
    document_id = models.BigIntegerField(null=True)
    published_at = models.DateTimeField(null=True)  # the pair's, as ``video`` is
    step = models.SmallIntegerField(default=0)
    video = models.BooleanField(default=False)


class UnitWeek(models.Model):
    """How many public documents of one week speak of a unit or those merged into it.

    Only ``knowledge.counting`` writes here. Rows of merged units are left as they were and mean nothing until the merge
    is undone, which counts them anew.
    """

    pk = models.CompositePrimaryKey("unit_id", "week")
    unit = models.ForeignKey(Unit, models.CASCADE, related_name="weeks", db_index=False)
    week = models.DateField()  # its Monday, in the service's own time zone
    documents = models.IntegerField()


class Relinking(models.Model):
    """Documents that wait to be linked again: those that hold one of ``norms`` (null: all), the newest first.

    The position is stored here: what a lost worker or broker leaves is taken up where it stopped. With ``documents``
    it is these, which were linked by a ``version`` of the names: they wait only if it was not the newest by then.
    """

    norms = ArrayField(models.TextField(), null=True)
    documents = ArrayField(models.BigIntegerField(), null=True)
    version = models.TextField(null=True)  # noqa: DJ001  that of no names at all is an empty text
    before = models.BigIntegerField(null=True)  # the position: documents from this key on are done
    changed = models.PositiveIntegerField(default=0)  # documents whose mentions changed so far
    claimed_until = models.DateTimeField(null=True)  # a worker is at it
