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
-- would each miss what the other does; behind the lock the second one sees it. Documents mostly come one by one, and to
-- plan this costs more than to do it: few have a plan that is made once, many one that knows how many there are.
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
