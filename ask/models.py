"""Questions, their answers in versions, and the seed questions that editors choose.

A question is known by its hash (see ``ask.hashing``). An answer is what stands at ``/ask/q/<hash>``; every text it
ever had is a version of its own, and the database refuses to rewrite one.
"""

from collections.abc import Collection
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from pgtrigger import Protect, Trigger, Update

from ask.hashing import HASH_LENGTH, clean, question_hash
from ask.language import language_of
from knowledge.models.history import Changes
from knowledge.models.triggers import told, watched

QUESTION_MAX_LENGTH = 300  # characters of the cleaned question
REHEARSED = "rehearsal:"  # how the prompt version of a rehearsal begins
HASH_PATTERN = rf"^[0-9a-f]{{{HASH_LENGTH}}}$"


class Lang(models.TextChoices):
    KOREAN = "ko", _("한국어")
    ENGLISH = "en", _("영어")


class AnswerStatus(models.TextChoices):
    PUBLISHED = "published", _("공개")
    HIDDEN = "hidden", _("숨김")


class Mode(models.TextChoices):
    """How a version came about; the contract's words."""

    LLM = "llm", _("AI 답변")
    EXTRACTIVE = "extractive", _("인용")
    NONE = "none", _("기록 없음")


class AnswerQuerySet(models.QuerySet["Answer"]):
    def published(self) -> "AnswerQuerySet":
        """The public answers: not hidden, with a version, and quoting nothing that was withdrawn since.

        What a rehearsal invented is shown while the rehearsal lasts, and never after.
        """
        standing = self.filter(
            status=AnswerStatus.PUBLISHED, current__isnull=False, evidence_withdrawn_at__isnull=True
        )
        if settings.FAKE_LLM:
            return standing
        return standing.exclude(current__prompt_version__startswith=REHEARSED)

    def quoting(self, evidence_keys: Collection[str]) -> "AnswerQuerySet":
        """Answers whose current version quotes any of this evidence or cites such a unit (see ``ask.evidence``)."""
        return self.filter(current__cited_keys__overlap=list(evidence_keys))

    def resting_on(self, evidence_key: str) -> "AnswerQuerySet":
        """Answers whose current version cites this evidence, or was made with it at hand."""
        held = Q(current__cited_keys__contains=[evidence_key]) | Q(
            current__evidence_keys__contains=[evidence_key]
        )
        return self.filter(held)

    def seeds(self) -> "AnswerQuerySet":
        """Answers to active seed questions: the only ones that search engines may keep."""
        return self.filter(Exists(SeedQuestion.objects.active().filter(question_hash=OuterRef("pk"))))

    def indexable(self) -> "AnswerQuerySet":
        """Public answers to active seeds that do say something, and not in a rehearsal."""
        saying = self.published().seeds().exclude(current__mode=Mode.NONE)
        return saying.exclude(current__prompt_version__startswith=REHEARSED)


