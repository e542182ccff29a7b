"""What search reads: passages of units, documents and persona posts, and BM25's statistics."""

from datetime import datetime

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from knowledge.models.documents import Document
from knowledge.models.personas import PersonaPost
from knowledge.models.units import Unit

LEXEME_MAX_LENGTH = 200  # characters; Postgres itself stops at 2,046 bytes


class PassageKind(models.TextChoices):
    """What a passage is of. Documents keep their own: the age of news counts, that of notices does not."""

    ENTITY = "entity", _("인물·기관")
    TOPIC = "topic", _("주제")
    EVENT = "event", _("사건")
    VIDEO = "video", _("영상")
    NEWS = "news", _("뉴스")
    NOTICE = "notice", _("공지")
    POST = "post", _("페르소나 글")


# Entities that have a prefix of their own, by which citations tell them apart and searches may ask for them alone.
ENTITY_PREFIXES = ("asset", "creator")
SEARCH_KINDS = (*PassageKind.values, *ENTITY_PREFIXES)


class SearchPassage(models.Model):
    """At most 600 characters of one subject, 900 of a unit. ``text`` may be quoted as it stands.

    ``tsv`` indexes title and text, and in a subject's first passage also its aliases and facts, which lead to it
    and are never quoted. It is a literal made by the application (see ``knowledge.search.lexemes``), never
    ``to_tsvector``. ``dl`` is its length in content morphemes. ``analyzer`` and ``revision`` say which rules read
    which state of the subject, so that an outdated row can be told from a fresh one without reading either text
    again.

    Of a row that search found, ``score`` is a sum of BM25 weights, 0 or more without an upper bound: it orders the rows
    found for one question and compares with no other's; ``held`` are the question's lexemes in it. ``landing_unit`` is
    the public unit on whose page the passage stands: the unit itself, the one a document chiefly speaks of (a video
    without one: its creator), the persona; None for a document of neither. ``due_at`` is when what was measured is due
    to be measured anew, where a passage says that: it was made for one question, and is no row; ``outlet`` and
    ``measured_at`` say by whom and when.
    """

    score: float = 0.0
    held: frozenset[str] = frozenset()
    landing_unit: Unit | None = None
    due_at: datetime | None = None
    outlet: str = ""
    measured_at: datetime | None = None

    kind = models.CharField(_("종류"), max_length=8, choices=PassageKind.choices)
    unit = models.ForeignKey(
        Unit, models.CASCADE, null=True, blank=True, related_name="passages", db_index=False
    )
    document = models.ForeignKey(
        Document, models.CASCADE, null=True, blank=True, related_name="passages", db_index=False
    )
    post = models.ForeignKey(
        PersonaPost, models.CASCADE, null=True, blank=True, related_name="passages", db_index=False
    )
    ordinal = models.PositiveSmallIntegerField(_("순번"), default=0)
    lang = models.CharField(_("언어"), max_length=8, default="ko")
    title = models.CharField(_("제목"), max_length=500)
    text = models.TextField(_("본문"), blank=True)
    published_at = models.DateTimeField(_("발행"), null=True, blank=True)
    analyzer = models.CharField(_("분석기"), max_length=80)
    revision = models.CharField(_("대상 버전"), max_length=64)
    dl = models.PositiveIntegerField(_("길이(형태소)"))
    tsv = SearchVectorField()

    @property
    def page(self) -> str:
        """Where it stands on a page of ours, site-relative; empty for a document of no landing unit."""
        if self.post is not None:
            return self.post.get_absolute_url()
        return self.landing_unit.get_absolute_url() if self.landing_unit is not None else ""

    class Meta:
        verbose_name = verbose_name_plural = _("검색 단락")
        constraints = [
            CheckConstraint(
                condition=Q(unit__isnull=False, document__isnull=True, post__isnull=True)
                | Q(unit__isnull=True, document__isnull=False, post__isnull=True)
                | Q(unit__isnull=True, document__isnull=True, post__isnull=False),
                name="passage_of_exactly_one_subject",
            ),
            CheckConstraint(condition=Q(kind__in=PassageKind.values), name="passage_kind_known"),
            UniqueConstraint(fields=["unit", "ordinal"], name="passage_once_per_unit_ordinal"),
            UniqueConstraint(fields=["document", "ordinal"], name="passage_once_per_document_ordinal"),
            UniqueConstraint(fields=["post", "ordinal"], name="passage_once_per_post_ordinal"),
        ]
        indexes = [
            # Without fastupdate an insert pays its own way, and no question waits behind a pending list.
            GinIndex(fields=["tsv"], name="passage_tsv", fastupdate=False),
            # Canonical passages have no date and come first, then the newest documents.
            Index(F("published_at").desc(nulls_first=True), name="passage_newest"),
            Index(fields=["analyzer"], name="passage_analyzer"),
        ]


class SearchTerm(models.Model):
    """In how many passages a lexeme stands."""

    term = models.CharField(_("어휘"), max_length=LEXEME_MAX_LENGTH, primary_key=True)
    df = models.IntegerField(_("단락 수"))

    class Meta:
        constraints = [CheckConstraint(condition=Q(df__gte=0), name="search_term_df_not_negative")]


class SearchCorpus(models.Model):
    """The one row of corpus totals. Whoever changes passages locks it first: that keeps writers in order."""

    passages = models.BigIntegerField(_("단락 수"), default=0)
    total_length = models.BigIntegerField(_("길이의 합"), default=0)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(pk=1), name="search_corpus_single_row"),
            CheckConstraint(
                condition=Q(passages__gte=0, total_length__gte=0), name="search_corpus_not_negative"
            ),
        ]
