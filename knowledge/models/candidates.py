"""Clusters of documents that may be events, and what editors decided about them."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _
from pgtrigger import Delete, Insert, Update

from knowledge.models.documents import Document, Source
from knowledge.models.series import VALUE_DIGITS, VALUE_PLACES, Series
from knowledge.models.triggers import after_change, after_statement
from knowledge.models.types import UnitType
from knowledge.models.units import Status, Unit


class ClusterStatus(models.TextChoices):
    GATHERING = "gathering", _("모으는 중")  # one outlet so far: not shown
    OPEN = "open", _("후보")
    PUBLISHED = "published", _("공개")
    REJECTED = "rejected", _("기각")
    EXPIRED = "expired", _("만료")


WAITING = (ClusterStatus.GATHERING, ClusterStatus.OPEN)


class EventClusterQuerySet(models.QuerySet["EventCluster"]):
    def awaiting(self) -> "EventClusterQuerySet":
        """The candidates that editors are asked about, the latest story first."""
        return self.filter(status=ClusterStatus.OPEN).order_by("-last_document_at", "-pk")


class EventCluster(models.Model):
    """Documents that tell of one thing, or values that were announced. It becomes an event only by an editor."""

    status = models.CharField(
        _("상태"), max_length=10, choices=ClusterStatus.choices, default=ClusterStatus.GATHERING
    )
    label = models.CharField(_("첫 제목"), max_length=500)
    first_document_at = models.DateTimeField(_("첫 문서"))
    last_document_at = models.DateTimeField(_("마지막 문서"))
    event = models.ForeignKey(
        Unit,
        models.PROTECT,
        verbose_name=_("사건"),
        null=True,
        blank=True,
        related_name="clusters",
        limit_choices_to={"type": UnitType.EVENT, "status": Status.PUBLISHED, "merged_into": None},
    )
    # The event that was made of this cluster: a draft once that is undone, and taken up again when it is repeated.
    own_event = models.ForeignKey(
        Unit, models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    reason = models.CharField(_("기각 이유"), max_length=300, blank=True)
    decided_at = models.DateTimeField(_("결정"), null=True, blank=True)
    documents: "models.ManyToManyField[Document, ClusterDocument]" = models.ManyToManyField(
        Document, through="ClusterDocument", related_name="clusters"
    )

    objects = EventClusterQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("사건 후보")
        constraints = [
            CheckConstraint(condition=Q(status__in=ClusterStatus.values), name="cluster_status_known"),
            CheckConstraint(
                condition=Q(status=ClusterStatus.PUBLISHED, event__isnull=False)
                | (~Q(status=ClusterStatus.PUBLISHED) & Q(event__isnull=True)),
                name="cluster_event_when_published",
            ),
            CheckConstraint(
                condition=~Q(status=ClusterStatus.REJECTED) | ~Q(reason=""),
                name="cluster_rejected_with_reason",
            ),
        ]
        indexes = [Index(fields=["status", "-last_document_at"], name="cluster_queue")]
        triggers = [after_change("pair_event", "event_id")]

    def __str__(self) -> str:
        return self.label

    @property
    def is_waiting(self) -> bool:
        return self.status in WAITING


class ClusterDocument(models.Model):
    """A document stands in one cluster at most."""

    cluster = models.ForeignKey(EventCluster, models.CASCADE, related_name="members")
    document = models.OneToOneField(Document, models.CASCADE, related_name="membership")
    score = models.FloatField(_("닮음"), default=0.0)

    class Meta:
        verbose_name = verbose_name_plural = _("후보의 문서")
        triggers = [
            after_statement("pair_inserted", Insert, "member_added"),
            after_statement("pair_updated", Update, "reason_changed"),
            after_statement("pair_deleted", Delete, "reason_changed"),
        ]

    def __str__(self) -> str:
        return f"{self.cluster_id} ← {self.document_id}"


class AnnouncedValue(models.Model):
    """A value of a series that made a candidate: what it was before, what it is, for which day or month, by whom.

    Each period of a series makes one candidate at most, whatever is fetched, corrected or filled in again.
    """

    cluster = models.ForeignKey(EventCluster, models.CASCADE, related_name="announced")
    series = models.ForeignKey(Series, models.CASCADE, related_name="announced", db_index=False)
    period = models.CharField(_("기간"), max_length=10)
    at = models.DateTimeField(_("시점"))
    former = models.DecimalField(
        _("앞 값"), max_digits=VALUE_DIGITS, decimal_places=VALUE_PLACES, null=True, blank=True
    )
    value = models.DecimalField(_("새 값"), max_digits=VALUE_DIGITS, decimal_places=VALUE_PLACES)
    over_year = models.DecimalField(
        _("1년 변화(%)"), max_digits=VALUE_DIGITS, decimal_places=VALUE_PLACES, null=True, blank=True
    )
    source = models.ForeignKey(Source, models.SET_NULL, verbose_name=_("출처"), null=True, related_name="+")
    noted_at = models.DateTimeField(_("확인 일시"))

    class Meta:
        verbose_name = verbose_name_plural = _("후보의 수치")
        constraints = [UniqueConstraint(fields=["series", "period"], name="announced_value_once")]

    def __str__(self) -> str:
        return f"{self.series_id} {self.period} {self.value}"

    @property
    def value_in_words(self) -> str:
        return self.series.in_words(self.value)

    @property
    def former_in_words(self) -> str:
        return self.series.in_words(self.former) if self.former is not None else ""


class DocumentTerms(models.Model):
    """What clustering counted in the text of a document, kept for the days in which it weighs the terms of others.

    Triggers delete it when the text or its mentions change, and the next pass counts anew.
    """

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="event_terms")
    units = ArrayField(models.BigIntegerField())  # keys, as mentions name them
    headline_units = ArrayField(
        models.BigIntegerField(), default=list
    )  # those of them that the headline is about
    facets = ArrayField(models.CharField(max_length=20))
    denies = models.BooleanField(default=False)
    is_column = models.BooleanField(default=False)
    parties = ArrayField(models.TextField(), default=list)
    figures = ArrayField(models.TextField(), default=list)
    sounds = ArrayField(models.TextField(), default=list)
    heard = ArrayField(models.TextField(), default=list)
    subjects = ArrayField(models.TextField(), default=list)
    meanings = models.JSONField(default=dict)  # {meaning: 1 in the headline, less in the lead}
    whole = models.JSONField()  # {term: how often}


class PossibleMergeQuerySet(models.QuerySet["PossibleMerge"]):
    def awaiting(self) -> "PossibleMergeQuerySet":
        """The pairs that are still a question: neither is given up, at least one waits, nobody told them apart."""
        alive = (*WAITING, ClusterStatus.PUBLISHED)
        waits = Q(one__status__in=WAITING) | Q(other__status__in=WAITING)
        pairs = self.filter(waits, dismissed_at=None, one__status__in=alive, other__status__in=alive)
        return pairs.order_by("-noted_at", "-pk")


class PossibleMerge(models.Model):
    """Two clusters that read alike but for what was done: an editor looks at them."""

    one = models.ForeignKey(EventCluster, models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey(EventCluster, models.CASCADE, related_name="+")
    noted_at = models.DateTimeField(_("발견"))
    dismissed_at = models.DateTimeField(_("무시함"), null=True, blank=True)

    objects = PossibleMergeQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("병합 후보")
        constraints = [
            UniqueConstraint(fields=["one", "other"], name="possible_merge_once"),
            CheckConstraint(condition=Q(one__lt=F("other")), name="possible_merge_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} ~ {self.other_id}"