class Answer(models.Model):
    """What stands at a question's permanent address."""

    question_hash = models.CharField(_("질문 해시"), max_length=HASH_LENGTH, primary_key=True)
    question = models.CharField(_("질문"), max_length=QUESTION_MAX_LENGTH)
    lang = models.CharField(_("언어"), max_length=2, choices=Lang.choices)
    status = models.CharField(
        _("상태"), max_length=10, choices=AnswerStatus.choices, default=AnswerStatus.PUBLISHED
    )
    hidden_reason = models.CharField(_("숨김 사유"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("최초 질문 일시"))
    current = models.OneToOneField(
        "AnswerVersion",
        verbose_name=_("현재 버전"),
        null=True,
        on_delete=models.PROTECT,
        related_name="current_of",
    )
    # When the current version was last found to rest on what retrieval finds; null: look again at the next ask.
    checked_at = models.DateTimeField(_("근거 확인 일시"), null=True, editable=False)
    # The newest proposal that an editor looked at and left: it and older ones are no longer proposed.
    declined = models.ForeignKey(
        "AnswerVersion", null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    # When the figures that the current version states are due anew; null where it states none.
    figures_due_at = models.DateTimeField(_("수치 재확인 일시"), null=True, editable=False)
    # The version that an editor accepted: rules that change later do not replace it.
    accepted = models.ForeignKey(
        "AnswerVersion", null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    # Something the current version quotes was withdrawn: 410 until a new version stands.
    evidence_withdrawn_at = models.DateTimeField(_("근거 철회 일시"), null=True, editable=False)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        verbose_name = _("답변")
        verbose_name_plural = _("답변")
        permissions: ClassVar[list[tuple[str, Any]]] = [
            ("accept_answer", _("만든 답변 승인")),
            ("hide_answer", _("답변을 숨기고 다시 보이기")),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(question_hash__regex=HASH_PATTERN), name="answer_hash_form"),
            models.CheckConstraint(condition=~Q(question=""), name="answer_question_present"),
            models.CheckConstraint(condition=Q(lang__in=Lang.values), name="answer_lang_known"),
            models.CheckConstraint(
                condition=(Q(status=AnswerStatus.PUBLISHED) & Q(hidden_reason=""))
                | (Q(status=AnswerStatus.HIDDEN) & ~Q(hidden_reason="")),
                name="answer_hidden_with_reason",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-created_at"], name="answer_newest"),
            models.Index(
                fields=["evidence_withdrawn_at"],
                condition=Q(status=AnswerStatus.PUBLISHED)
                & (Q(evidence_withdrawn_at__isnull=False) | Q(checked_at__isnull=True)),
                name="answer_to_renew",
            ),
        ]
        # Answers to active seeds stand in the sitemap; other questions are nobody's news.
        triggers: ClassVar[list[Trigger]] = [
            *watched("answer", "question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active)"),
            # Whoever shows an answer, or waits for one, hears of each.
            *told(
                *("answer", "question_hash"),
                *("current_id", "status", "evidence_withdrawn_at", "figures_due_at"),
            ),
        ]

    def __str__(self) -> str:
        return self.question

    def get_absolute_url(self) -> str:
        return f"/ask/q/{self.pk}"

    @property
    def is_hidden(self) -> bool:
        return self.status == AnswerStatus.HIDDEN


class AnswerVersion(models.Model):
    """One text of an answer with all it rests on. Append-only: a trigger refuses every update."""

    answer = models.ForeignKey(
        Answer, verbose_name=_("답변"), on_delete=models.CASCADE, related_name="versions"
    )
    mode = models.CharField(_("방식"), max_length=10, choices=Mode.choices)
    body = models.TextField(_("본문"))
    citations = models.JSONField(_("인용"), default=list)
    # Of each citation, in the same order, who says it, when, and what of it is quoted (``citations.SourceRecord``).
    sources = models.JSONField(default=list, db_default=Value([], models.JSONField()), editable=False)
    # What retrieval found, and of that what the body quotes with the pages it is cited by: "unit:5", "document:7".
    evidence_keys = ArrayField(models.CharField(max_length=40), verbose_name=_("근거"), default=list)
    cited_keys = ArrayField(models.CharField(max_length=40), verbose_name=_("인용한 근거"), default=list)
    # The pages that were near when it was made, for readers who go on: "unit:5". It does not rest on them.
    related_keys = ArrayField(
        models.CharField(max_length=40), default=list, db_default=Value([]), editable=False
    )
    # Of those pages, where there is no answer, the sentence that comes nearest to the question, by their keys.
    related_sentences = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), editable=False
    )
    evidence_fingerprint = models.CharField(max_length=64)
    cost_micro_usd = models.BigIntegerField(_("비용(µUSD)"), default=0)
    model = models.CharField(_("모델"), max_length=80, blank=True)
    prompt_version = models.CharField(_("프롬프트 버전"), max_length=40)
    generated_at = models.DateTimeField(_("생성 일시"))
    # When the figures that it states were due anew as it was made; null where it states none.
    figures_due_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("답변 버전")
        verbose_name_plural = _("답변 버전")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(mode__in=Mode.values), name="version_mode_known"),
            models.CheckConstraint(condition=~Q(body=""), name="version_body_present"),
            models.CheckConstraint(
                condition=(Q(mode=Mode.NONE) & Q(citations=[])) | (~Q(mode=Mode.NONE) & ~Q(citations=[])),
                name="version_cites_unless_none",
            ),
            # A model that refuses leaves mode none, and is paid all the same.
            models.CheckConstraint(
                condition=(Q(mode=Mode.LLM) & ~Q(model=""))
                | Q(mode=Mode.EXTRACTIVE, model="", cost_micro_usd=0)
                | Q(mode=Mode.NONE),
                name="version_quoting_costs_nothing",
            ),
            models.CheckConstraint(condition=Q(cost_micro_usd__gte=0), name="version_cost_not_negative"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["answer", "-id"], name="version_newest"),
            GinIndex(fields=["cited_keys"], name="version_cited", fastupdate=False),
            GinIndex(fields=["evidence_keys"], name="version_evidence", fastupdate=False),
        ]
        triggers = [Protect(name="append_only", operation=Update)]

    def __str__(self) -> str:
        return f"{self.answer_id} {self.generated_at:%Y-%m-%d %H:%M} {self.mode}"

    @property
    def cost_usd(self) -> float:
        return self.cost_micro_usd / 1_000_000


