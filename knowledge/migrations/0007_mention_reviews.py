"""Reviews of mentions under the name of the field; the rows stay."""

from typing import Any, ClassVar

from django.db import migrations, models
from django.db.models.deletion import CASCADE


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("knowledge", "0006_one_key_for_one_name")]

    operations: ClassVar[list[Any]] = [
        migrations.RemoveConstraint("MentionVerdict", "mention_verdict_once"),
        migrations.RemoveConstraint("MentionVerdict", "mention_verdict_known"),
        migrations.RemoveConstraint("MentionVerdict", "mention_verdict_surface_present"),
        migrations.RenameModel("MentionVerdict", "MentionReview"),
        *(
            migrations.AlterField(
                "MentionReview",
                name,
                models.ForeignKey(to=f"knowledge.{name}", on_delete=CASCADE, related_name="mention_reviews"),
            )
            for name in ("document", "unit")
        ),
        migrations.AddConstraint(
            "MentionReview",
            models.UniqueConstraint(fields=["document", "unit", "surface"], name="mention_review_once"),
        ),
        migrations.AddConstraint(
            "MentionReview",
            models.CheckConstraint(
                condition=models.Q(verdict__in=["confirmed", "refused"]), name="mention_review_known"
            ),
        ),
        migrations.AddConstraint(
            "MentionReview",
            models.CheckConstraint(condition=~models.Q(surface=""), name="mention_review_surface_present"),
        ),
    ]
