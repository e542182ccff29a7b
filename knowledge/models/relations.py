"""How two units stand to each other: who founded, runs, owns or issues what, when, and where that is said."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import connection, models, transaction
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from knowledge.models.history import Changes
from knowledge.models.kinds import ENDS_OF, RelationKind
from knowledge.models.triggers import after_statements, before_truncate
from knowledge.models.units import Unit, survivor_key

OWNERS_LOCK = 0x6F776E6572  # "owner": a key of this database's advisory locks
# A year, a month or a day, as exactly as it is known. Of one form, so that they compare as text.
DATE = r"^(1[89]|20)\d\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$"


class RelationQuerySet(models.QuerySet["Relation"]):
    def published(self) -> "RelationQuerySet":
        """The public relations: the only place where that is said for them. Both ends, or what these were merged into,
        are public and not the same unit."""
        ends = self.filter(withdrawn=False).annotate(
            subject_now=survivor_key("subject"), object_now=survivor_key("object")
        )
        public = Unit.objects.published().values("pk")
        return ends.filter(subject_now__in=public, object_now__in=public).exclude(subject_now=F("object_now"))

    def between(self, survivors: Mapping[int, int]) -> set[tuple[int, int]]:
        """The ends, by their keys, of the public relations among public units; ``survivors`` are the keys of these and
        of what was merged into them, each with that of the unit that answers for it. One query."""
        keys = list(survivors)
        said = self.filter(withdrawn=False, subject__in=keys, object__in=keys)
        ends = {(survivors[one], survivors[other]) for one, other in said.values_list("subject", "object")}
        return {(one, other) for one, other in ends if one != other}

    def of(self, unit: Unit) -> "RelationQuerySet":
        """Those with the unit, or one merged into it, at either end."""
        family = Unit.objects.family(unit).values("pk")
        return self.filter(Q(subject__in=family) | Q(object__in=family))

    def owners(self, *, merging: Mapping[int, int] | None = None) -> dict[int, set[int]]:
        """The keys of the units that each unit is a subsidiary of, withdrawn relations aside. Units count as what they
        were merged into; ``merging`` says what some are about to be merged into."""
        survivors = merging or {}
        said = self.filter(kind=RelationKind.SUBSIDIARY_OF, withdrawn=False)
        owners = dict[int, set[int]]()
        for ends in said.values_list(survivor_key("subject"), survivor_key("object")):
            below, above = (survivors.get(end, end) for end in ends)
            if below != above:
                owners.setdefault(below, set()).add(above)
        return owners


def all_above(unit: int, owners: Mapping[int, set[int]]) -> set[int]:
    """The owners of a unit, and theirs, to the last; the unit itself where it is in a circle."""
    found, next_up = set[int](), owners.get(unit, set())
    while next_up:
        found |= next_up
        next_up = {owner for each in next_up for owner in owners.get(each, ())} - found
    return found


def hold_owners() -> None:
    """Until the transaction ends nobody else says who owns whom: the two halves of a circle do not see each other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [OWNERS_LOCK])


class Relation(models.Model):
    """``subject`` is founder of, operates, … ``object``. Withdrawn, not deleted, so that no loader brings it back."""

    subject = models.ForeignKey(
        Unit, models.CASCADE, verbose_name=_("주체"), related_name="relations_from", db_index=False
    )
    kind = models.CharField(_("관계"), max_length=16, choices=RelationKind.choices)
    object = models.ForeignKey(
        Unit, models.CASCADE, verbose_name=pgettext_lazy("relation", "대상"), related_name="relations_to"
    )
    started = models.CharField(
        pgettext_lazy("relation", "시작"),
        max_length=10,
        blank=True,
        default="",
        validators=[RegexValidator(DATE)],
        help_text=_("아는 만큼: 2017, 2017-10, 2017-10-24"),
    )
    ended = models.CharField(
        _("끝"),
        max_length=10,
        blank=True,
        default="",
        validators=[RegexValidator(DATE)],
        help_text=_("이어지고 있으면 비웁니다."),
    )
    reference = models.URLField(_("근거 주소"), blank=True, default="")
    withdrawn = models.BooleanField(_("거둠"), default=False, help_text=_("공개하지 않습니다."))
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    objects = RelationQuerySet.as_manager()
    history = Changes(_("관계의 변경"), excluded=("canon_sha256",))

    class Meta:
        verbose_name = verbose_name_plural = _("관계")
        constraints = [
            UniqueConstraint(fields=["subject", "kind", "object", "started"], name="relation_unique"),
            CheckConstraint(condition=Q(kind__in=RelationKind.values), name="relation_kind_known"),
            CheckConstraint(condition=~Q(subject=F("object")), name="relation_of_two_units"),
            CheckConstraint(
                condition=Q(started="") | Q(started__regex=DATE), name="relation_started_is_date"
            ),
            CheckConstraint(condition=Q(ended="") | Q(ended__regex=DATE), name="relation_ended_is_date"),
        ]
        triggers = [*after_statements("relation", "relation_changed"), before_truncate("relation")]

    def __str__(self) -> str:
        return f"{self.subject.label} · {self.get_kind_display()}: {self.object.label}"

    def clean(self) -> None:
        """Refuses ends of the wrong types, an end before the start, what is said already, and a circle of owners."""
        if not (self.subject_id and self.object_id):  # an empty field of a form has said so itself
            return
        if problem := self._wrong_ends() or self._repeated() or self._circular():
            raise ValidationError({"object": problem})
        if self.started and self.ended and self.ended < self.started[: len(self.ended)]:
            raise ValidationError({"ended": _("끝이 시작보다 앞섭니다.")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            if self.kind == RelationKind.SUBSIDIARY_OF:
                hold_owners()
            self.clean()
            super().save(*args, **kwargs)

    def _wrong_ends(self) -> Any:
        subjects, objects = ENDS_OF.get(self.kind, (frozenset(), frozenset()))
        if self.subject.type in subjects and self.object.type in objects:
            return None
        return _("%(subject)s과(와) %(object)s 사이에는 이 관계를 쓸 수 없습니다.") % {
            "subject": self.subject.get_type_display(),
            "object": self.object.get_type_display(),
        }

    def _repeated(self) -> Any:
        same = Relation.objects.filter(kind=self.kind, started=self.started).exclude(pk=self.pk)
        ends = {
            "subject__in": Unit.objects.family(self.subject.survivor),
            "object__in": Unit.objects.family(self.object.survivor),
        }
        return _("이 관계는 이미 있습니다.") if same.filter(**ends).exists() else None

    def _circular(self) -> Any:
        """Whether the subject would own, through others, what owns it: each unit counts as what it was merged into."""
        if self.withdrawn:
            return None
        subject, owner = self.subject.survivor.pk, self.object.survivor.pk
        if subject == owner:
            return _("한 항목의 자기 자신과의 관계입니다.")
        if self.kind != RelationKind.SUBSIDIARY_OF:
            return None
        if subject in all_above(owner, Relation.objects.exclude(pk=self.pk).owners()):
            return _("자회사 관계가 돌고 돕니다: 대상이 이미 이 주체 아래에 있습니다.")
        return None
