"""AI personas: creators that say they are machines, wherever they appear."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _
from pgtrigger import Insert, UpdateOf

from knowledge.languages import ENGLISH, KOREAN, current_language
from knowledge.models.history import Changes
from knowledge.models.triggers import after_statements, before_row, before_truncate, watched
from knowledge.models.types import UnitType
from knowledge.models.units import Entity, Status, Unit

AI_PERSONA = "AI persona"
_DISCLOSED = f" · {AI_PERSONA}"


def ai_disclosure(text: str) -> str:
    """A persona's disclosure as it travels: whatever an editor wrote, it says in these two words what it is."""
    return f"{AI_PERSONA} · {text}"


def is_byline(label: str) -> bool:
    """Whether a text is what stands beside a persona's posts."""
    return label.endswith(_DISCLOSED)


def name_in(byline: str) -> str:
    """The persona's name in its byline."""
    return byline.removesuffix(_DISCLOSED).partition(" ")[2]


class Persona(models.Model):
    """The profile that makes a creator an AI persona: its glyph, its voice and its disclosure."""

    entity = models.OneToOneField(
        Entity, models.CASCADE, verbose_name=_("크리에이터"), related_name="persona"
    )
    glyph = models.CharField(_("글리프"), max_length=8)
    voice = models.TextField(_("말투"), help_text=_("이 페르소나가 어떻게 쓰는지"))
    disclosure = models.CharField(_("고지"), max_length=200)
    disclosure_en = models.CharField(_("고지(영어)"), max_length=200)
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    history = Changes(_("페르소나의 변경"), excluded=("canon_sha256",))

    class Meta:
        verbose_name = verbose_name_plural = _("페르소나")
        constraints = [
            UniqueConstraint(fields=["glyph"], name="persona_glyph_unique"),
            # AI opinions are quoted in answers and feeds, so one that cannot say what it is must not exist.
            CheckConstraint(condition=Q(glyph__regex=r"\S"), name="persona_glyph_present"),
            CheckConstraint(
                condition=Q(disclosure__regex=r"\S", disclosure_en__regex=r"\S"),
                name="persona_disclosure_present",
                violation_error_message=_("AI 페르소나라는 고지가 없으면 저장할 수 없습니다."),
            ),
        ]
        triggers = [*after_statements("persona", "persona_changed"), before_truncate("persona")]

    def __str__(self) -> str:
        return f"{self.glyph} {self.entity.label}"

    def clean(self) -> None:
        if self.entity_id and self.entity.type != UnitType.CREATOR:
            raise ValidationError({"entity": _("페르소나는 크리에이터에만 연결할 수 있습니다.")})

    @property
    def byline(self) -> str:
        """What stands beside every post: glyph, name and the disclosure in two words."""
        return self.byline_in(KOREAN)

    @property
    def shown_byline(self) -> str:
        """In the language of the page."""
        return self.byline_in(current_language())

    def byline_in(self, lang: str) -> str:
        return f"{self.glyph} {self.entity.label_in(lang)}{_DISCLOSED}"

    @property
    def shown_disclosure(self) -> str:
        """What it says of itself, in the language of the page."""
        return self.disclosure_en if current_language() == ENGLISH else self.disclosure

    @property
    def disclosed(self) -> str:
        """Its disclosure as it stands in everything that is handed out."""
        return ai_disclosure(self.disclosure)


class PersonaPostQuerySet(models.QuerySet["PersonaPost"]):
    def awaiting(self) -> "PersonaPostQuerySet":
        """The drafts, the newest first."""
        return self.filter(status=Status.DRAFT).order_by("-published_at", "-pk")

    def published(self) -> "PersonaPostQuerySet":
        """The public posts: their own status and that of the persona's creator."""
        return self.filter(status=Status.PUBLISHED, persona__entity__in=Unit.objects.published())


class PersonaPost(models.Model):
    """An opinion of an AI persona about some units."""

    persona = models.ForeignKey(
        Persona, models.CASCADE, verbose_name=_("페르소나"), related_name="posts", db_index=False
    )
    slug = models.SlugField(_("슬러그"), max_length=80)
    body = models.TextField(_("본문"))
    units = models.ManyToManyField(
        Unit, verbose_name=_("다루는 항목"), blank=True, related_name="persona_posts"
    )
    status = models.CharField(_("상태"), max_length=10, choices=Status.choices, default=Status.DRAFT)
    published_at = models.DateTimeField(_("발행"))
    # Kept by a trigger: what an editor dates back was not read here before.
    public_since = models.DateTimeField(_("최초 공개 일시"), null=True, editable=False)
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    objects = PersonaPostQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("페르소나 글")
        constraints = [
            UniqueConstraint(fields=["persona", "slug"], name="persona_post_slug_unique"),
            CheckConstraint(condition=~Q(body=""), name="persona_post_body_present"),
            CheckConstraint(condition=Q(status__in=Status.values), name="persona_post_status_known"),
        ]
        indexes = [Index(fields=["-published_at"], name="persona_post_newest")]
        triggers = [
            before_row("post_public_since", Insert | UpdateOf("status", "public_since"), body="public_since"),
            *watched("post", "status = 'published'"),
        ]

    def __str__(self) -> str:
        return self.body[:60]

    def get_absolute_url(self) -> str:
        """Its own place on the page of its persona."""
        return f"{self.persona.entity.get_absolute_url()}#post-{self.slug}"


class PersonaPostUnit(PersonaPost.units.through):  # type: ignore[misc, name-defined]
    """The table behind ``PersonaPost.units``, named only to be watched."""

    class Meta:
        proxy = True
        default_permissions = ()
        triggers = watched("post")
