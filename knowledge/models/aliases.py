"""The names by which texts call units."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import CheckConstraint, Exists, F, Index, OuterRef, Q, UniqueConstraint
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pgtrigger import Condition, Delete, Insert, Truncate, Update, UpdateOf

from knowledge.invisible import one_line
from knowledge.models.history import Changes
from knowledge.models.triggers import after_statement, after_statements, before_row, before_truncate
from knowledge.models.types import UnitType
from knowledge.models.units import NAME_MAX_LENGTH, Status, Unit, survivor_key
from knowledge.normalise import normalise_alias


class AliasLanguage(models.TextChoices):
    KOREAN = "ko", _("한국어")
    ENGLISH = "en", _("영어")
    ANY = "", _("무관")


class AliasQuerySet(models.QuerySet["Alias"]):
    def active(self) -> "AliasQuerySet":
        return self.filter(active=True)

    def linked(self) -> "AliasQuerySet":
        """The names by which texts call units: active aliases, and labels that no alias of their unit overrides.

        An alias with the label's norm is an editor's word on it, and an inactive one silences it. Events are called
        only by aliases: their labels are headlines.
        """
        word = Alias.objects.filter(unit=OuterRef("unit"), norm=OuterRef("norm"))
        return self.active().exclude(Q(is_label=True) & (Q(unit_type=UnitType.EVENT) | Exists(word)))

    def by_unit(self, units: Collection[int] | models.QuerySet[Any, Any]) -> dict[int, list[str]]:
        """Other names of the units with these keys: its own active aliases, then label and aliases of each unit merged
        into it.

        Never the label itself. A retracted unit lends its names to nobody, as the linker has it. One query, which for a
        query of keys reads all units.
        """
        members = Unit.objects.families(units)
        speaking = members.exclude(merged_into__isnull=False, status=Status.RETRACTED)
        label = Coalesce("unit__merged_into__label", "unit__label")
        rows = self.active().filter(unit__in=speaking.values("pk")).exclude(surface=label)
        own_first = F("unit__merged_into").asc(nulls_first=True)
        rows = rows.order_by(own_first, "unit_id", "-is_label", "pk")
        names: defaultdict[int, dict[str, None]] = defaultdict(dict)
        for unit, surface in rows.values_list(survivor_key("unit"), "surface"):
            names[unit][surface] = None
        return {unit: list(surfaces) for unit, surfaces in names.items()}

    def key_labels(self, units: Iterable[Unit]) -> None:
        """Give the rows that the database has written for these labels their exact key: its own differs for ß, ς and
        the like. One query, and one for each that differs."""
        exact = {unit.pk: normalise_alias(unit.label)[:NAME_MAX_LENGTH] for unit in units}
        labels = self.filter(unit__in=list(exact), is_label=True)
        for pk, unit, norm in labels.values_list("pk", "unit_id", "norm"):
            if norm != exact[unit]:  # an update of no rows would still tell the linker of a change
                self.filter(pk=pk).update(norm=exact[unit])


class AliasManager(models.Manager["Alias"]):
    """The aliases that editors write; the rows of labels belong to the database."""

    def get_queryset(self) -> AliasQuerySet:
        return AliasQuerySet(self.model, using=self._db).filter(is_label=False)

    def active(self) -> AliasQuerySet:
        return self.get_queryset().active()


class Alias(models.Model):
    """A surface by which texts call a unit. A merged unit keeps its aliases; they speak for the survivor.

    A unit's label is a row of its own, ``is_label``, which triggers write and keep. ``objects`` and ``unit.aliases``
    leave these rows out, ``names`` has them. Their flags say nothing: nobody has judged them.
    """

    unit = models.ForeignKey(Unit, models.CASCADE, verbose_name=_("항목"), related_name="aliases")
    # Copied from the unit by a trigger: uniqueness is per type, and a constraint cannot look across tables.
    unit_type = models.CharField(
        _("종류"), max_length=16, choices=UnitType.choices, editable=False, default=""
    )
    surface = models.CharField(_("표기"), max_length=NAME_MAX_LENGTH)
    norm = models.CharField(_("정규형"), max_length=NAME_MAX_LENGTH, editable=False)
    is_label = models.BooleanField(default=False, db_default=False, editable=False)
    lang = models.CharField(_("언어"), max_length=2, choices=AliasLanguage.choices, blank=True)
    case_sensitive = models.BooleanField(_("대소문자 구별"), default=False)
    ambiguous = models.BooleanField(
        _("모호함"), default=False, help_text=_("문서에 다른 단서가 있을 때만 이 항목으로 봅니다.")
    )
    blocked_contexts = models.JSONField(
        _("막는 문맥"), default=list, blank=True, help_text=_("이 말이 곁에 있으면 연결하지 않습니다.")
    )
    active = models.BooleanField(_("사용"), default=True)

    objects: ClassVar[AliasManager] = AliasManager()
    names = AliasQuerySet.as_manager()
    history = Changes(_("별칭의 변경"), excluded=("unit_type", "norm", "is_label"))

    class Meta:
        verbose_name = verbose_name_plural = _("별칭")
        base_manager_name = "objects"  # deleting a unit leaves its label's row to the database
        constraints = [
            UniqueConstraint(fields=["unit"], condition=Q(is_label=True), name="alias_one_label_per_unit"),
            UniqueConstraint(
                fields=["unit", "surface"], condition=Q(is_label=False), name="alias_surface_once_per_unit"
            ),
            UniqueConstraint(
                fields=["unit_type", "norm"],
                condition=Q(ambiguous=False, active=True, is_label=False),
                name="alias_norm_unique_per_type",
            ),
            CheckConstraint(condition=~Q(norm="") | Q(is_label=True), name="alias_norm_present"),
        ]
        indexes = [Index(fields=["norm"], name="alias_norm")]
        triggers = [
            before_row("alias_copy_type", Insert | UpdateOf("unit_id", "unit_type")),
            before_row("label_keep", Update, Condition("OLD.is_label AND pg_trigger_depth() = 0")),
            *after_statements("alias"),
            before_truncate("alias"),
            after_statement("label_restore", Truncate),
            after_statement("vocabulary_alias", Insert | Update | Delete | Truncate, "vocabulary_changed"),
        ]

    def __str__(self) -> str:
        return self.surface

    def clean(self) -> None:
        self.surface = one_line(self.surface)
        # Django passes over constraints of fields that no form has, and is_label is one.
        if Alias.objects.filter(unit=self.unit_id, surface=self.surface).exclude(pk=self.pk).exists():
            raise self.unique_error_message(Alias, ("unit", "surface"))
        if self.unit_id and (collision := self.collision(self.unit.type)):
            raise ValidationError({"surface": collision})

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.derive()
        super().save(*args, **kwargs)

    def derive(self) -> None:
        """Fill in what follows from the rest; whoever writes in bulk calls it."""
        self.norm = normalise_alias(self.surface)
        self.unit_type = self.unit.type

    def collision(self, unit_type: str) -> str:
        """Why this surface cannot stand for a unit of ``unit_type``; empty when it can.

        ``norm`` and ``unit_type`` are not form fields, so Django's own check of the constraints passes them over.
        """
        norm = normalise_alias(self.surface)
        if not norm:
            return gettext("글자나 숫자가 하나는 있어야 합니다.")
        if self.ambiguous or not self.active:
            return ""
        rivals = Alias.objects.active().filter(norm=norm, unit_type=unit_type, ambiguous=False)
        rival = rivals.exclude(pk=self.pk).select_related("unit").first()
        if rival is None:
            return ""
        return gettext("이 별칭은 이미 %(unit)s의 것입니다. 한쪽을 고치거나 둘 다 모호함으로 표시하세요.") % {
            "unit": rival.unit
        }
