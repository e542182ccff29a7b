"""Which documents speak of a unit: one row a pair, written by triggers, and a note of each pair that came or went.

A pair has a reason: a mention, the creator's own channel, or a published cluster. Whatever changes a reason has the
pairs of its documents read anew, so that nobody has to know which other reasons a pair has.
"""

import django.db.models.deletion
from django.db import migrations, models

PAIRS = """
-- The pairs that these documents have by their reasons. A withdrawn document speaks of nothing.
CREATE FUNCTION knowledge_pairs_due(documents bigint[])
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
CREATE FUNCTION knowledge_pair(documents bigint[]) RETURNS void
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

PAIRS_REVERSE = """
DROP FUNCTION knowledge_pair(bigint[]);
DROP FUNCTION knowledge_pairs_due(bigint[]);
"""

FILL = """
INSERT INTO knowledge_documentunit (document_id, unit_id, published_at, video)
SELECT document_id, unit_id, published_at, video
FROM knowledge_pairs_due(ARRAY(SELECT id FROM knowledge_document));
"""

REASONS = """
-- For tables with a document_id, each row of which may be a reason.
CREATE FUNCTION knowledge_reason_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
        PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));
    WHEN 'DELETE' THEN
        PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));
    ELSE
        PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));
    END CASE;
    RETURN NULL;
END $$;

CREATE TRIGGER pair_inserted AFTER INSERT ON knowledge_mention REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_reason_changed();
CREATE TRIGGER pair_updated AFTER UPDATE ON knowledge_mention
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_reason_changed();
CREATE TRIGGER pair_deleted AFTER DELETE ON knowledge_mention REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_reason_changed();

-- Most clusters tell of no event yet.
CREATE FUNCTION knowledge_member_added() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_pair(ARRAY(
        SELECT n.document_id FROM new_rows n JOIN knowledge_eventcluster cluster ON cluster.id = n.cluster_id
        WHERE cluster.event_id IS NOT NULL
    ));
    RETURN NULL;
END $$;

CREATE TRIGGER pair_inserted AFTER INSERT ON knowledge_clusterdocument REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_member_added();
CREATE TRIGGER pair_updated AFTER UPDATE ON knowledge_clusterdocument
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_reason_changed();
CREATE TRIGGER pair_deleted AFTER DELETE ON knowledge_clusterdocument REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_reason_changed();

CREATE FUNCTION knowledge_cluster_event_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM knowledge_clusterdocument WHERE cluster_id = NEW.id));
    RETURN NULL;
END $$;

CREATE TRIGGER pair_event AFTER UPDATE OF event_id ON knowledge_eventcluster
FOR EACH ROW WHEN (OLD.event_id IS DISTINCT FROM NEW.event_id) EXECUTE FUNCTION knowledge_cluster_event_changed();

CREATE FUNCTION knowledge_source_creator_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_pair(ARRAY(SELECT id FROM knowledge_document WHERE source_id = NEW.id));
    RETURN NULL;
END $$;

CREATE TRIGGER pair_creator AFTER UPDATE OF creator_id ON knowledge_source
FOR EACH ROW WHEN (OLD.creator_id IS DISTINCT FROM NEW.creator_id) EXECUTE FUNCTION knowledge_source_creator_changed();

-- A new document has no reason yet but its channel.
CREATE FUNCTION knowledge_document_inserted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_pair(ARRAY(
        SELECT n.id FROM new_rows n JOIN knowledge_source source ON source.id = n.source_id
        WHERE source.creator_id IS NOT NULL
    ));
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_document_updated() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    changed bigint[];
BEGIN
    EXECUTE $query$
        SELECT array_agg(n.id) FROM old_rows o JOIN new_rows n USING (id)
        WHERE (o.source_id, o.kind, o.published_at, o.withdrawn)
              IS DISTINCT FROM (n.source_id, n.kind, n.published_at, n.withdrawn)
    $query$ INTO changed;
    PERFORM knowledge_pair(changed);
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_paired_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('DELETE FROM knowledge_documentunit pair USING old_rows o WHERE pair.%I = o.id', TG_ARGV[0]);
    RETURN NULL;
END $$;

