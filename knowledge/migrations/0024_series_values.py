"""Series of the canon, values with their periods and revisions, and values that wait for an editor."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0023_series_of_the_canon'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HeldValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='시점')),
                ('period', models.CharField(blank=True, max_length=10, verbose_name='기간')),
                ('value', models.FloatField(verbose_name='값')),
                ('unit', models.CharField(blank=True, max_length=40, verbose_name='단위')),
                ('reason', models.CharField(max_length=200, verbose_name='사유')),
                ('fetched_at', models.DateTimeField(verbose_name='가져온 때')),
                ('rejected_at', models.DateTimeField(blank=True, null=True, verbose_name='버린 때')),
            ],
            options={
                'verbose_name': '보류한 값',
                'verbose_name_plural': '보류한 값',
            },
        ),
        migrations.CreateModel(
            name='HistoricalSeries',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('slug', models.CharField(db_index=True, max_length=80, verbose_name='슬러그')),
                ('label', models.CharField(max_length=120, verbose_name='이름')),
                ('label_en', models.CharField(max_length=120, verbose_name='이름(영어)')),
                ('aliases', models.JSONField(blank=True, default=list, verbose_name='다른 이름')),
                ('unit', models.CharField(help_text='UCUM 또는 ISO 4217 기호', max_length=40, verbose_name='단위')),
                ('cadence', models.CharField(choices=[('live', '수시'), ('hourly', '매시간'), ('daily', '매일'), ('business_daily', '영업일마다'), ('monthly', '매월')], max_length=16, verbose_name='주기')),
                ('position', models.PositiveSmallIntegerField(default=0, help_text='가장 작은 것이 대표 수치', verbose_name='순서')),
                ('decimals', models.PositiveSmallIntegerField(default=0, verbose_name='소수 자리')),
                ('licence', models.CharField(max_length=200, verbose_name='이용 조건')),
                ('redistributable', models.BooleanField(default=False, verbose_name='재배포 가능')),
                ('note', models.TextField(blank=True, verbose_name='만드는 방법')),
                ('note_en', models.TextField(blank=True, verbose_name='만드는 방법(영어)')),
                ('least', models.FloatField(blank=True, null=True, verbose_name='최솟값')),
                ('most', models.FloatField(blank=True, null=True, verbose_name='최댓값')),
                ('largest_jump', models.FloatField(blank=True, help_text='앞 값의 몇 배를 넘게 뛰거나 줄면 보류할지', null=True, verbose_name='최대 변화 배수')),
                ('stale_after_hours', models.PositiveSmallIntegerField(blank=True, help_text='비우면 주기에 따름', null=True, verbose_name='오래됨 기준(시간)')),
                ('history_change_reason', models.CharField(max_length=60, null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': '시계열의 변경',
                'verbose_name_plural': '시계열의 변경',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=80, unique=True, verbose_name='슬러그')),
                ('label', models.CharField(max_length=120, verbose_name='이름')),
                ('label_en', models.CharField(max_length=120, verbose_name='이름(영어)')),
                ('aliases', models.JSONField(blank=True, default=list, verbose_name='다른 이름')),
                ('unit', models.CharField(help_text='UCUM 또는 ISO 4217 기호', max_length=40, verbose_name='단위')),
                ('cadence', models.CharField(choices=[('live', '수시'), ('hourly', '매시간'), ('daily', '매일'), ('business_daily', '영업일마다'), ('monthly', '매월')], max_length=16, verbose_name='주기')),
                ('position', models.PositiveSmallIntegerField(default=0, help_text='가장 작은 것이 대표 수치', verbose_name='순서')),
                ('decimals', models.PositiveSmallIntegerField(default=0, verbose_name='소수 자리')),
                ('licence', models.CharField(max_length=200, verbose_name='이용 조건')),
                ('redistributable', models.BooleanField(default=False, verbose_name='재배포 가능')),
                ('note', models.TextField(blank=True, verbose_name='만드는 방법')),
                ('note_en', models.TextField(blank=True, verbose_name='만드는 방법(영어)')),
                ('least', models.FloatField(blank=True, null=True, verbose_name='최솟값')),
                ('most', models.FloatField(blank=True, null=True, verbose_name='최댓값')),
                ('largest_jump', models.FloatField(blank=True, help_text='앞 값의 몇 배를 넘게 뛰거나 줄면 보류할지', null=True, verbose_name='최대 변화 배수')),
                ('stale_after_hours', models.PositiveSmallIntegerField(blank=True, help_text='비우면 주기에 따름', null=True, verbose_name='오래됨 기준(시간)')),
                ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
            ],
            options={
                'verbose_name': '시계열',
                'verbose_name_plural': '시계열',
            },
        ),
        migrations.CreateModel(
            name='SeriesPattern',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=80, unique=True)),
                ('record', models.JSONField()),
                ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
            ],
        ),
        migrations.AlterModelOptions(
            name='seriesinput',
            options={'verbose_name': '시계열의 입력', 'verbose_name_plural': '시계열의 입력'},
        ),
        migrations.RemoveConstraint(
            model_name='observation',
            name='observation_once',
        ),
        migrations.RemoveField(
            model_name='seriesinput',
            name='label',
        ),
        migrations.AddField(
            model_name='observation',
            name='newest',
            field=models.BooleanField(default=True, verbose_name='최신 개정'),
        ),
        migrations.AddField(
            model_name='observation',
            name='period',
            field=models.CharField(blank=True, max_length=10, verbose_name='기간'),
        ),
        migrations.AddField(
            model_name='observation',
            name='revision',
            field=models.PositiveSmallIntegerField(default=1, verbose_name='개정'),
        ),
        migrations.AddField(
            model_name='seriesinput',
            name='position',
            field=models.PositiveSmallIntegerField(default=0, help_text='작은 것이 먼저', verbose_name='순서'),
        ),
        # By their shortest text: a cast would round to 15 digits, and each refetch would seem a correction.
        migrations.RunSQL(
            'ALTER TABLE knowledge_observation ALTER COLUMN value TYPE numeric(40, 12) '
            'USING round(value::text::numeric, 12)',
            'ALTER TABLE knowledge_observation ALTER COLUMN value TYPE double precision',
            state_operations=[
                migrations.AlterField(
                    model_name='observation',
                    name='value',
                    field=models.DecimalField(decimal_places=12, max_digits=40, verbose_name='값'),
                ),
            ],
        ),
        migrations.AlterField(
            model_name='seriesinput',
            name='source',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='series_inputs', to='knowledge.source', verbose_name='출처'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='observation',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='0f6aee9c9be240f9c9fceb00f9372823ef0799f1', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_61ecb', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_observation', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='observation',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='0784bc60ead2b52e0b9594e76e9599732ca08736', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_7ddc3', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_observation', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='observation',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='6fb08be0c0d7d65436e4189330d887bf6f7b0075', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_38879', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_observation', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='observation',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='2bbb685623eb109cb76148d4e40af0e70b893a58', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_2c077', table='knowledge_observation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='910515d6237b05d1ce96f3ce4399e17913347322', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_0f74c', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='93cf20a6764be3789041ce486ec590ec4fe1c79e', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_d1a5a', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='14838bbe9e17ec8d9d55dc468024aaa8d1637809', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_ef6c3', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_seriesinput', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='d522dbc54e6fec4846f5ae03b32cd1b951212923', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_f9250', table='knowledge_seriesinput', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='observation',
            constraint=models.UniqueConstraint(fields=('input', 'at', 'revision'), name='observation_revision_once'),
        ),
        migrations.AddConstraint(
            model_name='observation',
            constraint=models.UniqueConstraint(condition=models.Q(('newest', True)), fields=('input', 'at'), name='observation_newest_once'),
        ),
        migrations.AddField(
            model_name='heldvalue',
            name='input',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='held_values', to='knowledge.seriesinput', verbose_name='입력'),
        ),
        migrations.AddField(
            model_name='historicalseries',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicalseries',
            name='holder',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.unit', verbose_name='표제 단위'),
        ),
        migrations.AddField(
            model_name='series',
            name='holder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='series', to='knowledge.unit', verbose_name='표제 단위'),
        ),
        migrations.AddField(
            model_name='seriesinput',
            name='series',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='inputs', to='knowledge.series', verbose_name='시계열'),
        ),
        migrations.AddConstraint(
            model_name='heldvalue',
            constraint=models.UniqueConstraint(fields=('input', 'at', 'value'), name='held_value_once'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.CheckConstraint(condition=models.Q(('slug__regex', '^[a-z0-9-]+$')), name='series_slug_form'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.CheckConstraint(condition=models.Q(('cadence__in', ['live', 'hourly', 'daily', 'business_daily', 'monthly'])), name='series_cadence_known'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.CheckConstraint(condition=models.Q(('largest_jump', None), ('largest_jump__gt', 1), _connector='OR'), name='series_jump_above_1'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='5e41c56d87fa359957b67486994cd899809d937f', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_8335d', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='1f81c9031758cdaaeec0573c80d66f5a7c2d09c5', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_4d4bc', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='22409810001270779611eb7d61caf125012c7e6f', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_e30b8', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='bac122cbd2c1436ff6aaa96be41b92a8115019b0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_1e782', table='knowledge_series', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='holder_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('held_series');\n    END IF;\nEND;\nRETURN NULL;", hash='055bad4210b7d80e1644bc2e64a150c066081350', level='STATEMENT', operation='INSERT', pgid='pgtrigger_holder_inserted_502b0', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='holder_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('held_series');\n    END IF;\nEND;\nRETURN NULL;", hash='9b1c95b5056f3e2f9e5f1da725943528ec633fb2', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_holder_updated_ade0d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='holder_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('held_series');\n    END IF;\nEND;\nRETURN NULL;", hash='888b9e430eef2824a5e576cb9fd7a5097b41fab3', level='STATEMENT', operation='DELETE', pgid='pgtrigger_holder_deleted_5d045', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='holder_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('held_series');\n    END IF;\nEND;\nRETURN NULL;", hash='1089e9abf96b58716c106fd8e9a163846d0bea7e', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_holder_truncated_84607', table='knowledge_series', when='BEFORE')),
        ),
    ]