class SeedQuestionQuerySet(models.QuerySet["SeedQuestion"]):
    def active(self) -> "SeedQuestionQuerySet":
        return self.filter(active=True)

    def answered(self) -> "SeedQuestionQuerySet":
        """Active seeds with a public answer that says something, in the editors' order: what readers are shown."""
        return self.active().filter(_has_answer())

    def unanswered(self) -> "SeedQuestionQuerySet":
        """Active seeds that no reader is shown, for want of such an answer."""
        return self.active().filter(~_has_answer())


def _has_answer() -> Exists:
    answers = Answer.objects.published().exclude(current__mode=Mode.NONE)
    return Exists(answers.filter(pk=OuterRef("question_hash")))


class SeedQuestion(models.Model):
    """A question the editors ask themselves: answered and renewed by beat, shown and indexable."""

    text = models.CharField(_("질문"), max_length=QUESTION_MAX_LENGTH)
    # The link to its answer: both are named by the question itself, so neither can point astray.
    question_hash = models.CharField(_("질문 해시"), max_length=HASH_LENGTH, unique=True, editable=False)
    lang = models.CharField(_("언어"), max_length=2, choices=Lang.choices, editable=False)
    order = models.PositiveIntegerField(_("순서"), default=1000)
    active = models.BooleanField(_("사용"), default=True)
    created_at = models.DateTimeField(_("생성 일시"), db_default=Now(), editable=False)
    # The canon record this came from, and the hash of what its loader last wrote.
    canon_key = models.CharField(max_length=HASH_LENGTH, unique=True, null=True, editable=False)  # noqa: DJ001
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    objects = SeedQuestionQuerySet.as_manager()
    history = Changes(
        _("시드 질문의 변경"),
        excluded=("question_hash", "lang", "created_at", "canon_key", "canon_sha256"),
    )

    class Meta:
        verbose_name = _("시드 질문")
        verbose_name_plural = _("시드 질문")
        ordering: ClassVar[list[str]] = ["order", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(question_hash__regex=HASH_PATTERN), name="seed_hash_form"),
            models.CheckConstraint(condition=~Q(text=""), name="seed_text_present"),
            models.CheckConstraint(condition=Q(lang__in=Lang.values), name="seed_lang_known"),
        ]
        triggers = watched("answer")

    def __str__(self) -> str:
        return self.text

    def save(self, *args: Any, **kwargs: Any) -> None:
        self._derive()
        super().save(*args, **kwargs)

    def clean(self) -> None:
        self._derive()
        if not any(map(str.isalnum, self.text)):
            raise ValidationError({"text": _("글자나 숫자가 하나는 있어야 합니다.")})
        twin = SeedQuestion.objects.filter(question_hash=self.question_hash).exclude(pk=self.pk).first()
        if twin is not None:
            raise ValidationError({"text": _("같은 질문이 이미 있습니다: %(twin)s") % {"twin": twin}})

    def _derive(self) -> None:
        self.text = clean(self.text)
        self.question_hash = question_hash(self.text)
        self.lang = language_of(self.text)

    def get_absolute_url(self) -> str:
        return f"/ask/q/{self.question_hash}"

    @property
    def answer(self) -> Answer | None:
        return Answer.objects.select_related("current").filter(pk=self.question_hash).first()


# Django learns of an app's models by importing this module.
from ask import citation_audits, flights, ledger  # noqa: E402, F401
