"""The tables of sealed days and of the sister services, as the six steps before make them (docs/decisions/0025)."""

import datetime
import django.db.models.deletion
import pgtrigger.compiler
from django.db import migrations, models

from knowledge.postgres.tables import CreateTables

# Slug, name and district as they were at the first installation: what the rules say later is not this migration's.
SERVICES = (
    ("market", "거래", "거래 항구"),
    ("community", "커뮤니티", "광장"),
    ("learning", "배움", "학당 언덕"),
    ("media", "미디어", "방송 거리"),
    ("arena", "아레나", "경기장"),
    ("infra", "인프라", "발전소"),
)


def add(apps, schema_editor):
    SisterService = apps.get_model("archive", "SisterService")
    for slug, name, district in SERVICES:
        SisterService.objects.get_or_create(slug=slug, defaults={"name": name, "district": district})


class Migration(migrations.Migration):

    replaces = [
        ("archive", "0001_initial"),
        ("archive", "0002_starter_services"),
        ("archive", "0003_watch_snapshots"),
        ("archive", "0004_readable_signals"),
        ("archive", "0005_triggers_beside_models"),
        ("archive", "0006_plain_words"),
    ]

    initial = True

    dependencies = []

    operations = [
        CreateTables(
            models=[migrations.CreateModel(
                name='Sealing',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(verbose_name='날')),
                    ('revision', models.PositiveIntegerField(default=1, verbose_name='버전')),
                    ('began_at', models.DateTimeField(verbose_name='시작')),
                    ('calls', models.JSONField(default=list, verbose_name='모델 호출')),
                    ('failed_at', models.DateTimeField(blank=True, null=True, verbose_name='실패 일시')),
                    ('failure', models.CharField(blank=True, max_length=300, verbose_name='실패 원인')),
                    ('failure_kind', models.CharField(blank=True, choices=[('storage', '파일을 쓰거나 읽지 못함'), ('database', '데이터베이스가 거절하거나 끊김'), ('defect', '프로그램의 오류')], db_default='', default='', max_length=10, verbose_name='실패의 갈래')),
                ],
                options={
                    'verbose_name': '봉인 과정',
                    'verbose_name_plural': '봉인 과정',
                    'constraints': [models.UniqueConstraint(fields=('day', 'revision'), name='sealing_once'), models.CheckConstraint(condition=models.Q(models.Q(('failed_at__isnull', True), ('failure', '')), models.Q(('failed_at__isnull', False), models.Q(('failure', ''), _negated=True)), _connector='OR'), name='sealing_failure_has_cause'), models.CheckConstraint(condition=models.Q(('failure_kind__in', ['', 'storage', 'database', 'defect'])), name='sealing_failure_kind_known')],
                },
            ), migrations.CreateModel(
                name='SisterService',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.CharField(choices=[('market', 'market'), ('community', 'community'), ('learning', 'learning'), ('media', 'media'), ('arena', 'arena'), ('infra', 'infra')], max_length=20, unique=True, verbose_name='서비스')),
                    ('name', models.CharField(max_length=80, verbose_name='이름')),
                    ('district', models.CharField(max_length=40, verbose_name='구역')),
                    ('url', models.URLField(blank=True, help_text='?day=YYYY-MM-DD를 붙여 가져옵니다.', max_length=500, verbose_name='주소')),
                    ('secret', models.CharField(blank=True, help_text='X-Signature(HMAC-SHA256)를 확인합니다.', max_length=200, verbose_name='공유 비밀')),
                    ('active', models.BooleanField(default=False, verbose_name='켬')),
                    ('last_pulled_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='마지막 질문 일시')),
                    ('last_success_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='마지막 수신 일시')),
                    ('last_refusal', models.CharField(blank=True, editable=False, max_length=300, verbose_name='마지막 거절 사유')),
                ],
                options={
                    'verbose_name': '자매 서비스',
                    'verbose_name_plural': '자매 서비스',
                    'ordering': ['pk'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('slug__in', ('market', 'community', 'learning', 'media', 'arena', 'infra'))), name='sister_known'), models.CheckConstraint(condition=models.Q(('active', False), models.Q(models.Q(('url', ''), _negated=True), models.Q(('secret', ''), _negated=True)), _connector='OR'), name='sister_active_has_address', violation_error_message='켜려면 주소와 공유 비밀이 있어야 합니다.')],
                },
            ), migrations.CreateModel(
                name='Snapshot',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(verbose_name='날')),
                    ('revision', models.PositiveIntegerField(default=1, verbose_name='버전')),
                    ('status', models.CharField(choices=[('complete', '여섯 신호 모두'), ('partial', '일부 신호'), ('no_signal', '신호 없음')], max_length=10, verbose_name='상태')),
                    ('late', models.BooleanField(verbose_name='늦은 봉인')),
                    ('rehearsal', models.BooleanField(verbose_name='예행')),
                    ('size', models.PositiveIntegerField(verbose_name='바이트')),
                    ('sha256', models.CharField(max_length=64, verbose_name='해시')),
                    ('sealed_at', models.DateTimeField(verbose_name='봉인 일시')),
                    ('facts', models.JSONField(default=dict, verbose_name='요지')),
                ],
                options={
                    'verbose_name': '봉인된 하루',
                    'verbose_name_plural': '봉인된 하루',
                    'ordering': ['-day', '-revision'],
                    'constraints': [models.UniqueConstraint(fields=('day', 'revision'), name='snapshot_once'), models.CheckConstraint(condition=models.Q(('status__in', ['complete', 'partial', 'no_signal'])), name='snapshot_status_known'), models.CheckConstraint(condition=models.Q(('revision__gte', 1)), name='snapshot_revision_from_one'), models.CheckConstraint(condition=models.Q(('size__gte', 1)), name='snapshot_not_empty'), models.CheckConstraint(condition=models.Q(('sha256__regex', '^[0-9a-f]{64}$')), name='snapshot_sha256_form')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='ab9192f1b3bc4349813344301b52ba0371870674', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_33eb7', referencing='REFERENCING NEW TABLE AS new_rows ', table='archive_snapshot', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='fa9269cbce657cf3a9f47e9bfa51c2fbe8e7d0ae', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_57a25', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='archive_snapshot', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='c97864ea5d945c1a889f33462bafff0de1b4d7ce', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_3b885', referencing='REFERENCING OLD TABLE AS old_rows ', table='archive_snapshot', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='4e460e349b010e3be7887236d3c339644b1d7f6f', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_20366', table='archive_snapshot', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='Signal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(verbose_name='날')),
                    ('revision', models.PositiveIntegerField(verbose_name='버전')),
                    ('sha256', models.CharField(max_length=64, verbose_name='해시')),
                    ('body', models.BinaryField(verbose_name='본문')),
                    ('complete', models.BooleanField(verbose_name='마감된 신호')),
                    ('generated_at', models.DateTimeField(verbose_name='생성 일시')),
                    ('received_at', models.DateTimeField(verbose_name='수신 일시')),
                    ('late', models.BooleanField(default=False, verbose_name='봉인 뒤 도착')),
                    ('rehearsal', models.BooleanField(default=False, verbose_name='예행')),
                    ('service', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signals', to='archive.sisterservice', verbose_name='서비스')),
                ],
                options={
                    'verbose_name': '신호',
                    'verbose_name_plural': '신호',
                    'indexes': [models.Index(fields=['day', 'rehearsal'], name='signal_by_day')],
                    'constraints': [models.UniqueConstraint(fields=('service', 'day', 'rehearsal', 'sha256'), name='signal_body_once'), models.UniqueConstraint(fields=('service', 'day', 'rehearsal', 'revision'), name='signal_revision_once'), models.CheckConstraint(condition=models.Q(('revision__gte', 1)), name='signal_revision_from_one'), models.CheckConstraint(condition=models.Q(('sha256__regex', '^[0-9a-f]{64}$')), name='signal_sha256_form'), models.CheckConstraint(condition=models.Q(('generated_at__gte', datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))), name='signal_generated_at_readable')],
                },
            )],
        ),
        migrations.RunPython(add, migrations.RunPython.noop),
    ]
