"""The tables of questions and answers, as the sixteen steps before make them (docs/decisions/0025)."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from knowledge.postgres.tables import CreateTables


class Migration(migrations.Migration):

    replaces = [
        ("ask", "0001_initial"),
        ("ask", "0002_versions_append_only"),
        ("ask", "0003_watch_indexable_answers"),
        ("ask", "0004_money_and_audits"),
        ("ask", "0010_flight"),
        ("ask", "0011_seed_history"),
        ("ask", "0012_answer_declined"),
        ("ask", "0013_triggers_beside_models"),
        ("ask", "0014_figures_due"),
        ("ask", "0015_accepted_before"),
        ("ask", "0016_related"),
        ("ask", "0017_answers_are_told"),
        ("ask", "0018_sources_beside_citations"),
        ("ask", "0019_plain_words"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),  # before, or each of its steps renders these models as well
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateTables(
            models=[migrations.CreateModel(
                name='Answer',
                fields=[
                    ('question_hash', models.CharField(max_length=32, primary_key=True, serialize=False, verbose_name='질문 해시')),
                    ('question', models.CharField(max_length=300, verbose_name='질문')),
                    ('lang', models.CharField(choices=[('ko', '한국어'), ('en', '영어')], max_length=2, verbose_name='언어')),
                    ('status', models.CharField(choices=[('published', '공개'), ('hidden', '숨김')], default='published', max_length=10, verbose_name='상태')),
                    ('hidden_reason', models.CharField(blank=True, max_length=300, verbose_name='숨김 사유')),
                    ('created_at', models.DateTimeField(verbose_name='최초 질문 일시')),
                    ('checked_at', models.DateTimeField(editable=False, null=True, verbose_name='근거 확인 일시')),
                    ('evidence_withdrawn_at', models.DateTimeField(editable=False, null=True, verbose_name='근거 철회 일시')),
                    ('current', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='current_of', to='ask.answerversion', verbose_name='현재 버전')),
                    ('declined', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ask.answerversion')),
                    ('figures_due_at', models.DateTimeField(editable=False, null=True, verbose_name='수치 재확인 일시')),
                    ('accepted', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ask.answerversion')),
                ],
                options={
                    'verbose_name': '답변',
                    'verbose_name_plural': '답변',
                    'indexes': [models.Index(fields=['-created_at'], name='answer_newest'), models.Index(condition=models.Q(('status', 'published'), models.Q(('evidence_withdrawn_at__isnull', False), ('checked_at__isnull', True), _connector='OR')), fields=['evidence_withdrawn_at'], name='answer_to_renew')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('question_hash__regex', '^[0-9a-f]{32}$')), name='answer_hash_form'), models.CheckConstraint(condition=models.Q(('question', ''), _negated=True), name='answer_question_present'), models.CheckConstraint(condition=models.Q(('lang__in', ['ko', 'en'])), name='answer_lang_known'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'published'), ('hidden_reason', '')), models.Q(('status', 'hidden'), models.Q(('hidden_reason', ''), _negated=True)), _connector='OR'), name='answer_hidden_with_reason')],
                    'permissions': [('accept_answer', '만든 답변을 받아들이기'), ('hide_answer', '답변을 숨기고 다시 보이기')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='fcf395db9b74fe018197abe839c5a08753d42718', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_34e9f', referencing='REFERENCING NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='edcba2ce80bf4f8a2d3b5fb554a19fae8c5eb46d', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_629b2', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='2b5e47eb87eac6902221547aa30f120ff561e3b3', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_4a717', referencing='REFERENCING OLD TABLE AS old_rows ', table='ask_answer', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='d1d15216bbae3d2151274a3d69cd63e0399c54a4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_2062a', table='ask_answer', when='BEFORE')), pgtrigger.compiler.Trigger(name='told_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    keys text[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        keys := ARRAY(SELECT question_hash FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        keys := ARRAY(SELECT question_hash FROM old_rows);\n    ELSE\n        keys := ARRAY(\n            SELECT question_hash FROM (SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM old_rows EXCEPT SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM new_rows) AS changed\n        );\n    END IF;\n    IF cardinality(keys) > 100 THEN\n        PERFORM pg_notify('madang_scope', 'all');\n    ELSE\n        PERFORM pg_notify('madang_scope', 'answer:' || key) FROM unnest(keys) AS key;\n    END IF;\nEND;\nRETURN NULL;", hash='3ca4d986dc39c574c297b5c5e16e9f3956a35df8', level='STATEMENT', operation='INSERT', pgid='pgtrigger_told_inserted_29127', referencing='REFERENCING NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')), pgtrigger.compiler.Trigger(name='told_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    keys text[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        keys := ARRAY(SELECT question_hash FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        keys := ARRAY(SELECT question_hash FROM old_rows);\n    ELSE\n        keys := ARRAY(\n            SELECT question_hash FROM (SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM old_rows EXCEPT SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM new_rows) AS changed\n        );\n    END IF;\n    IF cardinality(keys) > 100 THEN\n        PERFORM pg_notify('madang_scope', 'all');\n    ELSE\n        PERFORM pg_notify('madang_scope', 'answer:' || key) FROM unnest(keys) AS key;\n    END IF;\nEND;\nRETURN NULL;", hash='19270d3060528d6ee1426f86449d6048ae571a96', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_told_updated_73a22', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')), pgtrigger.compiler.Trigger(name='told_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    keys text[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        keys := ARRAY(SELECT question_hash FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        keys := ARRAY(SELECT question_hash FROM old_rows);\n    ELSE\n        keys := ARRAY(\n            SELECT question_hash FROM (SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM old_rows EXCEPT SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM new_rows) AS changed\n        );\n    END IF;\n    IF cardinality(keys) > 100 THEN\n        PERFORM pg_notify('madang_scope', 'all');\n    ELSE\n        PERFORM pg_notify('madang_scope', 'answer:' || key) FROM unnest(keys) AS key;\n    END IF;\nEND;\nRETURN NULL;", hash='b0b084f363bf1ede9192cce938ebbc38cfd86816', level='STATEMENT', operation='DELETE', pgid='pgtrigger_told_deleted_5d7ae', referencing='REFERENCING OLD TABLE AS old_rows ', table='ask_answer', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='AnswerVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('mode', models.CharField(choices=[('llm', 'AI 답변'), ('extractive', '인용'), ('none', '기록 없음')], max_length=10, verbose_name='방식')),
                    ('body', models.TextField(verbose_name='본문')),
                    ('citations', models.JSONField(default=list, verbose_name='인용')),
                    ('evidence_keys', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None, verbose_name='근거')),
                    ('cited_keys', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None, verbose_name='인용한 근거')),
                    ('evidence_fingerprint', models.CharField(max_length=64)),
                    ('cost_micro_usd', models.BigIntegerField(default=0, verbose_name='비용(µUSD)')),
                    ('model', models.CharField(blank=True, max_length=80, verbose_name='모델')),
                    ('prompt_version', models.CharField(max_length=40, verbose_name='프롬프트 버전')),
                    ('generated_at', models.DateTimeField(verbose_name='생성 일시')),
                    ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='ask.answer', verbose_name='답변')),
                    ('figures_due_at', models.DateTimeField(editable=False, null=True)),
                    ('related_keys', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), db_default=models.Value([]), default=list, editable=False, size=None)),
                    ('sources', models.JSONField(db_default=models.Value([], models.JSONField()), default=list, editable=False)),
                ],
                options={
                    'verbose_name': '답변 버전',
                    'verbose_name_plural': '답변 버전',
                    'indexes': [models.Index(fields=['answer', '-id'], name='version_newest'), django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['cited_keys'], name='version_cited'), django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['evidence_keys'], name='version_evidence')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('mode__in', ['llm', 'extractive', 'none'])), name='version_mode_known'), models.CheckConstraint(condition=models.Q(('body', ''), _negated=True), name='version_body_present'), models.CheckConstraint(condition=models.Q(models.Q(('mode', 'none'), ('citations', [])), models.Q(models.Q(('mode', 'none'), _negated=True), models.Q(('citations', []), _negated=True)), _connector='OR'), name='version_cites_unless_none'), models.CheckConstraint(condition=models.Q(models.Q(('mode', 'llm'), models.Q(('model', ''), _negated=True)), models.Q(('cost_micro_usd', 0), ('mode', 'extractive'), ('model', '')), ('mode', 'none'), _connector='OR'), name='version_quoting_costs_nothing'), models.CheckConstraint(condition=models.Q(('cost_micro_usd__gte', 0)), name='version_cost_not_negative')],
                    'triggers': [pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='b07831263e1638da85c62cfbef5f53440338afa2', operation='UPDATE', pgid='pgtrigger_append_only_d66f7', table='ask_answerversion', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='SeedQuestion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('text', models.CharField(max_length=300, verbose_name='질문')),
                    ('question_hash', models.CharField(editable=False, max_length=32, unique=True, verbose_name='질문 해시')),
                    ('lang', models.CharField(choices=[('ko', '한국어'), ('en', '영어')], editable=False, max_length=2, verbose_name='언어')),
                    ('order', models.PositiveIntegerField(default=1000, verbose_name='순서')),
                    ('active', models.BooleanField(default=True, verbose_name='사용')),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='생성 일시')),
                    ('canon_key', models.CharField(editable=False, max_length=32, null=True, unique=True)),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                ],
                options={
                    'verbose_name': '시드 질문',
                    'verbose_name_plural': '시드 질문',
                    'ordering': ['order', 'pk'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('question_hash__regex', '^[0-9a-f]{32}$')), name='seed_hash_form'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='seed_text_present'), models.CheckConstraint(condition=models.Q(('lang__in', ['ko', 'en'])), name='seed_lang_known')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='f1b567533ec91c7d3054e443eb75de7e4e0afad2', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_8b068', referencing='REFERENCING NEW TABLE AS new_rows ', table='ask_seedquestion', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='40f4cf950b6da20e0503306d5b2e931f4eb3b50f', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_a8519', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='ask_seedquestion', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='7fd0a48b2c2b5170f8ff5d5e1bf3ad14b8843385', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_f3dad', referencing='REFERENCING OLD TABLE AS old_rows ', table='ask_seedquestion', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='323296c85b46070739bf711405d21c0bc3dcec6a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_57a43', table='ask_seedquestion', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='CitationAudit',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('date', models.DateField(unique=True, verbose_name='날짜')),
                    ('model', models.CharField(max_length=80, verbose_name='모델')),
                    ('tool', models.CharField(max_length=40, verbose_name='검색 도구')),
                    ('started_at', models.DateTimeField(verbose_name='시작')),
                    ('finished_at', models.DateTimeField(null=True, verbose_name='끝')),
                    ('cost_micro_usd', models.BigIntegerField(default=0, verbose_name='비용(µUSD)')),
                ],
                options={
                    'verbose_name': '인용 점검',
                    'verbose_name_plural': '인용 점검',
                    'ordering': ['-date'],
                },
            ), migrations.CreateModel(
                name='SwitchedOffModel',
                fields=[
                    ('model', models.CharField(max_length=80, primary_key=True, serialize=False, verbose_name='모델')),
                    ('at', models.DateTimeField(verbose_name='중지 일시')),
                    ('reason', models.CharField(max_length=200, verbose_name='사유')),
                ],
                options={
                    'verbose_name': '꺼진 모델',
                    'verbose_name_plural': '꺼진 모델',
                },
            ), migrations.CreateModel(
                name='SpendDay',
                fields=[
                    ('day', models.DateField(primary_key=True, serialize=False, verbose_name='날짜')),
                    ('answer', models.BigIntegerField(default=0, verbose_name='답변')),
                    ('renewal', models.BigIntegerField(default=0, verbose_name='답변 갱신')),
                    ('reflection', models.BigIntegerField(default=0, verbose_name='도시의 회고')),
                    ('audit', models.BigIntegerField(default=0, verbose_name='인용 점검')),
                ],
                options={
                    'verbose_name': '하루 지출',
                    'verbose_name_plural': '하루 지출',
                    'constraints': [models.CheckConstraint(condition=models.Q(('answer__gte', 0), ('audit__gte', 0), ('reflection__gte', 0), ('renewal__gte', 0)), name='spend_not_negative')],
                },
            ), migrations.CreateModel(
                name='Reservation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('purpose', models.CharField(choices=[('answer', '답변'), ('renewal', '답변 갱신'), ('reflection', '도시의 회고'), ('audit', '인용 점검')], max_length=12, verbose_name='목적')),
                    ('model', models.CharField(max_length=80, verbose_name='모델')),
                    ('amount', models.BigIntegerField(verbose_name='예약액(µUSD)')),
                    ('created_at', models.DateTimeField(verbose_name='예약 일시')),
                    ('expires_at', models.DateTimeField(verbose_name='기한')),
                    ('settled_at', models.DateTimeField(null=True, verbose_name='정산 일시')),
                    ('charged', models.BigIntegerField(null=True, verbose_name='청구액(µUSD)')),
                    ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='ask.spendday', verbose_name='날짜')),
                ],
                options={
                    'verbose_name': '예약',
                    'verbose_name_plural': '예약',
                    'indexes': [models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['expires_at'], name='reservation_open')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('purpose__in', ['answer', 'renewal', 'reflection', 'audit'])), name='reservation_purpose_known'), models.CheckConstraint(condition=models.Q(('amount__gte', 0)), name='reservation_not_negative'), models.CheckConstraint(condition=models.Q(models.Q(('charged__isnull', True), ('settled_at__isnull', True)), models.Q(('charged__gte', 0), ('settled_at__isnull', False)), _connector='OR'), name='reservation_settled_with_charge')],
                },
            ), migrations.CreateModel(
                name='AuditedQuery',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('question', models.CharField(max_length=300, verbose_name='질문')),
                    ('question_hash', models.CharField(max_length=32, verbose_name='질문 해시')),
                    ('repeats', models.PositiveSmallIntegerField(verbose_name='답을 받은 횟수')),
                    ('errors', models.PositiveSmallIntegerField(verbose_name='오류')),
                    ('retrieved_repeats', models.PositiveSmallIntegerField(verbose_name='검색 결과에 나온 횟수')),
                    ('cited_repeats', models.PositiveSmallIntegerField(verbose_name='인용된 횟수')),
                    ('cited', models.BooleanField(verbose_name='인용됨')),
                    ('urls', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=500), default=list, size=None, verbose_name='인용된 우리 주소')),
                    ('asked_at', models.DateTimeField(verbose_name='질문 일시')),
                    ('audit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queries', to='ask.citationaudit', verbose_name='점검')),
                ],
                options={
                    'verbose_name': '점검한 질문',
                    'verbose_name_plural': '점검한 질문',
                    'indexes': [models.Index(fields=['question_hash', '-asked_at'], name='audited_last')],
                    'constraints': [models.UniqueConstraint(fields=('audit', 'question_hash'), name='audited_once_a_run'), models.CheckConstraint(condition=models.Q(('cited_repeats__lte', models.F('repeats')), ('retrieved_repeats__lte', models.F('repeats'))), name='audited_within_repeats'), models.CheckConstraint(condition=models.Q(('cited', False), ('cited_repeats__gt', 0), _connector='OR'), name='audited_cited_somewhere')],
                },
            ), migrations.CreateModel(
                name='ModelCall',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('purpose', models.CharField(choices=[('answer', '답변'), ('renewal', '답변 갱신'), ('reflection', '도시의 회고'), ('audit', '인용 점검')], max_length=12, verbose_name='목적')),
                    ('model', models.CharField(max_length=80, verbose_name='모델')),
                    ('started_at', models.DateTimeField(verbose_name='시작')),
                    ('milliseconds', models.PositiveIntegerField(verbose_name='걸린 시간(ms)')),
                    ('outcome', models.CharField(choices=[('answered', '답함'), ('refused', '모델이 거절함'), ('rejected', '요청이 거부됨'), ('throttled', '한도나 과부하'), ('failed', '상대 서버의 오류'), ('timed_out', '시간 초과'), ('cut', '연결이 끊김'), ('unreached', '연결하지 못함'), ('unreadable', '읽을 수 없는 응답'), ('lost', '결과를 모름')], max_length=12, verbose_name='결과')),
                    ('status', models.PositiveSmallIntegerField(null=True, verbose_name='HTTP 상태')),
                    ('stop_reason', models.CharField(blank=True, max_length=40, verbose_name='중단 사유')),
                    ('message_id', models.CharField(blank=True, max_length=80, verbose_name='메시지 번호')),
                    ('input_tokens', models.BigIntegerField(default=0, verbose_name='입력 토큰')),
                    ('output_tokens', models.BigIntegerField(default=0, verbose_name='출력 토큰')),
                    ('web_searches', models.PositiveIntegerField(default=0, verbose_name='웹 검색')),
                    ('cost_micro_usd', models.BigIntegerField(default=0, verbose_name='비용(µUSD)')),
                    ('reservation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='ask.reservation', verbose_name='예약')),
                ],
                options={
                    'verbose_name': '모델 호출',
                    'verbose_name_plural': '모델 호출',
                    'indexes': [models.Index(models.OrderBy(models.F('started_at'), descending=True), name='call_newest')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('purpose__in', ['answer', 'renewal', 'reflection', 'audit'])), name='call_purpose_known'), models.CheckConstraint(condition=models.Q(('outcome__in', ['answered', 'refused', 'rejected', 'throttled', 'failed', 'timed_out', 'cut', 'unreached', 'unreadable', 'lost'])), name='call_outcome_known'), models.CheckConstraint(condition=models.Q(('cost_micro_usd__gte', 0), ('input_tokens__gte', 0), ('output_tokens__gte', 0)), name='call_figures_not_negative')],
                },
            ), migrations.CreateModel(
                name='Flight',
                fields=[
                    ('question_hash', models.CharField(max_length=32, primary_key=True, serialize=False, verbose_name='질문 해시')),
                    ('owner', models.UUIDField(verbose_name='작성 주체')),
                    ('lease_until', models.DateTimeField(verbose_name='기한')),
                ],
                options={
                    'verbose_name': '만드는 중인 답변',
                    'verbose_name_plural': '만드는 중인 답변',
                },
            ), migrations.CreateModel(
                name='HistoricalSeedQuestion',
                fields=[
                    ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                    ('text', models.CharField(max_length=300, verbose_name='질문')),
                    ('order', models.PositiveIntegerField(default=1000, verbose_name='순서')),
                    ('active', models.BooleanField(default=True, verbose_name='사용')),
                    ('history_change_reason', models.CharField(max_length=60, null=True)),
                    ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                    ('history_date', models.DateTimeField(db_index=True)),
                    ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                    ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': '시드 질문의 변경',
                    'verbose_name_plural': '시드 질문의 변경',
                    'ordering': ('-history_date', '-history_id'),
                    'get_latest_by': ('history_date', 'history_id'),
                },
                bases=(simple_history.models.HistoricalChanges, models.Model),
            )],
        ),
    ]
