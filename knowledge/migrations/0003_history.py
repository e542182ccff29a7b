"""The history of units, aliases and personas, and what editors may be allowed to do."""

from typing import Any, ClassVar

import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

# Everything that stands begins its history as it is now, so that the first change can be told and undone.
BASELINE = """
INSERT INTO knowledge_historicalunit
    (id, type, slug, label, summary, summary_en, status, symbol, website, occurred_at, merged_into_id,
     history_date, history_type, history_change_reason)
SELECT id, type, slug, label, summary, summary_en, status, symbol, website, occurred_at, merged_into_id,
       now(), '+', 'baseline' FROM knowledge_unit ORDER BY id;
INSERT INTO knowledge_historicalalias
    (id, surface, lang, case_sensitive, ambiguous, blocked_contexts, active, unit_id,
     history_date, history_type, history_change_reason)
SELECT id, surface, lang, case_sensitive, ambiguous, blocked_contexts, active, unit_id,
       now(), '+', 'baseline' FROM knowledge_alias ORDER BY id;
INSERT INTO knowledge_historicalpersona
    (id, glyph, voice, disclosure, disclosure_en, entity_id,
     history_date, history_type, history_change_reason)
SELECT id, glyph, voice, disclosure, disclosure_en, entity_id,
       now(), '+', 'baseline' FROM knowledge_persona ORDER BY id;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("knowledge", "0002_triggers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AlterModelOptions(
            name="unit",
            options={
                "permissions": [
                    ("publish_unit", "단위를 공개하고 철회"),
                    ("merge_unit", "단위를 병합하고 나누고 되돌리기"),
                    ("decide_candidate", "사건 후보를 결정"),
                    ("import_unit", "단위와 별칭 들여오기"),
                    ("export_unit", "단위와 별칭 내보내기"),
                    ("run_source", "출처를 지금 수집"),
                ],
                "verbose_name": "단위",
                "verbose_name_plural": "단위",
            },
        ),
        migrations.CreateModel(
            name="HistoricalAlias",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("surface", models.CharField(max_length=120, verbose_name="표기")),
                (
                    "lang",
                    models.CharField(
                        blank=True,
                        choices=[("ko", "한국어"), ("en", "영어"), ("", "무관")],
                        max_length=2,
                        verbose_name="언어",
                    ),
                ),
                ("case_sensitive", models.BooleanField(default=False, verbose_name="대소문자 구별")),
                (
                    "ambiguous",
                    models.BooleanField(
                        default=False,
                        help_text="문서에 다른 단서가 있을 때만 이 단위로 봅니다.",
                        verbose_name="모호함",
                    ),
                ),
                (
                    "blocked_contexts",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="이 말이 곁에 있으면 연결하지 않습니다.",
                        verbose_name="막는 문맥",
                    ),
                ),
                ("active", models.BooleanField(default=True, verbose_name="사용")),
                ("history_change_reason", models.CharField(max_length=60, null=True)),
                ("history_id", models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "unit",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="knowledge.unit",
                        verbose_name="단위",
                    ),
                ),
            ],
            options={
                "verbose_name": "별칭의 변경",
                "verbose_name_plural": "별칭의 변경",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalPersona",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("glyph", models.CharField(max_length=8, verbose_name="글리프")),
                ("voice", models.TextField(help_text="이 페르소나가 어떻게 쓰는지", verbose_name="말투")),
                ("disclosure", models.CharField(max_length=200, verbose_name="고지")),
                ("disclosure_en", models.CharField(max_length=200, verbose_name="고지(영어)")),
                ("history_change_reason", models.CharField(max_length=60, null=True)),
                ("history_id", models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="knowledge.entity",
                        verbose_name="크리에이터",
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "페르소나의 변경",
                "verbose_name_plural": "페르소나의 변경",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalUnit",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("asset", "자산"),
                            ("creator", "크리에이터"),
                            ("company", "기업"),
                            ("organisation", "기관"),
                            ("person", "인물"),
                            ("product", "제품"),
                            ("topic", "주제"),
                            ("event", "사건"),
                        ],
                        max_length=16,
                        verbose_name="종류",
                    ),
                ),
                (
                    "slug",
                    models.SlugField(
                        db_index=False,
                        help_text="공개 주소의 일부이며 바뀌지 않습니다.",
                        max_length=96,
                        verbose_name="슬러그",
                    ),
                ),
                ("label", models.CharField(max_length=200, verbose_name="이름")),
                ("summary", models.TextField(blank=True, verbose_name="요약")),
                ("summary_en", models.TextField(blank=True, verbose_name="요약(영어)")),
                (
                    "status",
                    models.CharField(
                        choices=[("draft", "초안"), ("published", "공개"), ("retracted", "철회")],
                        default="draft",
                        max_length=10,
                        verbose_name="상태",
                    ),
                ),
                ("symbol", models.CharField(blank=True, max_length=24, verbose_name="심볼")),
                ("website", models.URLField(blank=True, verbose_name="공식 사이트")),
                ("occurred_at", models.DateTimeField(blank=True, null=True, verbose_name="일어난 때")),
                ("history_change_reason", models.CharField(max_length=60, null=True)),
                ("history_id", models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="knowledge.unit",
                        verbose_name="병합된 곳",
                    ),
                ),
            ],
            options={
                "verbose_name": "단위의 변경",
                "verbose_name_plural": "단위의 변경",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.RunSQL(BASELINE, migrations.RunSQL.noop),
    ]
