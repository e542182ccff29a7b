"""The tables of the canon, as the 47 steps before make them (docs/decisions/0025)."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.lookups
import knowledge.models.countries
import pgtrigger.compiler
import pgtrigger.migrations
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from knowledge.postgres.tables import CreateTables

# What the linker is built from (decision 0008): no model, for nothing but triggers writes it.
STAMPS = """
CREATE TABLE knowledge_vocabulary_stamp (
    slot integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stamp uuid NOT NULL
);
"""

# What triggers, indexes and queries call, as it was with the last of these steps: `functions.sql` may say another thing
# tomorrow.
FUNCTIONS = """
-- The functions that several triggers, or queries, call. A migration carries a copy of each as it was then; a test sees
-- to it that the migrations arrive at what stands here. All but those of a text are VOLATILE plpgsql: under READ
-- COMMITTED each of their statements sees what other writers committed meanwhile.

-- ---- Notes of change ------------------------------------------------------------------------------------------------

-- Listeners forget what they made from a scope as soon as they hear its name; counts are shown half a minute late anyway.
CREATE OR REPLACE FUNCTION knowledge_note_change(scope text, counts_only boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_change (scope, counts_only) VALUES ($1, $2);
    PERFORM pg_notify('madang_change', CASE WHEN $2 THEN '' ELSE $1 END);
END $$;

CREATE OR REPLACE FUNCTION knowledge_unit_scope(type text) RETURNS text IMMUTABLE
LANGUAGE sql AS $$ SELECT CASE WHEN $1 IN ('topic', 'event') THEN $1 ELSE 'entity' END $$;

-- Something beside these units changed that is part of their records. A merged unit's aliases and memberships
-- speak for its survivor, so the survivor changed too. Rows are locked in key order, for two editors' sake; whoever held one
-- of them may have merged it meanwhile.
CREATE OR REPLACE FUNCTION knowledge_touch_units(touched bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
    locked bigint[];
BEGIN
    IF COALESCE(cardinality(touched), 0) = 0 THEN
        RETURN;
    END IF;
    LOOP
        SELECT array_agg(DISTINCT target) INTO ids
        FROM knowledge_unit u CROSS JOIN LATERAL (VALUES (u.id), (u.merged_into_id)) AS targets (target)
        WHERE u.id = ANY (touched) AND target IS NOT NULL;
        EXIT WHEN ids IS NOT DISTINCT FROM locked;
        PERFORM FROM knowledge_unit WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
        locked := ids;
    END LOOP;
    UPDATE knowledge_unit SET updated_at = now() WHERE id = ANY (ids) AND updated_at IS DISTINCT FROM now();
    PERFORM knowledge_note_change(scope) FROM (
        SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM knowledge_unit
        WHERE id = ANY (ids) AND status = 'published' AND merged_into_id IS NULL
    ) AS scopes;
END $$;

-- The assets whose kimchi premium is one of these series.
CREATE OR REPLACE FUNCTION knowledge_premium_assets(series bigint[]) RETURNS SETOF bigint STABLE
LANGUAGE sql AS $$
    SELECT DISTINCT asset.id
    FROM knowledge_seriesinput input
    JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)
    WHERE input.series_id = ANY ($1) AND input.key LIKE 'premium:%'
$$;

-- A unit is changed that the public sees, or will see: what it was before the transaction's first change is kept until the
-- commit tells what came of it. The first row of a transaction asks for that; a setting, which a rollback takes back with
-- the row, says that it was written. Nobody can look for it: a plan made for the empty table reads all of a full one.
CREATE OR REPLACE FUNCTION knowledge_unsettle(unit bigint, public_id text, was_public boolean, was_merged_into bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_unsettledunit (transaction, unit, public_id, was_public, was_merged_into, asks)
    VALUES (
        pg_current_xact_id()::text::bigint, $1, $2, $3, $4, COALESCE(current_setting('madang.unsettled', true), '') = ''
    )
    ON CONFLICT ON CONSTRAINT unsettled_unit_once DO NOTHING;
    PERFORM set_config('madang.unsettled', 'asked', true);
END $$;

-- ---- Names ----------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION knowledge_alias_recopy_type(units bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE knowledge_alias a SET unit_type = u.type
    FROM knowledge_unit u
    WHERE a.unit_id = ANY (units) AND u.id = a.unit_id AND a.unit_type <> u.type;
END $$;

-- The key is that of ``normalise_alias`` as far as Postgres can; a unit saved by the application gets the exact one.
CREATE OR REPLACE FUNCTION knowledge_label_rows(units bigint[]) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO knowledge_alias
        (unit_id, unit_type, surface, norm, is_label, lang, case_sensitive, ambiguous, blocked_contexts, active)
    SELECT id, type, label, left(translate(lower(normalize(label, NFKC)), ' ()·・‧-‐‒–—―−', ''), 200),
        true, '', false, false, '[]', true
    FROM knowledge_unit WHERE id = ANY (units) ORDER BY id
    ON CONFLICT (unit_id) WHERE is_label DO UPDATE SET surface = EXCLUDED.surface, norm = EXCLUDED.norm
$$;

-- Whoever changes an alias, or a unit's name or standing, writes a new stamp in the same transaction: it is seen when
-- the change is, and one that was rolled back never comes again. Each takes a row that nobody holds, so none waits.
CREATE OR REPLACE FUNCTION knowledge_vocabulary_changed() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE knowledge_vocabulary_stamp SET stamp = gen_random_uuid()
    WHERE slot = (SELECT slot FROM knowledge_vocabulary_stamp ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO knowledge_vocabulary_stamp (stamp) VALUES (gen_random_uuid());
    END IF;
END $$;

-- ---- Texts ----------------------------------------------------------------------------------------------------------

-- The linker's normal form as far as Postgres can. A function of an index calls none of ours: a restored dump has no
-- search_path. What it costs to call says that a plan had better not call it row by row.
CREATE OR REPLACE FUNCTION knowledge_squeezed(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT translate(lower(normalize($1, NFKC)), ' ()·・‧-‐‒–—―−', '') $$;

CREATE OR REPLACE FUNCTION knowledge_character_pairs(title text, summary text) RETURNS text[] IMMUTABLE PARALLEL SAFE COST 1000
LANGUAGE sql AS $$
    SELECT array_agg(one || two)
    FROM (SELECT string_to_array(translate(lower(normalize(title || ' ' || summary, NFKC)), ' ()·・‧-‐‒–—―−', ''), NULL) AS letters) AS squeezed,
         unnest(letters[:cardinality(letters) - 1], letters[2:]) AS pair (one, two)
$$;

-- ---- Pairs of documents and units -----------------------------------------------------------------------------------

-- The pairs that these documents have by their reasons. A withdrawn document speaks of nothing.
CREATE OR REPLACE FUNCTION knowledge_pairs_due(documents bigint[])
RETURNS TABLE (document_id bigint, unit_id bigint, published_at timestamptz, video boolean)
STABLE LANGUAGE sql AS $$
    SELECT reason.document_id, reason.unit_id, document.published_at, document.kind = 'video'
    FROM (
        SELECT mention.document_id, mention.unit_id FROM knowledge_mention mention
        WHERE mention.document_id = ANY ($1)
        UNION
        SELECT own.id, source.creator_id
        FROM knowledge_document own JOIN knowledge_source source ON source.id = own.source_id
        WHERE own.id = ANY ($1) AND source.creator_id IS NOT NULL
        UNION
        SELECT membership.document_id, cluster.event_id
        FROM knowledge_clusterdocument membership JOIN knowledge_eventcluster cluster ON cluster.id = membership.cluster_id
        WHERE membership.document_id = ANY ($1) AND cluster.event_id IS NOT NULL
    ) AS reason JOIN knowledge_document document ON document.id = reason.document_id
    WHERE NOT document.withdrawn
$$;

-- Bring the pairs of these documents in line with their reasons. Two transactions that change reasons of one document
-- would each miss what the other does; behind the lock the second one sees it. EXECUTE, for a plan that knows how many
-- documents there are.
CREATE OR REPLACE FUNCTION knowledge_pair(documents bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF COALESCE(cardinality(documents), 0) = 0 THEN
        RETURN;
    END IF;
    PERFORM FROM knowledge_document WHERE id = ANY (documents) ORDER BY id FOR NO KEY UPDATE;
    EXECUTE $query$
        WITH due AS MATERIALIZED (
            SELECT * FROM knowledge_pairs_due($1)
        ), gone AS (
            DELETE FROM knowledge_documentunit pair
            WHERE pair.document_id = ANY ($1) AND NOT EXISTS (
                SELECT FROM due WHERE due.document_id = pair.document_id AND due.unit_id = pair.unit_id
            )
        )
        INSERT INTO knowledge_documentunit AS pair (document_id, unit_id, published_at, video)
        SELECT document_id, unit_id, published_at, video FROM due
        EXCEPT
        SELECT document_id, unit_id, published_at, video FROM knowledge_documentunit WHERE document_id = ANY ($1)
        ON CONFLICT (document_id, unit_id)
        DO UPDATE SET published_at = EXCLUDED.published_at, video = EXCLUDED.video
    $query$ USING documents;
END $$;
"""


class Migration(migrations.Migration):

    replaces = [
        ("knowledge", "0001_initial"),
        ("knowledge", "0002_triggers"),
        ("knowledge", "0003_history"),
        ("knowledge", "0004_decisions_remembered"),
        ("knowledge", "0005_partly_failed_runs"),
        ("knowledge", "0006_one_key_for_one_name"),
        ("knowledge", "0007_mention_reviews"),
        ("knowledge", "0008_labels_are_aliases"),
        ("knowledge", "0009_pairs_of_documents"),
        ("knowledge", "0010_known_values"),
        ("knowledge", "0011_documents_of_units"),
        ("knowledge", "0012_indexes_that_others_begin_with"),
        ("knowledge", "0013_weeks_of_units"),
        ("knowledge", "0014_terms_of_documents"),
        ("knowledge", "0015_outbox"),
        ("knowledge", "0016_relinking"),
        ("knowledge", "0017_triggers_beside_models"),
        ("knowledge", "0018_merges_and_times_of_events"),
        ("knowledge", "0019_vocabulary_compared_as_sets"),
        ("knowledge", "0020_tables_without_names"),
        ("knowledge", "0021_personas_say_what_they_are"),
        ("knowledge", "0022_linked_by_a_version"),
        ("knowledge", "0023_series_of_the_canon"),
        ("knowledge", "0024_series_values"),
        ("knowledge", "0025_calendar_periods"),
        ("knowledge", "0026_sources_in_bulk"),
        ("knowledge", "0027_markets_in_won"),
        ("knowledge", "0028_verdicts_by_hour"),
        ("knowledge", "0029_names_of_series"),
        ("knowledge", "0030_held_values_without_second_index"),
        ("knowledge", "0031_changes_of_units"),
        ("knowledge", "0032_values_become_candidates"),
        ("knowledge", "0033_links_and_units_meet"),
        ("knowledge", "0034_names_in_english_and_premiums_shown"),
        ("knowledge", "0035_more_is_compared_of_documents"),
        ("knowledge", "0036_former_premiums"),
        ("knowledge", "0037_phrases_that_ask"),
        ("knowledge", "0038_meanings_of_documents"),
        ("knowledge", "0039_names_as_written"),
        ("knowledge", "0040_scopes_are_told"),
        ("knowledge", "0041_english_titles"),
        ("knowledge", "0042_plain_words"),
        ("knowledge", "0043_kinds_and_relations"),
        ("knowledge", "0044_kinds_of_the_canon"),
        ("knowledge", "0045_first_published"),
        ("knowledge", "0046_relation_history"),
        ("knowledge", "0047_detector_run"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),  # before, or each of its steps renders these models as well
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateTables(
            models=[migrations.CreateModel(
                name='Document',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('video', '영상'), ('news', '뉴스'), ('notice', '공지'), ('macro', '거시 지표'), ('price', '가격'), ('onchain', '온체인')], max_length=10, verbose_name='종류')),
                    ('external_id', models.CharField(max_length=300, verbose_name='원본 식별자')),
                    ('url', models.URLField(max_length=1000, verbose_name='원문')),
                    ('title', models.CharField(max_length=500, verbose_name='제목')),
                    ('summary', models.CharField(blank=True, max_length=300, verbose_name='요약')),
                    ('author', models.CharField(blank=True, max_length=200, verbose_name='글쓴이')),
                    ('lang', models.CharField(max_length=8, verbose_name='언어')),
                    ('published_at', models.DateTimeField(blank=True, null=True, verbose_name='발행')),
                    ('published_raw', models.CharField(blank=True, editable=False, max_length=80)),
                    ('source_updated_at', models.DateTimeField(blank=True, null=True, verbose_name='출처 수정 일시')),
                    ('fetched_at', models.DateTimeField(verbose_name='수집 일시')),
                    ('seen_only', models.BooleanField(default=False, editable=False, verbose_name='소급 수집')),
                    ('withdrawn', models.BooleanField(default=False, verbose_name='내림')),
                    ('content_sha256', models.CharField(editable=False, max_length=64)),
                    ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='knowledge.source')),
                    ('units', models.ManyToManyField(related_name='documents', through='knowledge.Mention', to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '문서',
                    'verbose_name_plural': '문서',
                    'indexes': [models.Index(models.OrderBy(models.F('published_at'), descending=True, nulls_last=True), name='document_newest'), models.Index(fields=['fetched_at'], name='document_fetched'), django.contrib.postgres.indexes.GinIndex(models.Func('title', 'summary', function='knowledge_character_pairs', output_field=django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)), name='document_pairs')],
                    'constraints': [models.UniqueConstraint(fields=('source', 'external_id'), name='document_identity'), models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='document_title_present'), models.CheckConstraint(condition=models.Q(('url__startswith', 'https://'), ('url__startswith', 'http://'), _connector='OR'), name='document_url_web'), models.CheckConstraint(condition=models.Q(('kind__in', ['video', 'news', 'notice', 'macro', 'price', 'onchain'])), name='document_kind_known')],
                    'triggers': [pgtrigger.compiler.Trigger(name='pair_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_pair(ARRAY(\n    SELECT n.id FROM new_rows n JOIN knowledge_source source ON source.id = n.source_id\n    WHERE source.creator_id IS NOT NULL\n));\nRETURN NULL;', hash='9a988a2a9e16a7feb4bab7f3ffbb0fe6a278d93c', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_inserted_22825', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_document', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func='DECLARE\n    changed bigint[];\nBEGIN\n    EXECUTE $query$\n        SELECT array_agg(n.id) FROM old_rows o JOIN new_rows n USING (id)\n        WHERE (o.source_id, o.kind, o.published_at, o.withdrawn)\n              IS DISTINCT FROM (n.source_id, n.kind, n.published_at, n.withdrawn)\n    $query$ INTO changed;\n    PERFORM knowledge_pair(changed);\nEND;\nRETURN NULL;', hash='979b1e1334bce11dbc9f254bfeecc667323fafd0', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_updated_87e56', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_document', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="EXECUTE 'DELETE FROM knowledge_documentunit pair USING old_rows o WHERE pair.document_id = o.id';\nRETURN NULL;", hash='b912629d250657170d666851ac1f29140613de3f', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_1fb0a', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_document', when='AFTER')), pgtrigger.compiler.Trigger(name='terms_text', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."summary" IS DISTINCT FROM (NEW."summary") OR OLD."title" IS DISTINCT FROM (NEW."title"))', func='DELETE FROM knowledge_documentterms WHERE document_id = NEW.id;\nRETURN NULL;', hash='70e3df9351897e2145f99597c031bd7f654fb0d3', operation='UPDATE OF "title", "summary"', pgid='pgtrigger_terms_text_a5e4d', table='knowledge_document', when='AFTER')), pgtrigger.compiler.Trigger(name='told_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := EXISTS (\n        SELECT id, source_id, kind, url, title, summary, author, lang, published_at, withdrawn FROM old_rows\n        EXCEPT\n        SELECT id, source_id, kind, url, title, summary, author, lang, published_at, withdrawn FROM new_rows\n    );\nBEGIN\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents');\n    END IF;\nEND;\nRETURN NULL;", hash='be479d5d34586ecfc9e01cf3701a8497f2c85f82', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_told_edited_d788d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_document', when='AFTER')), pgtrigger.compiler.Trigger(name='told_removed', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM pg_notify('madang_scope', 'documents') WHERE EXISTS (SELECT FROM old_rows);\nRETURN NULL;", hash='39d28c54d1be7ca1f88ae946cc02a98555d34a1c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_told_removed_34c24', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_document', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='EventUnit',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='event_units', to='knowledge.unit')),
                    ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='unit_events', to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '사건의 대상',
                    'verbose_name_plural': '사건의 대상',
                    'constraints': [models.UniqueConstraint(fields=('event', 'unit'), name='event_unit_unique'), models.CheckConstraint(condition=models.Q(('event', models.F('unit')), _negated=True), name='event_unit_not_itself')],
                    'triggers': [pgtrigger.compiler.Trigger(name='eventunit_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='1faef88da725e5abf25e1a5c0d47d88001ef975c', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_eventunit_truncated_0c6fc', table='knowledge_eventunit', when='BEFORE')), pgtrigger.compiler.Trigger(name='eventunit_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\n    linked bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);\n    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='c6958c81e80d7e1fc9aa9dfbffdf63b509991a37', level='STATEMENT', operation='INSERT', pgid='pgtrigger_eventunit_inserted_2fefc', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_eventunit', when='AFTER')), pgtrigger.compiler.Trigger(name='eventunit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\n    linked bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);\n    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='7385b1d305a12e529ce4b345cb002d9c8c4d1b8d', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_eventunit_updated_2584d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_eventunit', when='AFTER')), pgtrigger.compiler.Trigger(name='eventunit_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\n    linked bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);\n    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='2fe277b373d04ae3b28de6394719f3117f9251e4', level='STATEMENT', operation='DELETE', pgid='pgtrigger_eventunit_deleted_ea887', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_eventunit', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='Persona',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('glyph', models.CharField(max_length=8, verbose_name='글리프')),
                    ('voice', models.TextField(help_text='이 페르소나가 어떻게 쓰는지', verbose_name='말투')),
                    ('disclosure', models.CharField(max_length=200, verbose_name='고지')),
                    ('disclosure_en', models.CharField(max_length=200, verbose_name='고지(영어)')),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                    ('entity', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='persona', to='knowledge.entity', verbose_name='크리에이터')),
                ],
                options={
                    'verbose_name': '페르소나',
                    'verbose_name_plural': '페르소나',
                    'constraints': [models.UniqueConstraint(fields=('glyph',), name='persona_glyph_unique'), models.CheckConstraint(condition=models.Q(('glyph__regex', '\\S')), name='persona_glyph_present'), models.CheckConstraint(condition=models.Q(('disclosure__regex', '\\S'), ('disclosure_en__regex', '\\S')), name='persona_disclosure_present', violation_error_message='AI 페르소나라는 고지가 없으면 저장할 수 없습니다.')],
                    'triggers': [pgtrigger.compiler.Trigger(name='persona_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    entities bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        entities := ARRAY(SELECT entity_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        entities := ARRAY(SELECT entity_id FROM old_rows);\n    ELSE\n        entities := ARRAY(\n            SELECT DISTINCT entity\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)\n            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)\n                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(entities);\nEND;\nRETURN NULL;", hash='4870966702514234bd11392fe9d86ec9d9becdff', level='STATEMENT', operation='INSERT', pgid='pgtrigger_persona_inserted_dbd9e', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_persona', when='AFTER')), pgtrigger.compiler.Trigger(name='persona_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    entities bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        entities := ARRAY(SELECT entity_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        entities := ARRAY(SELECT entity_id FROM old_rows);\n    ELSE\n        entities := ARRAY(\n            SELECT DISTINCT entity\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)\n            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)\n                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(entities);\nEND;\nRETURN NULL;", hash='9d2ae08a5fe3783217a56e84a0e0617c0bbefcf2', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_persona_updated_50743', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_persona', when='AFTER')), pgtrigger.compiler.Trigger(name='persona_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    entities bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        entities := ARRAY(SELECT entity_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        entities := ARRAY(SELECT entity_id FROM old_rows);\n    ELSE\n        entities := ARRAY(\n            SELECT DISTINCT entity\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)\n            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)\n                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(entities);\nEND;\nRETURN NULL;", hash='5339147135fc7c3aba3feab0a9b4975e68419ec6', level='STATEMENT', operation='DELETE', pgid='pgtrigger_persona_deleted_437e0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_persona', when='AFTER')), pgtrigger.compiler.Trigger(name='persona_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='ff1da47d746412d585ab4c81d2ba2c3a7ad21dc8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_persona_truncated_acafa', table='knowledge_persona', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='Publication',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=40, unique=True)),
                    ('version', models.BigIntegerField()),
                    ('records_sha256', models.CharField(max_length=64)),
                    ('etag', models.CharField(max_length=64)),
                    ('content_type', models.CharField(max_length=80)),
                    ('count', models.PositiveIntegerField()),
                    ('built_at', models.DateTimeField()),
                    ('last_modified', models.DateTimeField()),
                    ('body', models.BinaryField()),
                    ('gz', models.BinaryField()),
                    ('br', models.BinaryField()),
                ],
            ), migrations.CreateModel(
                name='Source',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.SlugField(max_length=80, unique=True, verbose_name='슬러그')),
                    ('name', models.CharField(max_length=120, verbose_name='이름')),
                    ('kind', models.CharField(choices=[('video', '영상'), ('news', '뉴스'), ('notice', '공지'), ('macro', '거시 지표'), ('price', '가격'), ('onchain', '온체인')], max_length=10, verbose_name='종류')),
                    ('adapter', models.CharField(max_length=40, verbose_name='어댑터')),
                    ('url', models.URLField(max_length=500, verbose_name='주소')),
                    ('homepage', models.URLField(blank=True, max_length=500, verbose_name='홈페이지')),
                    ('lang', models.CharField(default='ko', max_length=8, verbose_name='언어')),
                    ('naive_timezone', models.CharField(blank=True, help_text="비어 있으면 시간대 없는 시각은 '모름'으로 둡니다.", max_length=40, verbose_name='시간대 없는 시각의 시간대')),
                    ('settings', models.JSONField(blank=True, default=dict, verbose_name='어댑터 설정')),
                    ('key_setting', models.CharField(blank=True, max_length=40, verbose_name='필요한 API 키')),
                    ('crypto', models.BooleanField(default=False, help_text='채널 자체가 모호한 별칭의 단서가 됩니다.', verbose_name='크립토 채널')),
                    ('primary', models.BooleanField(default=False, help_text='규제 기관이나 거래소 공지', verbose_name='1차 출처')),
                    ('requires_unit', models.BooleanField(default=False, help_text='종합지: 항목을 언급한 기사만 남깁니다.', verbose_name='항목 언급 필수')),
                    ('enabled', models.BooleanField(default=True, verbose_name='켬')),
                    ('interval_minutes', models.PositiveIntegerField(default=15, verbose_name='주기(분)')),
                    ('next_fetch_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='다음 수집')),
                    ('first_success_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='첫 성공')),
                    ('last_success_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='마지막 성공')),
                    ('consecutive_failures', models.PositiveIntegerField(default=0, editable=False, verbose_name='연속 실패')),
                    ('last_cause', models.CharField(blank=True, choices=[('', '없음'), ('timeout', '시간 초과'), ('dns', '이름 풀이 실패'), ('tls', 'TLS 오류'), ('refused', '연결 거부'), ('status', '오류 상태 코드'), ('too_large', '너무 큼'), ('parse', '해석 불가'), ('empty', '빈 응답'), ('forbidden_address', '금지된 주소'), ('internal', '내부 오류')], editable=False, max_length=20, verbose_name='마지막 원인')),
                    ('needs_key', models.BooleanField(default=False, editable=False, verbose_name='API 키 대기')),
                    ('etag', models.CharField(blank=True, editable=False, max_length=300)),
                    ('last_modified', models.CharField(blank=True, editable=False, max_length=300)),
                    ('body_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                    ('creator', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sources', to='knowledge.unit', verbose_name='크리에이터')),
                    ('in_bulk', models.BooleanField(db_default=True, default=True, help_text='매체가 제목 목록의 제공에 반대하면 끕니다. 페이지와 검색에는 그대로 나옵니다.', verbose_name='벌크 파일에 포함')),
                    ('name_en', models.CharField(blank=True, db_default='', default='', help_text='비우면 한국어와 같음', max_length=120, verbose_name='이름(영어)')),
                ],
                options={
                    'verbose_name': '출처',
                    'verbose_name_plural': '출처',
                    'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['video', 'news', 'notice', 'macro', 'price', 'onchain'])), name='source_kind_known'), models.CheckConstraint(condition=models.Q(('interval_minutes__gte', 1)), name='source_interval_positive')],
                    'triggers': [pgtrigger.compiler.Trigger(name='pair_creator', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."creator_id" IS DISTINCT FROM (NEW."creator_id"))', func='PERFORM knowledge_pair(ARRAY(SELECT id FROM knowledge_document WHERE source_id = NEW.id));\nRETURN NULL;', hash='48e8cd91289a636f0feb8cf557df0f0ca2b79730', operation='UPDATE OF "creator_id"', pgid='pgtrigger_pair_creator_c5255', table='knowledge_source', when='AFTER')), pgtrigger.compiler.Trigger(name='source_renamed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."homepage" IS DISTINCT FROM (NEW."homepage") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."name_en" IS DISTINCT FROM (NEW."name_en") OR OLD."url" IS DISTINCT FROM (NEW."url"))', func="PERFORM pg_notify('madang_scope', scope) FROM unnest(ARRAY['documents', 'series']) AS scope;\nRETURN NULL;", hash='59673780623d65aeb7f96423b30a5dde44760ebb', operation='UPDATE OF "name", "name_en", "homepage", "url"', pgid='pgtrigger_source_renamed_26977', table='knowledge_source', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='ClusterDocument',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('score', models.FloatField(default=0.0, verbose_name='닮음')),
                    ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='membership', to='knowledge.document')),
                    ('cluster', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='knowledge.eventcluster')),
                ],
                options={
                    'verbose_name': '후보의 문서',
                    'verbose_name_plural': '후보의 문서',
                    'triggers': [pgtrigger.compiler.Trigger(name='pair_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_pair(ARRAY(\n    SELECT n.document_id FROM new_rows n JOIN knowledge_eventcluster cluster ON cluster.id = n.cluster_id\n    WHERE cluster.event_id IS NOT NULL\n));\nRETURN NULL;', hash='05046fed174d7c940993146b5c47c7aa1fb5ccab', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_inserted_e80d5', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_clusterdocument', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='cf9492d2afbf72a4895c38fd8787c3f383c49540', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_updated_9fcb7', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_clusterdocument', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='4b920466ebc3f80370f45a3b80a9abaa9e7adfcf', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_53b23', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_clusterdocument', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='EventCluster',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('status', models.CharField(choices=[('gathering', '모으는 중'), ('open', '후보'), ('published', '공개'), ('rejected', '기각'), ('expired', '만료')], default='gathering', max_length=10, verbose_name='상태')),
                    ('label', models.CharField(max_length=500, verbose_name='첫 제목')),
                    ('first_document_at', models.DateTimeField(verbose_name='첫 문서')),
                    ('last_document_at', models.DateTimeField(verbose_name='마지막 문서')),
                    ('reason', models.CharField(blank=True, max_length=300, verbose_name='기각 이유')),
                    ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='결정')),
                    ('event', models.ForeignKey(blank=True, limit_choices_to={'merged_into': None, 'status': 'published', 'type': 'event'}, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='clusters', to='knowledge.unit', verbose_name='사건')),
                    ('own_event', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='knowledge.unit')),
                    ('documents', models.ManyToManyField(related_name='clusters', through='knowledge.ClusterDocument', to='knowledge.document')),
                ],
                options={
                    'verbose_name': '사건 후보',
                    'verbose_name_plural': '사건 후보',
                    'indexes': [models.Index(fields=['status', '-last_document_at'], name='cluster_queue')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['gathering', 'open', 'published', 'rejected', 'expired'])), name='cluster_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('event__isnull', False), ('status', 'published')), models.Q(models.Q(('status', 'published'), _negated=True), ('event__isnull', True)), _connector='OR'), name='cluster_event_when_published'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'rejected'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='cluster_rejected_with_reason')],
                    'triggers': [pgtrigger.compiler.Trigger(name='pair_event', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."event_id" IS DISTINCT FROM (NEW."event_id"))', func='PERFORM knowledge_pair(ARRAY(SELECT document_id FROM knowledge_clusterdocument WHERE cluster_id = NEW.id));\nRETURN NULL;', hash='c2c0ab1cb38e31f98870803e0587c6db663af217', operation='UPDATE OF "event_id"', pgid='pgtrigger_pair_event_532af', table='knowledge_eventcluster', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='PersonaPost',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.SlugField(max_length=80, verbose_name='슬러그')),
                    ('body', models.TextField(verbose_name='본문')),
                    ('status', models.CharField(choices=[('draft', '초안'), ('published', '공개'), ('retracted', '철회')], default='draft', max_length=10, verbose_name='상태')),
                    ('published_at', models.DateTimeField(verbose_name='발행')),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                    ('persona', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='knowledge.persona', verbose_name='페르소나')),
                    ('public_since', models.DateTimeField(editable=False, null=True, verbose_name='최초 공개 일시')),
                    ('units', models.ManyToManyField(blank=True, related_name='persona_posts', to='knowledge.unit', verbose_name='다루는 항목')),
                ],
                options={
                    'verbose_name': '페르소나 글',
                    'verbose_name_plural': '페르소나 글',
                    'indexes': [models.Index(fields=['-published_at'], name='persona_post_newest')],
                    'constraints': [models.UniqueConstraint(fields=('persona', 'slug'), name='persona_post_slug_unique'), models.CheckConstraint(condition=models.Q(('body', ''), _negated=True), name='persona_post_body_present'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'published', 'retracted'])), name='persona_post_status_known')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='4db142d80055e82c0e4dffbf6a4964510f7f4bec', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_04fdb', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_personapost', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='7551729974f92ef4e75434176806325ea4a6a6da', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_ae05c', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_personapost', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='98881dcc7e8087aa2fc827245287458cb9a2763e', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_b6a5a', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_personapost', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='c0c9f852ddd4e60b3cbfad53b15abd46f2707f53', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_0cf79', table='knowledge_personapost', when='BEFORE')), pgtrigger.compiler.Trigger(name='post_public_since', sql=pgtrigger.compiler.UpsertTriggerSql(func="NEW.public_since := COALESCE(OLD.public_since, NEW.public_since, CASE WHEN NEW.status = 'published' THEN now() END);\nRETURN NEW;", hash='e0114a5accc79fad11fc6c3e74968cec02e4359b', operation='INSERT OR UPDATE OF "status", "public_since"', pgid='pgtrigger_post_public_since_7d5b2', table='knowledge_personapost', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='SearchCorpus',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('passages', models.BigIntegerField(default=0, verbose_name='단락 수')),
                    ('total_length', models.BigIntegerField(default=0, verbose_name='길이의 합')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='search_corpus_single_row'), models.CheckConstraint(condition=models.Q(('passages__gte', 0), ('total_length__gte', 0)), name='search_corpus_not_negative')],
                },
            ), migrations.CreateModel(
                name='SearchTerm',
                fields=[
                    ('term', models.CharField(max_length=200, primary_key=True, serialize=False, verbose_name='어휘')),
                    ('df', models.IntegerField(verbose_name='단락 수')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('df__gte', 0)), name='search_term_df_not_negative')],
                },
            ), migrations.CreateModel(
                name='Unit',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('type', models.CharField(choices=[('asset', '자산'), ('creator', '크리에이터'), ('company', '기업'), ('organisation', '기관'), ('person', '인물'), ('product', '제품'), ('topic', '주제'), ('event', '사건')], max_length=16, verbose_name='종류')),
                    ('prefix', models.GeneratedField(db_persist=True, expression=models.Case(models.When(then=models.F('type'), type__in=['asset', 'creator', 'topic', 'event']), default=models.Value('entity')), output_field=models.CharField(max_length=16))),
                    ('slug', models.SlugField(help_text='공개 주소의 일부이며 바뀌지 않습니다.', max_length=96, verbose_name='슬러그')),
                    ('label', models.CharField(max_length=200, verbose_name='이름')),
                    ('summary', models.TextField(blank=True, verbose_name='요약')),
                    ('summary_en', models.TextField(blank=True, verbose_name='요약(영어)')),
                    ('status', models.CharField(choices=[('draft', '초안'), ('published', '공개'), ('retracted', '철회')], default='draft', max_length=10, verbose_name='상태')),
                    ('symbol', models.CharField(blank=True, max_length=24, verbose_name='심볼')),
                    ('website', models.URLField(blank=True, verbose_name='공식 사이트')),
                    ('occurred_at', models.DateTimeField(blank=True, null=True, verbose_name='발생 일시')),
                    ('document_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='문서 수')),
                    ('video_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='영상 수')),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='생성 일시')),
                    ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='공개 내용 변경 일시')),
                    ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_units', to='knowledge.unit', verbose_name='병합된 곳')),
                    ('asked_as', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(blank=True, max_length=200), blank=True, db_default=models.Value([], output_field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), size=None)), default=list, help_text='사람들이 물을 때 쓰는 말, 한 줄에 하나. 질문과 검색만 읽고 문서 연결과 공개 별칭에는 쓰지 않습니다.', size=None, verbose_name='질문 표현')),
                    ('label_en', models.CharField(blank=True, db_default='', default='', help_text='영어 페이지의 제목. 비우면 한국어 이름이 나오고 그 페이지는 검색 엔진에 올리지 않습니다.', max_length=200, verbose_name='이름(영어)')),
                    ('category', models.CharField(blank=True, choices=[('exchange', '가상자산 거래소'), ('stock_exchange', '증권거래소'), ('issuer', '스테이블코인 발행사'), ('wallet', '지갑'), ('custodian', '수탁사'), ('bank', '은행'), ('fund', '자산운용·투자사'), ('fintech', '핀테크·금융 서비스'), ('treasury', '가상자산 비축 기업'), ('developer', '블록체인 개발'), ('data', '데이터·분석'), ('media', '언론·미디어'), ('company', '일반 기업'), ('regulator', '금융 감독기관'), ('central_bank', '중앙은행'), ('government', '정부·공공기관'), ('international', '국제기구'), ('association', '협회·협의체'), ('foundation', '재단'), ('hacker', '해킹 조직'), ('founder', '창업자'), ('executive', '경영자'), ('official', '공직자·정치인'), ('investor', '투자자·분석가'), ('chain', '블록체인'), ('layer2', '레이어 2'), ('stablecoin', '스테이블코인'), ('memecoin', '밈코인'), ('defi', '탈중앙화 금융'), ('exchange_token', '거래소 토큰'), ('backed_token', '실물 담보 토큰'), ('infrastructure', '인프라'), ('gaming', '게임·메타버스·NFT'), ('service', '서비스 토큰'), ('channel', '채널'), ('persona', 'AI 페르소나')], db_default='', default='', max_length=16, verbose_name='분류')),
                    ('country', models.CharField(blank=True, choices=knowledge.models.countries.country_choices, db_default='', default='', help_text='단체는 근거지, 인물은 국적, 자산은 개발한 곳. 분명하지 않으면 비웁니다.', max_length=2, verbose_name='나라')),
                    ('public_since', models.DateTimeField(editable=False, null=True, verbose_name='최초 공개 일시')),
                    ('related_units', models.ManyToManyField(related_name='+', through='knowledge.EventUnit', through_fields=('event', 'unit'), to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '항목',
                    'verbose_name_plural': '항목',
                    'indexes': [models.Index(fields=['type', 'status'], name='unit_type_status'), models.Index(condition=models.Q(('occurred_at__isnull', False)), fields=['-occurred_at'], name='unit_occurred_at'), models.Index(condition=models.Q(('category', ''), _negated=True), fields=['category', 'country'], name='unit_category')],
                    'constraints': [models.UniqueConstraint(fields=('prefix', 'slug'), name='unit_prefix_slug_unique'), models.CheckConstraint(condition=models.Q(('type__in', ['asset', 'creator', 'company', 'organisation', 'person', 'product', 'topic', 'event'])), name='unit_type_known'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'published', 'retracted'])), name='unit_status_known'), models.CheckConstraint(condition=models.Q(('label', ''), _negated=True), name='unit_label_present'), models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='unit_not_merged_into_itself'), models.CheckConstraint(condition=models.Q(('slug__regex', '^[a-z0-9][a-z0-9-]*$')), name='unit_slug_lowercase'), models.CheckConstraint(condition=models.Q(('occurred_at__isnull', True), ('type', 'event'), _connector='OR'), name='unit_only_events_occur'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'published'), ('type', 'event'), _negated=True), ('occurred_at__isnull', False), _connector='OR'), name='unit_published_event_has_time'), models.CheckConstraint(condition=models.Q(('category', ''), models.Q(('category__in', ['exchange', 'stock_exchange', 'issuer', 'wallet', 'custodian', 'bank', 'fund', 'fintech', 'treasury', 'developer', 'data', 'media', 'company', 'regulator', 'central_bank', 'government', 'international', 'association', 'foundation', 'hacker', 'founder', 'executive', 'official', 'investor', 'chain', 'layer2', 'stablecoin', 'memecoin', 'defi', 'exchange_token', 'backed_token', 'infrastructure', 'gaming', 'service', 'channel', 'persona']), ('type__in', ('asset', 'creator', 'company', 'organisation', 'person', 'product'))), _connector='OR'), name='unit_category_known'), models.CheckConstraint(condition=models.Q(('country', ''), models.Q(('country__regex', '^[A-Z]{2}$'), ('type__in', ('asset', 'creator', 'company', 'organisation', 'person', 'product'))), _connector='OR'), name='unit_country_of_entity')],
                    'permissions': [('publish_unit', '항목을 공개하고 철회'), ('merge_unit', '항목을 병합하고 나누고 되돌리기'), ('decide_candidate', '사건 후보를 결정'), ('import_unit', '항목과 별칭 들여오기'), ('export_unit', '항목과 별칭 내보내기'), ('run_source', '출처를 지금 수집')],
                    'triggers': [pgtrigger.compiler.Trigger(name='unit_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM (\n    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM new_rows\n    WHERE status = 'published' AND merged_into_id IS NULL\n) AS scopes;\nPERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM new_rows WHERE merged_into_id IS NOT NULL));\nRETURN NULL;", hash='d97e1cd120377d65a0eaa969651c7eda3e3d9a30', level='STATEMENT', operation='INSERT', pgid='pgtrigger_unit_inserted_dbdcb', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_lends_names', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.merged_into_id IS NOT NULL AND OLD.status IS DISTINCT FROM NEW.status)', func='PERFORM knowledge_touch_units(ARRAY[NEW.merged_into_id]);\nRETURN NULL;', hash='cffed4fb1e4dc03c99096790d16bd20bcc52432a', operation='UPDATE OF "status"', pgid='pgtrigger_unit_lends_names_6c505', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='family_changed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."merged_into_id" IS DISTINCT FROM (NEW."merged_into_id"))', func="INSERT INTO knowledge_documentunitchange (unit_id, step, video)\nSELECT unit, 0, false FROM unnest(ARRAY[OLD.id, OLD.merged_into_id]) AS unit WHERE unit IS NOT NULL;\nIF TG_OP = 'UPDATE' AND NEW.merged_into_id IS NOT NULL THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, step, video) VALUES (NEW.merged_into_id, 0, false);\nEND IF;\nRETURN NULL;", hash='6452ac0f70dcda2ce10f10776da7d31f18fec409', operation='UPDATE OF "merged_into_id"', pgid='pgtrigger_family_changed_8c52c', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='family_left', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.merged_into_id IS NOT NULL)', func="INSERT INTO knowledge_documentunitchange (unit_id, step, video)\nSELECT unit, 0, false FROM unnest(ARRAY[OLD.id, OLD.merged_into_id]) AS unit WHERE unit IS NOT NULL;\nIF TG_OP = 'UPDATE' AND NEW.merged_into_id IS NOT NULL THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, step, video) VALUES (NEW.merged_into_id, 0, false);\nEND IF;\nRETURN NULL;", hash='f3bb63b8b3510692a85ae1372724bdf4f474cccf', operation='DELETE', pgid='pgtrigger_family_left_506fc', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="EXECUTE 'DELETE FROM knowledge_documentunit pair USING old_rows o WHERE pair.unit_id = o.id';\nRETURN NULL;", hash='0c0086120a3429605a40a00ba8e10b248e993e2c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_b7cc9', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='label_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_label_rows(ARRAY(SELECT id FROM new_rows));\nRETURN NULL;', hash='7a1379eaf71a26bc71198f58b90f56a8795a5c84', level='STATEMENT', operation='INSERT', pgid='pgtrigger_label_insert_9b24c', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='label_rename', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."label" IS DISTINCT FROM (NEW."label"))', func='PERFORM knowledge_label_rows(ARRAY[NEW.id]);\nRETURN NULL;', hash='1331995b4ab2d3c1743c0841dd1aa2ddb13d2c50', operation='UPDATE OF "label"', pgid='pgtrigger_label_rename_33a06', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='label_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='DELETE FROM knowledge_alias WHERE is_label AND unit_id IN (SELECT id FROM old_rows);\nRETURN NULL;', hash='0ba57b01e9cef97d445a7fbe6749ac8d76b4c56a', level='STATEMENT', operation='DELETE', pgid='pgtrigger_label_delete_2b1d0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='vocabulary_unit', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_vocabulary_changed();\nRETURN NULL;', hash='70b5072af5844f6dbb5cad464218fdd0be1a9a5b', level='STATEMENT', operation='INSERT OR DELETE OR TRUNCATE', pgid='pgtrigger_vocabulary_unit_da4fc', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_redirects_one_hop', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.merged_into_id IS NOT NULL)', constraint='CONSTRAINT', func="DECLARE\n    target bigint;\n    own_prefix text;\nBEGIN\n    SELECT merged_into_id, prefix INTO target, own_prefix FROM knowledge_unit WHERE id = NEW.id;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'units of another prefix are merged into unit %', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF target IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which has another prefix', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN\n        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\nEND;\nRETURN NULL;", hash='3c95a1a0b2b3be1d5943b9ac8de762e98ea95971', operation='INSERT OR UPDATE OF "merged_into_id"', pgid='pgtrigger_unit_redirects_one_hop_0b4ce', table='knowledge_unit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_retyped', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."type" IS DISTINCT FROM (NEW."type"))', constraint='CONSTRAINT', func="DECLARE\n    target bigint;\n    own_prefix text;\nBEGIN\n    SELECT merged_into_id, prefix INTO target, own_prefix FROM knowledge_unit WHERE id = NEW.id;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'units of another prefix are merged into unit %', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF target IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which has another prefix', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN\n        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\nEND;\nRETURN NULL;", hash='88be30b620e1a55ba5559b588235e3ffc4518377', operation='UPDATE OF "type"', pgid='pgtrigger_unit_retyped_96270', table='knowledge_unit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM (\n    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM old_rows\n    WHERE status = 'published' AND merged_into_id IS NULL\n) AS scopes;\nPERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM old_rows WHERE merged_into_id IS NOT NULL));\nPERFORM knowledge_touch_units(ARRAY(\n    SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN old_rows o ON o.id = link.unit_id\n));\nRETURN NULL;", hash='1cb1863c9c4abfc8ff0e32ba61ca326ad9545dac', level='STATEMENT', operation='DELETE', pgid='pgtrigger_unit_deleted_be3b0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='cafd24067c0d6b1fcc8c2cd8702ea886b650ee12', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_unit_truncated_7d127', table='knowledge_unit', when='BEFORE')), pgtrigger.compiler.Trigger(name='unit_appears', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (NEW.status = 'published')", func="PERFORM knowledge_unsettle(NEW.id, NEW.prefix || ':' || NEW.slug, false, NULL);\nRETURN NULL;", hash='43161ab7f579e220902a61c1a8f1b713c45e98a8', operation='INSERT', pgid='pgtrigger_unit_appears_4281b', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_unsettled', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN ('published' IN (OLD.status, NEW.status) AND (OLD.updated_at, OLD.status, OLD.merged_into_id, OLD.prefix, OLD.slug) IS DISTINCT FROM (NEW.updated_at, NEW.status, NEW.merged_into_id, NEW.prefix, NEW.slug))", func="PERFORM knowledge_unsettle(\n    OLD.id, OLD.prefix || ':' || OLD.slug, OLD.status = 'published' AND OLD.merged_into_id IS NULL,\n    CASE WHEN OLD.status = 'published' THEN OLD.merged_into_id END\n);\nRETURN NULL;", hash='ab7880f4490a8cc517d84e5d20350ec44bed3558', operation='UPDATE', pgid='pgtrigger_unit_unsettled_91bee', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_leaves', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (OLD.status = 'published')", func="PERFORM knowledge_unsettle(\n    OLD.id, OLD.prefix || ':' || OLD.slug, OLD.status = 'published' AND OLD.merged_into_id IS NULL,\n    CASE WHEN OLD.status = 'published' THEN OLD.merged_into_id END\n);\nRETURN NULL;", hash='7172f9c9dd291170b47eabc1b9d8520d386a8724', operation='DELETE', pgid='pgtrigger_unit_leaves_0a6ef', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='vocabulary_unit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func='BEGIN\n    IF EXISTS (\n        SELECT id, type, slug, label, symbol, asked_as, status, merged_into_id FROM new_rows\n        EXCEPT\n        SELECT id, type, slug, label, symbol, asked_as, status, merged_into_id FROM old_rows\n    ) THEN\n        PERFORM knowledge_vocabulary_changed();\n    END IF;\nEND;\nRETURN NULL;', hash='13702fc319e2ea17e465387a0b09ff2041fc5aaa', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_vocabulary_unit_updated_b68dd', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_own_updated_at', sql=pgtrigger.compiler.UpsertTriggerSql(func='IF (NEW.type, NEW.slug, NEW.label, NEW.label_en, NEW.summary, NEW.summary_en, NEW.status, NEW.merged_into_id,\n    NEW.symbol, NEW.website, NEW.occurred_at, NEW.category, NEW.country)\n   IS DISTINCT FROM\n   (OLD.type, OLD.slug, OLD.label, OLD.label_en, OLD.summary, OLD.summary_en, OLD.status, OLD.merged_into_id,\n    OLD.symbol, OLD.website, OLD.occurred_at, OLD.category, OLD.country)\nTHEN\n    NEW.updated_at := now();\nELSIF pg_trigger_depth() = 1 THEN\n    NEW.updated_at := OLD.updated_at;\nEND IF;\nRETURN NEW;', hash='942da483c24acf90f150b4ffb14d301ed52db1f1', operation='UPDATE', pgid='pgtrigger_unit_own_updated_at_673fc', table='knowledge_unit', when='BEFORE')), pgtrigger.compiler.Trigger(name='unit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    edited_scopes text[];\n    counted_scopes text[];\n    survivors bigint[];\n    reappeared bigint[];\n    retyped bigint[];\nBEGIN\n    EXECUTE $query$\n        WITH pairs AS (\n            SELECT n.id, o.type AS old_type, n.type AS new_type,\n                o.merged_into_id AS old_survivor, n.merged_into_id AS new_survivor,\n                o.status = 'published' AND o.merged_into_id IS NULL\n                    OR n.status = 'published' AND n.merged_into_id IS NULL AS shown,\n                (o.type, o.slug, o.label, o.label_en, o.summary, o.summary_en, o.status, o.merged_into_id,\n                 o.symbol, o.website, o.occurred_at, o.category, o.country)\n                    IS DISTINCT FROM\n                (n.type, n.slug, n.label, n.label_en, n.summary, n.summary_en, n.status, n.merged_into_id,\n                 n.symbol, n.website, n.occurred_at, n.category, n.country) AS edited,\n                (o.document_count, o.video_count) IS DISTINCT FROM (n.document_count, n.video_count) AS counted,\n                (o.label, o.merged_into_id) IS DISTINCT FROM (n.label, n.merged_into_id) AS renamed,\n                (o.type, o.slug, o.status, o.merged_into_id)\n                    IS DISTINCT FROM\n                (n.type, n.slug, n.status, n.merged_into_id) AS reappeared\n            FROM old_rows o JOIN new_rows n USING (id)\n        )\n        SELECT\n            array_agg(DISTINCT knowledge_unit_scope(old_type)) FILTER (WHERE shown AND edited)\n                || array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND edited),\n            array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND counted AND NOT edited),\n            array_agg(DISTINCT old_survivor) FILTER (WHERE renamed AND old_survivor IS NOT NULL)\n                || array_agg(DISTINCT new_survivor) FILTER (WHERE renamed AND new_survivor IS NOT NULL),\n            array_agg(id) FILTER (WHERE reappeared),\n            array_agg(id) FILTER (WHERE old_type <> new_type)\n        FROM pairs\n    $query$ INTO edited_scopes, counted_scopes, survivors, reappeared, retyped;\n\n    PERFORM knowledge_note_change(scope) FROM (SELECT DISTINCT unnest(edited_scopes)) AS scopes (scope);\n    PERFORM knowledge_note_change(scope, true)\n    FROM (SELECT unnest(counted_scopes) EXCEPT SELECT unnest(edited_scopes)) AS scopes (scope);\n    PERFORM knowledge_touch_units(survivors);\n    IF reappeared IS NOT NULL THEN\n        PERFORM knowledge_touch_units(ARRAY(\n            SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN knowledge_unit u ON u.id = link.unit_id\n            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)\n        ));\n        PERFORM knowledge_touch_units(ARRAY(\n            SELECT unnest(ARRAY[relation.subject_id, relation.object_id]) FROM knowledge_relation relation\n            JOIN knowledge_unit u ON u.id IN (relation.subject_id, relation.object_id)\n            WHERE NOT relation.withdrawn AND (u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared))\n        ));\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT series.id FROM knowledge_series series JOIN knowledge_unit u ON u.id = series.holder_id\n            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)\n        ))));\n    END IF;\n    IF retyped IS NOT NULL THEN\n        PERFORM knowledge_alias_recopy_type(retyped);\n    END IF;\nEND;\nRETURN NULL;", hash='eb86405bb57ad3dc0b53e352e3c8077f8e05de3f', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_unit_updated_4f0cf', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')), pgtrigger.compiler.Trigger(name='unit_public_since', sql=pgtrigger.compiler.UpsertTriggerSql(func="NEW.public_since := COALESCE(OLD.public_since, NEW.public_since, CASE WHEN NEW.status = 'published' THEN now() END);\nRETURN NEW;", hash='b36c81a839ecf8e48a62ab7ea9a31a1e6ee613a8', operation='INSERT OR UPDATE OF "status", "public_since"', pgid='pgtrigger_unit_public_since_47c34', table='knowledge_unit', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='SearchPassage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('entity', '인물·기관'), ('topic', '주제'), ('event', '사건'), ('video', '영상'), ('news', '뉴스'), ('notice', '공지'), ('post', '페르소나 글')], max_length=8, verbose_name='종류')),
                    ('ordinal', models.PositiveSmallIntegerField(default=0, verbose_name='순번')),
                    ('lang', models.CharField(default='ko', max_length=8, verbose_name='언어')),
                    ('title', models.CharField(max_length=500, verbose_name='제목')),
                    ('text', models.TextField(blank=True, verbose_name='본문')),
                    ('published_at', models.DateTimeField(blank=True, null=True, verbose_name='발행')),
                    ('analyzer', models.CharField(max_length=80, verbose_name='분석기')),
                    ('revision', models.CharField(max_length=64, verbose_name='대상 버전')),
                    ('dl', models.PositiveIntegerField(verbose_name='길이(형태소)')),
                    ('tsv', django.contrib.postgres.search.SearchVectorField()),
                    ('document', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='knowledge.document')),
                    ('post', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='knowledge.personapost')),
                    ('unit', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '검색 단락',
                    'verbose_name_plural': '검색 단락',
                    'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['tsv'], name='passage_tsv'), models.Index(models.OrderBy(models.F('published_at'), descending=True, nulls_first=True), name='passage_newest'), models.Index(fields=['analyzer'], name='passage_analyzer')],
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('document__isnull', True), ('post__isnull', True), ('unit__isnull', False)), models.Q(('document__isnull', False), ('post__isnull', True), ('unit__isnull', True)), models.Q(('document__isnull', True), ('post__isnull', False), ('unit__isnull', True)), _connector='OR'), name='passage_of_exactly_one_subject'), models.CheckConstraint(condition=models.Q(('kind__in', ['entity', 'topic', 'event', 'video', 'news', 'notice', 'post'])), name='passage_kind_known'), models.UniqueConstraint(fields=('unit', 'ordinal'), name='passage_once_per_unit_ordinal'), models.UniqueConstraint(fields=('document', 'ordinal'), name='passage_once_per_document_ordinal'), models.UniqueConstraint(fields=('post', 'ordinal'), name='passage_once_per_post_ordinal')],
                },
            ), migrations.CreateModel(
                name='Pulse',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(max_length=32, unique=True, verbose_name='식별자')),
                    ('kind', models.CharField(choices=[('price', '가격'), ('burst', '문서 급증'), ('premium', '김치 프리미엄')], default='price', max_length=8, verbose_name='종류')),
                    ('direction', models.CharField(choices=[('up', '상승'), ('down', '하락')], max_length=4, verbose_name='방향')),
                    ('magnitude_pct', models.FloatField(help_text='하락은 음수, 프리미엄은 30일 중앙값과의 차이(%p)', verbose_name='크기(%)')),
                    ('started_at', models.DateTimeField(verbose_name='시작')),
                    ('detected_at', models.DateTimeField(verbose_name='탐지')),
                    ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='끝')),
                    ('horizon_hours', models.PositiveSmallIntegerField(verbose_name='관찰 폭(시간)')),
                    ('extremum', models.CharField(default='close', max_length=5, verbose_name='극값')),
                    ('scope', models.CharField(default='global', max_length=8, verbose_name='범위')),
                    ('confidence', models.FloatField(verbose_name='신뢰도')),
                    ('summary', models.CharField(max_length=400, verbose_name='요약')),
                    ('summary_en', models.CharField(blank=True, max_length=400, verbose_name='요약(영어)')),
                    ('sources', models.JSONField(default=list, verbose_name='출처')),
                    ('status', models.CharField(choices=[('draft', '초안'), ('published', '공개'), ('retracted', '철회')], default='published', max_length=10, verbose_name='상태')),
                    ('asset', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pulses', to='knowledge.unit', verbose_name='자산')),
                ],
                options={
                    'verbose_name': '펄스',
                    'verbose_name_plural': '펄스',
                    'indexes': [models.Index(fields=['-detected_at'], name='pulse_newest'), models.Index(fields=['asset', '-detected_at'], name='pulse_by_asset')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('confidence__lte', 1)), name='pulse_confidence_range'), models.CheckConstraint(condition=models.Q(models.Q(('direction', 'up'), ('magnitude_pct__gt', 0)), models.Q(('direction', 'down'), ('magnitude_pct__lt', 0)), _connector='OR'), name='pulse_direction_sign'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'published', 'retracted'])), name='pulse_status_known'), models.CheckConstraint(condition=models.Q(('extremum__in', ('close', 'high', 'low'))), name='pulse_extremum_known'), models.CheckConstraint(condition=models.Q(('scope__in', ('global', 'local', 'unknown'))), name='pulse_scope_known'), models.CheckConstraint(condition=django.db.models.lookups.Exact(models.Func(models.F('sources'), function='jsonb_typeof', output_field=models.TextField()), models.Value('array')), name='pulse_sources_array'), models.CheckConstraint(condition=models.Q(('kind__in', ['price', 'burst', 'premium'])), name='pulse_kind_known')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='0ffb725fd6d51f377d3ec06b343e5d720d51e958', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_e7fc3', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_pulse', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='33625600c96f1300618eefacd6d680bb19edaa5f', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_48727', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_pulse', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='0641a62ea8c0157b5ff311039f726dba6a84b8ba', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_0f074', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_pulse', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='bc0879fd01974de9aeb346cac18c90a563c3675b', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_f288e', table='knowledge_pulse', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='Premium',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(verbose_name='시점')),
                    ('value', models.FloatField(verbose_name='프리미엄(비율)')),
                    ('upbit_krw', models.FloatField(verbose_name='업비트(원)')),
                    ('upbit_at', models.DateTimeField()),
                    ('binance_usd', models.FloatField(verbose_name='바이낸스(달러)')),
                    ('binance_at', models.DateTimeField()),
                    ('usdkrw', models.FloatField(verbose_name='원/달러')),
                    ('usdkrw_at', models.DateTimeField()),
                    ('asset', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='premiums', to='knowledge.unit', verbose_name='자산')),
                ],
                options={
                    'verbose_name': '김치 프리미엄',
                    'verbose_name_plural': '김치 프리미엄',
                    'constraints': [models.UniqueConstraint(fields=('asset', 'at'), name='premium_once'), models.CheckConstraint(condition=models.Q(('binance_usd__gt', 0), ('upbit_krw__gt', 0), ('usdkrw__gt', 0)), name='premium_legs_positive')],
                },
            ), migrations.CreateModel(
                name='Mention',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('start', models.PositiveIntegerField()),
                    ('end', models.PositiveIntegerField()),
                    ('surface', models.CharField(max_length=200)),
                    ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='knowledge.document')),
                    ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '언급',
                    'verbose_name_plural': '언급',
                    'indexes': [models.Index(fields=['unit', 'document'], name='mention_unit_document')],
                    'constraints': [models.UniqueConstraint(fields=('document', 'unit', 'start'), name='mention_once_per_place'), models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='mention_not_empty')],
                    'triggers': [pgtrigger.compiler.Trigger(name='pair_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='93ba2e3fa42cc58e2e09913f0a33c3f849b2a253', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_inserted_6e342', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='0b6ac76d5b2ddb7f4014d419fdcb5c92f487b1c1', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_updated_ea6bd', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='691db0a6094688f2d1b0c13d3dabafeb8b4dc6be', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_1298f', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_mention', when='AFTER')), pgtrigger.compiler.Trigger(name='terms_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);\nEND IF;\nRETURN NULL;", hash='0fd80880d3d13361136a6e7a77c4cfa85e8cbb38', level='STATEMENT', operation='INSERT', pgid='pgtrigger_terms_inserted_4d235', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')), pgtrigger.compiler.Trigger(name='terms_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);\nEND IF;\nRETURN NULL;", hash='f87744719089ca345640155be6a66c186968de71', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_terms_updated_20135', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')), pgtrigger.compiler.Trigger(name='terms_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);\nEND IF;\nRETURN NULL;", hash='e10a424317d02d50e1fb926bfd665614a9fae671', level='STATEMENT', operation='DELETE', pgid='pgtrigger_terms_deleted_255a5', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_mention', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='Market',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('venue', models.CharField(choices=[('upbit', '업비트'), ('binance', '바이낸스')], max_length=16, verbose_name='거래소')),
                    ('symbol', models.CharField(max_length=24, verbose_name='심볼')),
                    ('listed_at', models.DateTimeField(blank=True, null=True, verbose_name='상장')),
                    ('delisted_at', models.DateTimeField(blank=True, null=True, verbose_name='상장 폐지')),
                    ('stablecoin', models.BooleanField(default=False, verbose_name='스테이블코인')),
                    ('asset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='markets', to='knowledge.unit', verbose_name='자산')),
                    ('day_bars_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='일봉 요청 일시')),
                    ('hourly', models.BooleanField(default=False, help_text='매일 밤 거래대금과 최근 펄스로 고릅니다.', verbose_name='시간봉')),
                    ('warnings', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None, verbose_name='거래소 경고')),
                ],
                options={
                    'verbose_name': '마켓',
                    'verbose_name_plural': '마켓',
                    'constraints': [models.UniqueConstraint(condition=models.Q(('delisted_at__isnull', True)), fields=('venue', 'symbol'), name='market_one_live_per_symbol'), models.CheckConstraint(condition=models.Q(('venue__in', ['upbit', 'binance'])), name='market_venue_known')],
                },
            ), migrations.CreateModel(
                name='Alias',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('unit_type', models.CharField(choices=[('asset', '자산'), ('creator', '크리에이터'), ('company', '기업'), ('organisation', '기관'), ('person', '인물'), ('product', '제품'), ('topic', '주제'), ('event', '사건')], default='', editable=False, max_length=16)),
                    ('surface', models.CharField(max_length=200, verbose_name='표기')),
                    ('norm', models.CharField(editable=False, max_length=200, verbose_name='정규형')),
                    ('lang', models.CharField(blank=True, choices=[('ko', '한국어'), ('en', '영어'), ('', '무관')], max_length=2, verbose_name='언어')),
                    ('case_sensitive', models.BooleanField(default=False, verbose_name='대소문자 구별')),
                    ('ambiguous', models.BooleanField(default=False, help_text='문서에 다른 단서가 있을 때만 이 항목으로 봅니다.', verbose_name='모호함')),
                    ('blocked_contexts', models.JSONField(blank=True, default=list, help_text='이 말이 곁에 있으면 연결하지 않습니다.', verbose_name='막는 문맥')),
                    ('active', models.BooleanField(default=True, verbose_name='사용')),
                    ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='knowledge.unit', verbose_name='항목')),
                    ('is_label', models.BooleanField(db_default=False, default=False, editable=False)),
                ],
                options={
                    'verbose_name': '별칭',
                    'verbose_name_plural': '별칭',
                    'indexes': [models.Index(fields=['norm'], name='alias_norm')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('is_label', True)), fields=('unit',), name='alias_one_label_per_unit'), models.UniqueConstraint(condition=models.Q(('is_label', False)), fields=('unit', 'surface'), name='alias_surface_once_per_unit'), models.UniqueConstraint(condition=models.Q(('active', True), ('ambiguous', False), ('is_label', False)), fields=('unit_type', 'norm'), name='alias_norm_unique_per_type'), models.CheckConstraint(condition=models.Q(models.Q(('norm', ''), _negated=True), ('is_label', True), _connector='OR'), name='alias_norm_present')],
                    'base_manager_name': 'objects',
                    'triggers': [pgtrigger.compiler.Trigger(name='alias_copy_type', sql=pgtrigger.compiler.UpsertTriggerSql(func='SELECT type INTO NEW.unit_type FROM knowledge_unit WHERE id = NEW.unit_id; RETURN NEW;', hash='373b40f1e93d38fa87dab845dba69bb60200c4af', operation='INSERT OR UPDATE OF "unit_id", "unit_type"', pgid='pgtrigger_alias_copy_type_e624b', table='knowledge_alias', when='BEFORE')), pgtrigger.compiler.Trigger(name='label_keep', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.is_label AND pg_trigger_depth() = 0)', func='OLD.norm := NEW.norm; RETURN OLD;', hash='391ccce5a540b3083b17298cffed0336b93d4fbd', operation='UPDATE', pgid='pgtrigger_label_keep_25a0d', table='knowledge_alias', when='BEFORE')), pgtrigger.compiler.Trigger(name='alias_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE active AND NOT is_label));\nPERFORM knowledge_alias_recopy_type(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE NOT is_label));\nRETURN NULL;', hash='b9ff2cb94f5b9895df5039ae5a52cd59816c1c52', level='STATEMENT', operation='INSERT', pgid='pgtrigger_alias_inserted_e5660', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_alias', when='AFTER')), pgtrigger.compiler.Trigger(name='alias_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func='DECLARE\n    owners bigint[];\nBEGIN\n    EXECUTE $query$\n        SELECT array_agg(DISTINCT o.unit_id) || array_agg(DISTINCT n.unit_id)\n        FROM (SELECT * FROM old_rows WHERE NOT is_label) o JOIN new_rows n USING (id)\n        WHERE (o.active OR n.active)\n          AND (o.unit_id, o.surface, o.active) IS DISTINCT FROM (n.unit_id, n.surface, n.active)\n    $query$ INTO owners;\n    PERFORM knowledge_touch_units(owners);\nEND;\nRETURN NULL;', hash='3c5287e79f3166c1986dd89187199731c6f84754', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_alias_updated_1511d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_alias', when='AFTER')), pgtrigger.compiler.Trigger(name='alias_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM old_rows WHERE active AND NOT is_label));\nPERFORM knowledge_label_rows(ARRAY(SELECT unit_id FROM old_rows WHERE is_label));\nRETURN NULL;', hash='b60bafdac884dbffd5a08ca312528a78783d1480', level='STATEMENT', operation='DELETE', pgid='pgtrigger_alias_deleted_01850', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_alias', when='AFTER')), pgtrigger.compiler.Trigger(name='label_restore', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_label_rows(ARRAY(SELECT id FROM knowledge_unit));\nRETURN NULL;', hash='b79c5e3a12a8ad4c2afdfb25131e8638c4306cef', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_label_restore_58bf7', table='knowledge_alias', when='AFTER')), pgtrigger.compiler.Trigger(name='vocabulary_alias', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_vocabulary_changed();\nRETURN NULL;', hash='a4df089b935fc33caaad294a682bae1e7e880697', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_vocabulary_alias_d3ce7', table='knowledge_alias', when='AFTER')), pgtrigger.compiler.Trigger(name='alias_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='c5108a7a5e7dd72e9d7cbe63d592bcaf0a575a21', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_alias_truncated_88afc', table='knowledge_alias', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='Entity',
                fields=[
                ],
                options={
                    'verbose_name': '인물·기관',
                    'verbose_name_plural': '인물·기관',
                    'proxy': True,
                },
                bases=('knowledge.unit',),
            ), migrations.CreateModel(
                name='Event',
                fields=[
                ],
                options={
                    'verbose_name': '사건',
                    'verbose_name_plural': '사건',
                    'proxy': True,
                },
                bases=('knowledge.unit',),
            ), migrations.CreateModel(
                name='Topic',
                fields=[
                ],
                options={
                    'verbose_name': '주제',
                    'verbose_name_plural': '주제',
                    'proxy': True,
                },
                bases=('knowledge.unit',),
            ), migrations.CreateModel(
                name='UnitMerge',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('merged_at', models.DateTimeField()),
                    ('undone_at', models.DateTimeField(blank=True, null=True)),
                    ('note', models.CharField(blank=True, max_length=300, verbose_name='메모')),
                    ('loser', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='merges_away', to='knowledge.unit')),
                    ('survivor', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='merges_in', to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '병합 기록',
                    'verbose_name_plural': '병합 기록',
                    'constraints': [models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('loser',), name='merge_open_once_per_loser'), models.CheckConstraint(condition=models.Q(('loser', models.F('survivor')), _negated=True), name='merge_of_two_units')],
                },
            ), migrations.CreateModel(
                name='Candle',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('interval', models.CharField(choices=[('1h', '1시간'), ('1d', '1일')], max_length=2)),
                    ('at', models.DateTimeField()),
                    ('open', models.FloatField()),
                    ('high', models.FloatField()),
                    ('low', models.FloatField()),
                    ('close', models.FloatField()),
                    ('volume', models.FloatField()),
                    ('market', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='candles', to='knowledge.market')),
                ],
                options={
                    'verbose_name': '캔들',
                    'verbose_name_plural': '캔들',
                    'constraints': [models.UniqueConstraint(fields=('market', 'interval', 'at'), name='candle_once'), models.CheckConstraint(condition=models.Q(('high__gte', models.F('open')), ('low__gt', 0), ('low__lte', models.F('open')), ('high__gte', models.F('close')), ('low__lte', models.F('close')), ('volume__gte', 0)), name='candle_shape'), models.CheckConstraint(condition=models.Q(('interval__in', ['1h', '1d'])), name='candle_interval_known')],
                },
            ), migrations.CreateModel(
                name='PossibleMerge',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('noted_at', models.DateTimeField(verbose_name='발견')),
                    ('dismissed_at', models.DateTimeField(blank=True, null=True, verbose_name='무시함')),
                    ('one', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='knowledge.eventcluster')),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='knowledge.eventcluster')),
                ],
                options={
                    'verbose_name': '병합 후보',
                    'verbose_name_plural': '병합 후보',
                    'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='possible_merge_once'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='possible_merge_in_order')],
                },
            ), migrations.CreateModel(
                name='Observation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(verbose_name='시점')),
                    ('value', models.DecimalField(decimal_places=12, max_digits=40, verbose_name='값')),
                    ('fetched_at', models.DateTimeField(verbose_name='수집 일시')),
                    ('input', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='observations', to='knowledge.seriesinput')),
                    ('newest', models.BooleanField(default=True, verbose_name='최신 개정')),
                    ('period', models.CharField(blank=True, max_length=10, verbose_name='기간')),
                    ('revision', models.PositiveSmallIntegerField(default=1, verbose_name='개정')),
                ],
                options={
                    'verbose_name': '관측값',
                    'verbose_name_plural': '관측값',
                    'constraints': [models.UniqueConstraint(fields=('input', 'at', 'revision'), name='observation_revision_once'), models.UniqueConstraint(condition=models.Q(('newest', True)), fields=('input', 'at'), name='observation_newest_once')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='0f6aee9c9be240f9c9fceb00f9372823ef0799f1', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_61ecb', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_observation', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='0784bc60ead2b52e0b9594e76e9599732ca08736', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_7ddc3', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_observation', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='6fb08be0c0d7d65436e4189330d887bf6f7b0075', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_38879', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_observation', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE newest);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE newest);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE newest EXCEPT SELECT * FROM old_rows WHERE newest)\n            UNION ALL (SELECT * FROM old_rows WHERE newest EXCEPT SELECT * FROM new_rows WHERE newest)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='2bbb685623eb109cb76148d4e40af0e70b893a58', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_2c077', table='knowledge_observation', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='FetchRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('started_at', models.DateTimeField(verbose_name='시작')),
                    ('milliseconds', models.PositiveIntegerField(default=0, verbose_name='걸린 시간(ms)')),
                    ('outcome', models.CharField(choices=[('ok', '성공'), ('unchanged', '변화 없음'), ('partly', '일부 실패'), ('failed', '실패'), ('needs_key', 'API 키 필요')], max_length=10, verbose_name='결과')),
                    ('cause', models.CharField(blank=True, choices=[('', '없음'), ('timeout', '시간 초과'), ('dns', '이름 풀이 실패'), ('tls', 'TLS 오류'), ('refused', '연결 거부'), ('status', '오류 상태 코드'), ('too_large', '너무 큼'), ('parse', '해석 불가'), ('empty', '빈 응답'), ('forbidden_address', '금지된 주소'), ('internal', '내부 오류')], max_length=20, verbose_name='원인')),
                    ('detail', models.CharField(blank=True, max_length=300, verbose_name='자세히')),
                    ('fetched', models.PositiveIntegerField(default=0, verbose_name='가져옴')),
                    ('created', models.PositiveIntegerField(default=0, verbose_name='새로')),
                    ('updated', models.PositiveIntegerField(default=0, verbose_name='업데이트')),
                    ('unchanged', models.PositiveIntegerField(default=0, verbose_name='그대로')),
                    ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='knowledge.source')),
                ],
                options={
                    'verbose_name': '수집 기록',
                    'verbose_name_plural': '수집 기록',
                    'indexes': [models.Index(fields=['source', '-started_at'], name='fetch_run_by_source'), models.Index(fields=['started_at'], name='fetch_run_started')],
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('outcome__in', ('failed', 'partly')), models.Q(('cause', ''), _negated=True)), models.Q(models.Q(('outcome__in', ('failed', 'partly')), _negated=True), ('cause', '')), _connector='OR'), name='fetch_run_failed_has_cause'), models.CheckConstraint(condition=models.Q(('outcome__in', ['ok', 'unchanged', 'partly', 'failed', 'needs_key'])), name='fetch_run_outcome_known')],
                },
            ), migrations.CreateModel(
                name='HistoricalAlias',
                fields=[
                    ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                    ('surface', models.CharField(max_length=200, verbose_name='표기')),
                    ('lang', models.CharField(blank=True, choices=[('ko', '한국어'), ('en', '영어'), ('', '무관')], max_length=2, verbose_name='언어')),
                    ('case_sensitive', models.BooleanField(default=False, verbose_name='대소문자 구별')),
                    ('ambiguous', models.BooleanField(default=False, help_text='문서에 다른 단서가 있을 때만 이 항목으로 봅니다.', verbose_name='모호함')),
                    ('blocked_contexts', models.JSONField(blank=True, default=list, help_text='이 말이 곁에 있으면 연결하지 않습니다.', verbose_name='막는 문맥')),
                    ('active', models.BooleanField(default=True, verbose_name='사용')),
                    ('history_change_reason', models.CharField(max_length=60, null=True)),
                    ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                    ('history_date', models.DateTimeField(db_index=True)),
                    ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                    ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('unit', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.unit', verbose_name='항목')),
                ],
                options={
                    'verbose_name': '별칭의 변경',
                    'verbose_name_plural': '별칭의 변경',
                    'ordering': ('-history_date', '-history_id'),
                    'get_latest_by': ('history_date', 'history_id'),
                },
                bases=(simple_history.models.HistoricalChanges, models.Model),
            ), migrations.CreateModel(
                name='HistoricalPersona',
                fields=[
                    ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                    ('glyph', models.CharField(max_length=8, verbose_name='글리프')),
                    ('voice', models.TextField(help_text='이 페르소나가 어떻게 쓰는지', verbose_name='말투')),
                    ('disclosure', models.CharField(max_length=200, verbose_name='고지')),
                    ('disclosure_en', models.CharField(max_length=200, verbose_name='고지(영어)')),
                    ('history_change_reason', models.CharField(max_length=60, null=True)),
                    ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                    ('history_date', models.DateTimeField(db_index=True)),
                    ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                    ('entity', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.entity', verbose_name='크리에이터')),
                    ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': '페르소나의 변경',
                    'verbose_name_plural': '페르소나의 변경',
                    'ordering': ('-history_date', '-history_id'),
                    'get_latest_by': ('history_date', 'history_id'),
                },
                bases=(simple_history.models.HistoricalChanges, models.Model),
            ), migrations.CreateModel(
                name='HistoricalUnit',
                fields=[
                    ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                    ('type', models.CharField(choices=[('asset', '자산'), ('creator', '크리에이터'), ('company', '기업'), ('organisation', '기관'), ('person', '인물'), ('product', '제품'), ('topic', '주제'), ('event', '사건')], max_length=16, verbose_name='종류')),
                    ('slug', models.SlugField(db_index=False, help_text='공개 주소의 일부이며 바뀌지 않습니다.', max_length=96, verbose_name='슬러그')),
                    ('label', models.CharField(max_length=200, verbose_name='이름')),
                    ('summary', models.TextField(blank=True, verbose_name='요약')),
                    ('summary_en', models.TextField(blank=True, verbose_name='요약(영어)')),
                    ('status', models.CharField(choices=[('draft', '초안'), ('published', '공개'), ('retracted', '철회')], default='draft', max_length=10, verbose_name='상태')),
                    ('symbol', models.CharField(blank=True, max_length=24, verbose_name='심볼')),
                    ('website', models.URLField(blank=True, verbose_name='공식 사이트')),
                    ('occurred_at', models.DateTimeField(blank=True, null=True, verbose_name='발생 일시')),
                    ('history_change_reason', models.CharField(max_length=60, null=True)),
                    ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                    ('history_date', models.DateTimeField(db_index=True)),
                    ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                    ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('merged_into', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.unit', verbose_name='병합된 곳')),
                    ('asked_as', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(blank=True, max_length=200), blank=True, db_default=models.Value([], output_field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), size=None)), default=list, help_text='사람들이 물을 때 쓰는 말, 한 줄에 하나. 질문과 검색만 읽고 문서 연결과 공개 별칭에는 쓰지 않습니다.', size=None, verbose_name='질문 표현')),
                    ('label_en', models.CharField(blank=True, db_default='', default='', help_text='영어 페이지의 제목. 비우면 한국어 이름이 나오고 그 페이지는 검색 엔진에 올리지 않습니다.', max_length=200, verbose_name='이름(영어)')),
                    ('category', models.CharField(blank=True, choices=[('exchange', '가상자산 거래소'), ('stock_exchange', '증권거래소'), ('issuer', '스테이블코인 발행사'), ('wallet', '지갑'), ('custodian', '수탁사'), ('bank', '은행'), ('fund', '자산운용·투자사'), ('fintech', '핀테크·금융 서비스'), ('treasury', '가상자산 비축 기업'), ('developer', '블록체인 개발'), ('data', '데이터·분석'), ('media', '언론·미디어'), ('company', '일반 기업'), ('regulator', '금융 감독기관'), ('central_bank', '중앙은행'), ('government', '정부·공공기관'), ('international', '국제기구'), ('association', '협회·협의체'), ('foundation', '재단'), ('hacker', '해킹 조직'), ('founder', '창업자'), ('executive', '경영자'), ('official', '공직자·정치인'), ('investor', '투자자·분석가'), ('chain', '블록체인'), ('layer2', '레이어 2'), ('stablecoin', '스테이블코인'), ('memecoin', '밈코인'), ('defi', '탈중앙화 금융'), ('exchange_token', '거래소 토큰'), ('backed_token', '실물 담보 토큰'), ('infrastructure', '인프라'), ('gaming', '게임·메타버스·NFT'), ('service', '서비스 토큰'), ('channel', '채널'), ('persona', 'AI 페르소나')], db_default='', default='', max_length=16, verbose_name='분류')),
                    ('country', models.CharField(blank=True, choices=knowledge.models.countries.country_choices, db_default='', default='', help_text='단체는 근거지, 인물은 국적, 자산은 개발한 곳. 분명하지 않으면 비웁니다.', max_length=2, verbose_name='나라')),
                ],
                options={
                    'verbose_name': '항목의 변경',
                    'verbose_name_plural': '항목의 변경',
                    'ordering': ('-history_date', '-history_id'),
                    'get_latest_by': ('history_date', 'history_id'),
                },
                bases=(simple_history.models.HistoricalChanges, models.Model),
            ), migrations.CreateModel(
                name='Creator',
                fields=[
                ],
                options={
                    'verbose_name': '크리에이터',
                    'verbose_name_plural': '크리에이터',
                    'proxy': True,
                    'default_permissions': (),
                },
                bases=('knowledge.unit',),
            ), migrations.CreateModel(
                name='MentionReview',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('surface', models.CharField(max_length=200, verbose_name='표기')),
                    ('verdict', models.CharField(choices=[('confirmed', '맞음'), ('refused', '아님')], max_length=10, verbose_name='판정')),
                    ('decided_at', models.DateTimeField(verbose_name='결정')),
                    ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='mention_reviews', to='knowledge.document')),
                    ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mention_reviews', to='knowledge.unit')),
                ],
                options={
                    'verbose_name': '언급의 판정',
                    'verbose_name_plural': '언급의 판정',
                    'constraints': [models.UniqueConstraint(fields=('document', 'unit', 'surface'), name='mention_review_once'), models.CheckConstraint(condition=models.Q(('verdict__in', ['confirmed', 'refused'])), name='mention_review_known'), models.CheckConstraint(condition=models.Q(('surface', ''), _negated=True), name='mention_review_surface_present')],
                },
            ), migrations.CreateModel(
                name='DocumentUnitChange',
                fields=[
                    ('id', models.BigAutoField(primary_key=True, serialize=False)),
                    ('unit_id', models.BigIntegerField()),
                    ('document_id', models.BigIntegerField(null=True)),
                    ('step', models.SmallIntegerField(default=0)),
                    ('video', models.BooleanField(default=False)),
                    ('published_at', models.DateTimeField(null=True)),
                ],
            ), migrations.CreateModel(
                name='DocumentUnit',
                fields=[
                    ('published_at', models.DateTimeField(null=True)),
                    ('video', models.BooleanField()),
                    ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='document_units', to='knowledge.document')),
                    ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='document_units', to='knowledge.unit')),
                    ('pk', models.CompositePrimaryKey('document_id', 'unit_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ],
                options={
                    'indexes': [models.Index(models.F('unit'), models.OrderBy(models.F('published_at'), descending=True, nulls_last=True), models.OrderBy(models.F('document'), descending=True), include=('video',), name='pair_newest_of_unit')],
                    'triggers': [pgtrigger.compiler.Trigger(name='pair_noted_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;\nEND IF;\nRETURN NULL;", hash='6f1a6c5a12c36ce94ad279556e2416a2fd7f0f3e', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_noted_inserted_d9375', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_noted_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;\nEND IF;\nRETURN NULL;", hash='819ec03b5d5c753cbd9c13c9cc576f265af39c9a', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_noted_updated_b473b', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_noted_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;\nEND IF;\nRETURN NULL;", hash='94999ade617c022c42cf4725846256076866c802', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_noted_deleted_92761', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_documentunit', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_told_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean;\nBEGIN\n    IF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows);\n    ELSE\n        changed := EXISTS (SELECT FROM new_rows);\n    END IF;\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents:new');\n    END IF;\nEND;\nRETURN NULL;", hash='154b9759fc4e466946d4022fbff518634c593981', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_told_inserted_e72d7', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_told_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean;\nBEGIN\n    IF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows);\n    ELSE\n        changed := EXISTS (SELECT FROM new_rows);\n    END IF;\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents:new');\n    END IF;\nEND;\nRETURN NULL;", hash='03d569b4b21434816254accf54cab1d8364177d3', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_told_updated_446cd', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')), pgtrigger.compiler.Trigger(name='pair_told_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean;\nBEGIN\n    IF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows);\n    ELSE\n        changed := EXISTS (SELECT FROM new_rows);\n    END IF;\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents:new');\n    END IF;\nEND;\nRETURN NULL;", hash='be8e73874216772f2bbe2ef74ef22720697e341c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_told_deleted_35593', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_documentunit', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='UnitWeek',
                fields=[
                    ('week', models.DateField()),
                    ('documents', models.IntegerField()),
                    ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='weeks', to='knowledge.unit')),
                    ('pk', models.CompositePrimaryKey('unit_id', 'week', blank=True, editable=False, primary_key=True, serialize=False)),
                ],
            ), migrations.CreateModel(
                name='DocumentTerms',
                fields=[
                    ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='event_terms', serialize=False, to='knowledge.document')),
                    ('units', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                    ('facets', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None)),
                    ('whole', models.JSONField()),
                    ('headline_units', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                    ('denies', models.BooleanField(default=False)),
                    ('is_column', models.BooleanField(default=False)),
                    ('parties', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ('figures', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ('sounds', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ('heard', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ('meanings', models.JSONField(default=dict)),
                    ('subjects', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ],
            ), migrations.CreateModel(
                name='OutboxEntry',
                fields=[
                    ('id', models.BigAutoField(primary_key=True, serialize=False)),
                    ('scope', models.CharField(max_length=24)),
                    ('counts_only', models.BooleanField(default=False)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ],
                options={
                    'db_table': 'knowledge_change',
                },
            ), migrations.CreateModel(
                name='Relinking',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('norms', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), null=True, size=None)),
                    ('before', models.BigIntegerField(null=True)),
                    ('changed', models.PositiveIntegerField(default=0)),
                    ('claimed_until', models.DateTimeField(null=True)),
                    ('documents', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), null=True, size=None)),
                    ('version', models.TextField(null=True)),
                ],
            ), migrations.CreateModel(
                name='PersonaPostUnit',
                fields=[
                ],
                options={
                    'proxy': True,
                    'default_permissions': (),
                },
                bases=('knowledge.personapost_units',),
            ), migrations.CreateModel(
                name='SeriesInput',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(max_length=80, unique=True, verbose_name='API 키')),
                    ('unit', models.CharField(blank=True, max_length=40, verbose_name='단위')),
                    ('source', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='series_inputs', to='knowledge.source', verbose_name='출처')),
                    ('position', models.PositiveSmallIntegerField(default=0, help_text='작은 것이 먼저', verbose_name='순서')),
                    ('series', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='inputs', to='knowledge.series', verbose_name='시계열')),
                ],
                options={
                    'verbose_name': '시계열의 입력',
                    'verbose_name_plural': '시계열의 입력',
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='910515d6237b05d1ce96f3ce4399e17913347322', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_0f74c', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='93cf20a6764be3789041ce486ec590ec4fe1c79e', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_d1a5a', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='14838bbe9e17ec8d9d55dc468024aaa8d1637809', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_ef6c3', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_seriesinput', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE series_id IS NOT NULL);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM old_rows WHERE series_id IS NOT NULL)\n            UNION ALL (SELECT * FROM old_rows WHERE series_id IS NOT NULL EXCEPT SELECT * FROM new_rows WHERE series_id IS NOT NULL)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='d522dbc54e6fec4846f5ae03b32cd1b951212923', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_f9250', table='knowledge_seriesinput', when='BEFORE')), pgtrigger.compiler.Trigger(name='premium_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    inputs knowledge_seriesinput[];\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');\n    ELSIF TG_OP = 'DELETE' THEN\n        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');\n    ELSE\n        inputs := ARRAY(\n            SELECT o FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'\n        ) || ARRAY(\n            SELECT n FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'\n        );\n    END IF;\n    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;\n    holders := ARRAY(\n        SELECT DISTINCT series.holder_id\n        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT asset.id\n        FROM unnest(inputs) AS input\n        JOIN knowledge_series series ON series.id = input.series_id\n        JOIN knowledge_unit holder ON holder.id = series.holder_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)\n        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)\n        WHERE survivor.status = 'published' AND survivor.id <> asset.id\n    ));\nEND;\nRETURN NULL;", hash='ead4c2c1ff2e6bdb6cf4a5e789a9d16ccbf0ff40', level='STATEMENT', operation='INSERT', pgid='pgtrigger_premium_inserted_f3059', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')), pgtrigger.compiler.Trigger(name='premium_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    inputs knowledge_seriesinput[];\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');\n    ELSIF TG_OP = 'DELETE' THEN\n        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');\n    ELSE\n        inputs := ARRAY(\n            SELECT o FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'\n        ) || ARRAY(\n            SELECT n FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'\n        );\n    END IF;\n    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;\n    holders := ARRAY(\n        SELECT DISTINCT series.holder_id\n        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT asset.id\n        FROM unnest(inputs) AS input\n        JOIN knowledge_series series ON series.id = input.series_id\n        JOIN knowledge_unit holder ON holder.id = series.holder_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)\n        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)\n        WHERE survivor.status = 'published' AND survivor.id <> asset.id\n    ));\nEND;\nRETURN NULL;", hash='6700a1d1570e8e902d2831545fc5dbcfed018b40', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_premium_updated_8cd90', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')), pgtrigger.compiler.Trigger(name='premium_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    inputs knowledge_seriesinput[];\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');\n    ELSIF TG_OP = 'DELETE' THEN\n        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');\n    ELSE\n        inputs := ARRAY(\n            SELECT o FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'\n        ) || ARRAY(\n            SELECT n FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'\n        );\n    END IF;\n    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;\n    holders := ARRAY(\n        SELECT DISTINCT series.holder_id\n        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT asset.id\n        FROM unnest(inputs) AS input\n        JOIN knowledge_series series ON series.id = input.series_id\n        JOIN knowledge_unit holder ON holder.id = series.holder_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)\n        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)\n        WHERE survivor.status = 'published' AND survivor.id <> asset.id\n    ));\nEND;\nRETURN NULL;", hash='07ebb0778986ce17bfbbe203aaaf693a9ae1fea4', level='STATEMENT', operation='DELETE', pgid='pgtrigger_premium_deleted_948a3', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_seriesinput', when='AFTER')), pgtrigger.compiler.Trigger(name='premium_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='f7053bb9c511390c60cd9285bc3cd1438624638a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_premium_truncated_f365b', table='knowledge_seriesinput', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='HeldValue',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(verbose_name='시점')),
                    ('period', models.CharField(blank=True, max_length=10, verbose_name='기간')),
                    ('value', models.FloatField(verbose_name='값')),
                    ('unit', models.CharField(blank=True, max_length=40, verbose_name='단위')),
                    ('reason', models.CharField(max_length=200, verbose_name='사유')),
                    ('fetched_at', models.DateTimeField(verbose_name='수집 일시')),
                    ('rejected_at', models.DateTimeField(blank=True, null=True, verbose_name='폐기 일시')),
                    ('input', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='held_values', to='knowledge.seriesinput', verbose_name='입력')),
                ],
                options={
                    'verbose_name': '보류한 값',
                    'verbose_name_plural': '보류한 값',
                    'constraints': [models.UniqueConstraint(fields=('input', 'at', 'value'), name='held_value_once')],
                },
            ), migrations.CreateModel(
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
                    ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('holder', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.unit', verbose_name='표제 항목')),
                    ('event_on', models.CharField(blank=True, choices=[('', '없음'), ('change', '앞 값과 다른 값'), ('value', '기간마다 새 값')], default='', max_length=6, verbose_name='사건 후보로 올릴 값')),
                    ('licence_en', models.CharField(blank=True, db_default='', default='', help_text='비우면 한국어와 같음', max_length=200, verbose_name='이용 조건(영어)')),
                ],
                options={
                    'verbose_name': '시계열의 변경',
                    'verbose_name_plural': '시계열의 변경',
                    'ordering': ('-history_date', '-history_id'),
                    'get_latest_by': ('history_date', 'history_id'),
                },
                bases=(simple_history.models.HistoricalChanges, models.Model),
            ), migrations.CreateModel(
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
                    ('holder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='series', to='knowledge.unit', verbose_name='표제 항목')),
                    ('event_on', models.CharField(blank=True, choices=[('', '없음'), ('change', '앞 값과 다른 값'), ('value', '기간마다 새 값')], default='', max_length=6, verbose_name='사건 후보로 올릴 값')),
                    ('licence_en', models.CharField(blank=True, db_default='', default='', help_text='비우면 한국어와 같음', max_length=200, verbose_name='이용 조건(영어)')),
                ],
                options={
                    'verbose_name': '시계열',
                    'verbose_name_plural': '시계열',
                    'constraints': [models.CheckConstraint(condition=models.Q(('slug__regex', '^[a-z0-9-]+$')), name='series_slug_form'), models.CheckConstraint(condition=models.Q(('cadence__in', ['live', 'hourly', 'daily', 'business_daily', 'monthly'])), name='series_cadence_known'), models.CheckConstraint(condition=models.Q(('largest_jump', None), ('largest_jump__gt', 1), _connector='OR'), name='series_jump_above_1'), models.CheckConstraint(condition=models.Q(('event_on__in', ['', 'change', 'value'])), name='series_event_on_known')],
                    'triggers': [pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='5e41c56d87fa359957b67486994cd899809d937f', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_8335d', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')), pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='1f81c9031758cdaaeec0573c80d66f5a7c2d09c5', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_4d4bc', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')), pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='22409810001270779611eb7d61caf125012c7e6f', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_e30b8', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_series', when='AFTER')), pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('series');\n    END IF;\nEND;\nRETURN NULL;", hash='bac122cbd2c1436ff6aaa96be41b92a8115019b0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_1e782', table='knowledge_series', when='BEFORE')), pgtrigger.compiler.Trigger(name='vocabulary_series', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_vocabulary_changed();\nRETURN NULL;', hash='af27b68ba3c5b60d27a5c7631e973639de95fc9b', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_vocabulary_series_54616', table='knowledge_series', when='AFTER')), pgtrigger.compiler.Trigger(name='held_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='fcc3fc37f98be40d2defd76e6d2cb68466239a33', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_held_truncated_317ab', table='knowledge_series', when='BEFORE')), pgtrigger.compiler.Trigger(name='held_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\n    IF TG_OP = 'UPDATE' THEN\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)\n        ))));\n    END IF;\nEND;\nRETURN NULL;", hash='934b8e33255315b137a96aba8cf9f82240eb66ce', level='STATEMENT', operation='INSERT', pgid='pgtrigger_held_inserted_f12ff', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')), pgtrigger.compiler.Trigger(name='held_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\n    IF TG_OP = 'UPDATE' THEN\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)\n        ))));\n    END IF;\nEND;\nRETURN NULL;", hash='526cf0d8f3e197903d823b2e797de848221dfbbf', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_held_updated_8dfea', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')), pgtrigger.compiler.Trigger(name='held_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\n    IF TG_OP = 'UPDATE' THEN\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)\n        ))));\n    END IF;\nEND;\nRETURN NULL;", hash='83df0119a73f5271c97953b0d6f6f7b6fa9602ec', level='STATEMENT', operation='DELETE', pgid='pgtrigger_held_deleted_72f25', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_series', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='SeriesPattern',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.CharField(max_length=80, unique=True)),
                    ('record', models.JSONField()),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                ],
            ), migrations.CreateModel(
                name='MarketCandidate',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('venue', models.CharField(choices=[('upbit', '업비트'), ('binance', '바이낸스')], max_length=16, verbose_name='거래소')),
                    ('symbol', models.CharField(max_length=24, verbose_name='심볼')),
                    ('name', models.CharField(blank=True, max_length=120, verbose_name='이름')),
                    ('name_en', models.CharField(blank=True, max_length=120, verbose_name='이름(영어)')),
                    ('reason', models.CharField(max_length=200, verbose_name='사유')),
                    ('first_seen_at', models.DateTimeField(verbose_name='최초 확인 일시')),
                    ('dismissed_at', models.DateTimeField(blank=True, null=True, verbose_name='무시함')),
                ],
                options={
                    'verbose_name': '마켓 후보',
                    'verbose_name_plural': '마켓 후보',
                    'constraints': [models.CheckConstraint(condition=models.Q(('venue__in', ['upbit', 'binance'])), name='market_candidate_venue_known'), models.UniqueConstraint(fields=('venue', 'symbol'), name='market_candidate_once')],
                },
            ), migrations.CreateModel(
                name='SubsystemVerdict',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('subsystem', models.CharField(max_length=60)),
                    ('day', models.DateField()),
                    ('hour', models.PositiveSmallIntegerField()),
                    ('status', models.CharField(max_length=4)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('day', 'subsystem', 'hour'), include=('status',), name='verdict_once_an_hour'), models.CheckConstraint(condition=models.Q(('hour__lt', 24)), name='verdict_in_an_hour_of_the_day'), models.CheckConstraint(condition=models.Q(('status__in', ('ok', 'warn', 'fail'))), name='verdict_of_known_condition')],
                },
            ), migrations.CreateModel(
                name='UnitChange',
                fields=[
                    ('seq', models.BigAutoField(primary_key=True, serialize=False)),
                    ('unit', models.CharField(max_length=113)),
                    ('kind', models.CharField(choices=[('published', 'Published'), ('edited', 'Edited'), ('merged', 'Merged'), ('unmerged', 'Unmerged'), ('retracted', 'Retracted')], max_length=10)),
                    ('merged_into', models.CharField(blank=True, max_length=113)),
                    ('at', models.DateTimeField(db_index=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['published', 'edited', 'merged', 'unmerged', 'retracted'])), name='unit_change_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'merged'), models.Q(('merged_into', ''), _negated=True)), models.Q(models.Q(('kind', 'merged'), _negated=True), ('merged_into', '')), _connector='OR'), name='unit_change_merge_names_survivor')],
                },
            ), migrations.CreateModel(
                name='UnsettledUnit',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('transaction', models.BigIntegerField()),
                    ('unit', models.BigIntegerField()),
                    ('public_id', models.CharField(max_length=113)),
                    ('was_public', models.BooleanField()),
                    ('was_merged_into', models.BigIntegerField(null=True)),
                    ('asks', models.BooleanField(db_default=False)),
                    ('last_round', models.BooleanField(db_default=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('transaction', 'unit'), name='unsettled_unit_once')],
                    'triggers': [pgtrigger.compiler.Trigger(name='settle_at_commit', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.asks)', constraint='CONSTRAINT', func='UPDATE knowledge_unsettledunit SET last_round = true WHERE id = NEW.id;\nRETURN NULL;', hash='e18f933bfff3d6c7b08562c4a33e17543906fc43', operation='INSERT', pgid='pgtrigger_settle_at_commit_db38f', table='knowledge_unsettledunit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')), pgtrigger.compiler.Trigger(name='settle', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.last_round)', constraint='CONSTRAINT', func="DECLARE\n    ids text[];\n    kinds text[];\n    survivors text[];\nBEGIN\n    PERFORM set_config('madang.unsettled', '', true);\n    WITH touched AS MATERIALIZED (\n        DELETE FROM knowledge_unsettledunit WHERE transaction = NEW.transaction\n        RETURNING unit, public_id, was_public, was_merged_into\n    ), appeared AS MATERIALIZED (\n        SELECT u.id FROM touched t JOIN knowledge_unit u ON u.id = t.unit\n        WHERE u.status = 'published' AND u.merged_into_id IS NULL\n            AND (NOT t.was_public OR u.prefix || ':' || u.slug <> t.public_id)\n    ), known AS (\n        SELECT unit, public_id, was_public, was_merged_into FROM touched\n        UNION ALL\n        SELECT t.unit, u.prefix || ':' || u.slug, false, NULL\n        FROM touched t JOIN knowledge_unit u ON u.id = t.unit\n        WHERE u.prefix || ':' || u.slug <> t.public_id\n        UNION ALL\n        SELECT follower.id, follower.prefix || ':' || follower.slug, false, NULL\n        FROM appeared JOIN knowledge_unit follower ON follower.merged_into_id = appeared.id\n        WHERE NOT EXISTS (SELECT FROM touched WHERE touched.unit = follower.id)\n    ), states AS (\n        SELECT known.*, COALESCE(u.status = 'published' AND u.merged_into_id IS NULL, false) AS public,\n            CASE WHEN u.status = 'published' THEN u.merged_into_id END AS merged_into,\n            CASE WHEN survivor.status = 'published' THEN survivor.prefix || ':' || survivor.slug END AS survivor\n        FROM known\n        LEFT JOIN knowledge_unit u ON u.id = known.unit AND u.prefix || ':' || u.slug = known.public_id\n        LEFT JOIN knowledge_unit survivor ON survivor.id = u.merged_into_id\n    ), told AS (\n        SELECT unit, public_id, public, survivor, CASE\n            WHEN public AND was_public THEN 'edited'\n            WHEN public AND was_merged_into IS NOT NULL THEN 'unmerged'\n            WHEN public THEN 'published'\n            WHEN merged_into = was_merged_into AND NOT EXISTS (SELECT FROM appeared WHERE id = merged_into) THEN NULL\n            WHEN merged_into IS NOT NULL AND survivor IS NOT NULL THEN 'merged'\n            WHEN was_public OR was_merged_into IS NOT NULL THEN 'retracted'\n        END AS kind\n        FROM states\n    ), ordered AS (\n        SELECT * FROM told WHERE kind IS NOT NULL ORDER BY public, unit\n    )\n    SELECT array_agg(public_id), array_agg(kind), array_agg(CASE WHEN kind = 'merged' THEN survivor ELSE '' END)\n    INTO ids, kinds, survivors FROM ordered;\n    IF ids IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM pg_advisory_xact_lock(120299659095922);\n    INSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\n    SELECT unit, kind, merged_into, clock_timestamp()\n    FROM unnest(ids, kinds, survivors) WITH ORDINALITY AS told (unit, kind, merged_into, place) ORDER BY place;\nEND;\nRETURN NULL;", hash='b3d511bd3f96fa3edac651e1685f70445626340c', operation='UPDATE OF "last_round"', pgid='pgtrigger_settle_f573e', table='knowledge_unsettledunit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER'))],
                },
            ), migrations.CreateModel(
                name='AnnouncedValue',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('period', models.CharField(max_length=10, verbose_name='기간')),
                    ('at', models.DateTimeField(verbose_name='시점')),
                    ('former', models.DecimalField(blank=True, decimal_places=12, max_digits=40, null=True, verbose_name='앞 값')),
                    ('value', models.DecimalField(decimal_places=12, max_digits=40, verbose_name='새 값')),
                    ('over_year', models.DecimalField(blank=True, decimal_places=12, max_digits=40, null=True, verbose_name='1년 변화(%)')),
                    ('noted_at', models.DateTimeField(verbose_name='확인 일시')),
                    ('cluster', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announced', to='knowledge.eventcluster')),
                    ('series', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='announced', to='knowledge.series')),
                    ('source', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='knowledge.source', verbose_name='출처')),
                ],
                options={
                    'verbose_name': '후보의 수치',
                    'verbose_name_plural': '후보의 수치',
                    'constraints': [models.UniqueConstraint(fields=('series', 'period'), name='announced_value_once')],
                },
            ), migrations.CreateModel(
                name='Relation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('founder_of', '창업한 곳'), ('leads', '대표를 맡은 곳'), ('operates', '운영하는 것'), ('subsidiary_of', '모회사'), ('member_of', '소속된 곳'), ('issues', '발행하는 자산'), ('develops', '개발하는 것')], max_length=16, verbose_name='관계')),
                    ('started', models.CharField(blank=True, default='', help_text='아는 만큼: 2017, 2017-10, 2017-10-24', max_length=10, validators=[django.core.validators.RegexValidator('^(1[89]|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$')], verbose_name='시작')),
                    ('ended', models.CharField(blank=True, default='', help_text='이어지고 있으면 비웁니다.', max_length=10, validators=[django.core.validators.RegexValidator('^(1[89]|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$')], verbose_name='끝')),
                    ('reference', models.URLField(blank=True, default='', verbose_name='근거 주소')),
                    ('withdrawn', models.BooleanField(default=False, help_text='공개하지 않습니다.', verbose_name='거둠')),
                    ('canon_sha256', models.CharField(blank=True, editable=False, max_length=64)),
                    ('object', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relations_to', to='knowledge.unit', verbose_name='대상')),
                    ('subject', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='relations_from', to='knowledge.unit', verbose_name='주체')),
                ],
                options={
                    'verbose_name': '관계',
                    'verbose_name_plural': '관계',
                    'constraints': [models.UniqueConstraint(fields=('subject', 'kind', 'object', 'started'), name='relation_unique'), models.CheckConstraint(condition=models.Q(('kind__in', ['founder_of', 'leads', 'operates', 'subsidiary_of', 'member_of', 'issues', 'develops'])), name='relation_kind_known'), models.CheckConstraint(condition=models.Q(('subject', models.F('object')), _negated=True), name='relation_of_two_units'), models.CheckConstraint(condition=models.Q(('started', ''), ('started__regex', '^(1[89]|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$'), _connector='OR'), name='relation_started_is_date'), models.CheckConstraint(condition=models.Q(('ended', ''), ('ended__regex', '^(1[89]|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$'), _connector='OR'), name='relation_ended_is_date')],
                    'triggers': [pgtrigger.compiler.Trigger(name='relation_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    relations knowledge_relation[];\n    ends bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        relations := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        relations := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        relations := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n                  || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    ends := ARRAY(\n        SELECT DISTINCT unnest(ARRAY[relation.subject_id, relation.object_id]) FROM unnest(relations) AS relation\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (ends) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (ends)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT unnest(ARRAY[subject.id, object.id])\n        FROM unnest(relations) AS relation\n        JOIN knowledge_unit s ON s.id = relation.subject_id\n        JOIN knowledge_unit subject ON subject.id = COALESCE(s.merged_into_id, s.id)\n        JOIN knowledge_unit o ON o.id = relation.object_id\n        JOIN knowledge_unit object ON object.id = COALESCE(o.merged_into_id, o.id)\n        WHERE subject.status = 'published' AND object.status = 'published'\n    ));\nEND;\nRETURN NULL;", hash='a494b61d20fd87248c21ff62e44be55bf81a6b2b', level='STATEMENT', operation='INSERT', pgid='pgtrigger_relation_inserted_4f13b', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_relation', when='AFTER')), pgtrigger.compiler.Trigger(name='relation_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    relations knowledge_relation[];\n    ends bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        relations := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        relations := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        relations := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n                  || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    ends := ARRAY(\n        SELECT DISTINCT unnest(ARRAY[relation.subject_id, relation.object_id]) FROM unnest(relations) AS relation\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (ends) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (ends)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT unnest(ARRAY[subject.id, object.id])\n        FROM unnest(relations) AS relation\n        JOIN knowledge_unit s ON s.id = relation.subject_id\n        JOIN knowledge_unit subject ON subject.id = COALESCE(s.merged_into_id, s.id)\n        JOIN knowledge_unit o ON o.id = relation.object_id\n        JOIN knowledge_unit object ON object.id = COALESCE(o.merged_into_id, o.id)\n        WHERE subject.status = 'published' AND object.status = 'published'\n    ));\nEND;\nRETURN NULL;", hash='e756cf4e9ffea7999aac45dd98449869837118a2', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_relation_updated_26c59', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_relation', when='AFTER')), pgtrigger.compiler.Trigger(name='relation_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    relations knowledge_relation[];\n    ends bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        relations := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        relations := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        relations := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n                  || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    ends := ARRAY(\n        SELECT DISTINCT unnest(ARRAY[relation.subject_id, relation.object_id]) FROM unnest(relations) AS relation\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (ends) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (ends)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT unnest(ARRAY[subject.id, object.id])\n        FROM unnest(relations) AS relation\n        JOIN knowledge_unit s ON s.id = relation.subject_id\n        JOIN knowledge_unit subject ON subject.id = COALESCE(s.merged_into_id, s.id)\n        JOIN knowledge_unit o ON o.id = relation.object_id\n        JOIN knowledge_unit object ON object.id = COALESCE(o.merged_into_id, o.id)\n        WHERE subject.status = 'published' AND object.status = 'published'\n    ));\nEND;\nRETURN NULL;", hash='e9bfc96ab1a95ba99bf5dd9107150917e9aee204', level='STATEMENT', operation='DELETE', pgid='pgtrigger_relation_deleted_df255', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_relation', when='AFTER')), pgtrigger.compiler.Trigger(name='relation_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='85c4c6757e435e102c5edd7c845c1cb0f194b966', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_relation_truncated_ce75b', table='knowledge_relation', when='BEFORE'))],
                },
            ), migrations.CreateModel(
                name='HistoricalRelation',
                fields=[
                    ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('founder_of', '창업한 곳'), ('leads', '대표를 맡은 곳'), ('operates', '운영하는 것'), ('subsidiary_of', '모회사'), ('member_of', '소속된 곳'), ('issues', '발행하는 자산'), ('develops', '개발하는 것')], max_length=16, verbose_name='관계')),
                    ('started', models.CharField(blank=True, default='', help_text='아는 만큼: 2017, 2017-10, 2017-10-24', max_length=10, validators=[django.core.validators.RegexValidator('^(1[89]|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$')], verbose_name='시작')),
                    ('ended', models.CharField(blank=True, default='', help_text='이어지고 있으면 비웁니다.', max_length=10, validators=[django.core.validators.RegexValidator('^(1[89]|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$')], verbose_name='끝')),
                    ('reference', models.URLField(blank=True, default='', verbose_name='근거 주소')),
                    ('withdrawn', models.BooleanField(default=False, help_text='공개하지 않습니다.', verbose_name='거둠')),
                    ('history_change_reason', models.CharField(max_length=60, null=True)),
                    ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                    ('history_date', models.DateTimeField(db_index=True)),
                    ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                    ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('object', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.unit', verbose_name='대상')),
                    ('subject', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='knowledge.unit', verbose_name='주체')),
                ],
                options={
                    'verbose_name': '관계의 변경',
                    'verbose_name_plural': '관계의 변경',
                    'ordering': ('-history_date', '-history_id'),
                    'get_latest_by': ('history_date', 'history_id'),
                },
                bases=(simple_history.models.HistoricalChanges, models.Model),
            ), migrations.CreateModel(
                name='DetectorRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ran_at', models.DateTimeField()),
                    ('markets', models.PositiveIntegerField()),
                ],
                options={
                    'default_permissions': (),
                    'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='detector_run_single_row')],
                },
            )],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='personapostunit',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='bfc5bb16c1d8d68ed11929778e345cb8023d0709', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_acff7', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_personapost_units', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='personapostunit',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='53e45683ded6772979c27b5dd40e48b1b264c3c4', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_9b16b', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_personapost_units', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='personapostunit',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='a895fb19602431cf8d18c52ee7b9fdfdd6c673ed', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_dcf26', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_personapost_units', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='personapostunit',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='9f81218ee0c7d843ab3eab65863e6b142f0e8375', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_06e7d', table='knowledge_personapost_units', when='BEFORE')),
        ),
        migrations.RunSQL(STAMPS, 'DROP TABLE knowledge_vocabulary_stamp'),
        migrations.RunSQL(FUNCTIONS, migrations.RunSQL.noop),
    ]