CREATE TRIGGER pair_inserted AFTER INSERT ON knowledge_document REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_document_inserted();
CREATE TRIGGER pair_updated AFTER UPDATE ON knowledge_document
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_document_updated();
CREATE TRIGGER pair_deleted AFTER DELETE ON knowledge_document REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_paired_deleted('document_id');
CREATE TRIGGER pair_deleted AFTER DELETE ON knowledge_unit REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_paired_deleted('unit_id');
"""

REASONS_REVERSE = """
DROP TRIGGER pair_deleted ON knowledge_unit;
DROP TRIGGER pair_deleted ON knowledge_document;
DROP TRIGGER pair_updated ON knowledge_document;
DROP TRIGGER pair_inserted ON knowledge_document;
DROP FUNCTION knowledge_paired_deleted();
DROP FUNCTION knowledge_document_updated();
DROP FUNCTION knowledge_document_inserted();
DROP TRIGGER pair_creator ON knowledge_source;
DROP FUNCTION knowledge_source_creator_changed();
DROP TRIGGER pair_event ON knowledge_eventcluster;
DROP FUNCTION knowledge_cluster_event_changed();
DROP TRIGGER pair_deleted ON knowledge_clusterdocument;
DROP TRIGGER pair_updated ON knowledge_clusterdocument;
DROP TRIGGER pair_inserted ON knowledge_clusterdocument;
DROP FUNCTION knowledge_member_added();
DROP TRIGGER pair_deleted ON knowledge_mention;
DROP TRIGGER pair_updated ON knowledge_mention;
DROP TRIGGER pair_inserted ON knowledge_mention;
DROP FUNCTION knowledge_reason_changed();
"""

STEPS = """
CREATE FUNCTION knowledge_pair_noted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO knowledge_documentunitchange (unit_id, document_id, step, video)
        SELECT unit_id, document_id, -1, video FROM old_rows;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO knowledge_documentunitchange (unit_id, document_id, step, video)
        SELECT unit_id, document_id, 1, video FROM new_rows;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER pair_noted_inserted AFTER INSERT ON knowledge_documentunit REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_pair_noted();
CREATE TRIGGER pair_noted_updated AFTER UPDATE ON knowledge_documentunit
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_pair_noted();
CREATE TRIGGER pair_noted_deleted AFTER DELETE ON knowledge_documentunit REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_pair_noted();

-- Who speaks for whom changed: both are counted anew, rather than by steps that were noted for another family.
CREATE FUNCTION knowledge_family_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_documentunitchange (unit_id, step, video)
    SELECT unit, 0, false FROM unnest(ARRAY[OLD.id, OLD.merged_into_id]) AS unit WHERE unit IS NOT NULL;
    IF TG_OP = 'UPDATE' AND NEW.merged_into_id IS NOT NULL THEN
        INSERT INTO knowledge_documentunitchange (unit_id, step, video) VALUES (NEW.merged_into_id, 0, false);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER family_changed AFTER UPDATE OF merged_into_id ON knowledge_unit
FOR EACH ROW WHEN (OLD.merged_into_id IS DISTINCT FROM NEW.merged_into_id) EXECUTE FUNCTION knowledge_family_changed();
CREATE TRIGGER family_left AFTER DELETE ON knowledge_unit
FOR EACH ROW WHEN (OLD.merged_into_id IS NOT NULL) EXECUTE FUNCTION knowledge_family_changed();
"""

STEPS_REVERSE = """
DROP TRIGGER family_left ON knowledge_unit;
DROP TRIGGER family_changed ON knowledge_unit;
DROP FUNCTION knowledge_family_changed();
DROP TRIGGER pair_noted_deleted ON knowledge_documentunit;
DROP TRIGGER pair_noted_updated ON knowledge_documentunit;
DROP TRIGGER pair_noted_inserted ON knowledge_documentunit;
DROP FUNCTION knowledge_pair_noted();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0010_known_values'),
    ]

    operations = [
        migrations.CreateModel(
            name='DocumentUnitChange',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('unit_id', models.BigIntegerField()),
                ('document_id', models.BigIntegerField(null=True)),
                ('step', models.SmallIntegerField(default=0)),
                ('video', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name': '문서 수의 변화',
                'verbose_name_plural': '문서 수의 변화',
            },
        ),
        migrations.CreateModel(
            name='DocumentUnit',
            fields=[
                ('pk', models.CompositePrimaryKey('document_id', 'unit_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('published_at', models.DateTimeField(null=True)),
                ('video', models.BooleanField()),
                ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='document_units', to='knowledge.document')),
                ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='document_units', to='knowledge.unit')),
            ],
            options={
                'verbose_name': '문서와 단위',
                'verbose_name_plural': '문서와 단위',
            },
        ),
        migrations.RunSQL(PAIRS, PAIRS_REVERSE),
        # Before there is a foreign key to check or an index to keep.
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='documentunit',
            index=models.Index(models.F('unit'), models.OrderBy(models.F('published_at'), descending=True, nulls_last=True), models.OrderBy(models.F('document'), descending=True), include=('video',), name='pair_newest_of_unit'),
        ),
        migrations.RunSQL(REASONS, REASONS_REVERSE),
        migrations.RunSQL(STEPS, STEPS_REVERSE),
    ]
