from django.db import migrations

# Documents mostly come one by one, and each time Postgres planned anew how to find the pairs of one document.
FUNCTION = """
CREATE OR REPLACE FUNCTION knowledge_pair(documents bigint[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF COALESCE(cardinality(documents), 0) = 0 THEN
        RETURN;
    END IF;
    IF cardinality(documents) > 100 THEN
        SET LOCAL plan_cache_mode = force_custom_plan; -- until the function ends
    END IF;
    PERFORM FROM knowledge_document WHERE id = ANY (documents) ORDER BY id FOR NO KEY UPDATE;
    WITH due AS MATERIALIZED (
        SELECT * FROM knowledge_pairs_due(documents)
    ), gone AS (
        DELETE FROM knowledge_documentunit pair
        WHERE pair.document_id = ANY (documents) AND NOT EXISTS (
            SELECT FROM due WHERE due.document_id = pair.document_id AND due.unit_id = pair.unit_id
        )
    )
    INSERT INTO knowledge_documentunit AS pair (document_id, unit_id, published_at, video)
    SELECT document_id, unit_id, published_at, video FROM due
    EXCEPT
    SELECT document_id, unit_id, published_at, video FROM knowledge_documentunit WHERE document_id = ANY (documents)
    ON CONFLICT (document_id, unit_id)
    DO UPDATE SET published_at = EXCLUDED.published_at, video = EXCLUDED.video;
END $$;
"""
FORMER_FUNCTION = """
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
    dependencies = [
        ("knowledge", "0053_passages_keep_their_lexemes"),
    ]

    operations = [
        migrations.RunSQL(FUNCTION, FORMER_FUNCTION),
    ]
