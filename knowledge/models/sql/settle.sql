-- What a transaction did is told by where each unit stood before and where it stands now.
DECLARE
    ids text[];
    kinds text[];
    survivors text[];
BEGIN
    PERFORM set_config('madang.unsettled', '', true);
    WITH touched AS MATERIALIZED (
        DELETE FROM knowledge_unsettledunit WHERE transaction = NEW.transaction
        RETURNING unit, public_id, was_public, was_merged_into
    ), appeared AS MATERIALIZED (
        SELECT u.id FROM touched t JOIN knowledge_unit u ON u.id = t.unit
        WHERE u.status = 'published' AND u.merged_into_id IS NULL
            AND (NOT t.was_public OR u.prefix || ':' || u.slug <> t.public_id)
    ), known AS (
        SELECT unit, public_id, was_public, was_merged_into FROM touched
        UNION ALL
        -- What has another id now is, for readers, another unit.
        SELECT t.unit, u.prefix || ':' || u.slug, false, NULL
        FROM touched t JOIN knowledge_unit u ON u.id = t.unit
        WHERE u.prefix || ':' || u.slug <> t.public_id
        UNION ALL
        -- A unit that appears, or appears under another id, takes with it those that are merged into it.
        SELECT follower.id, follower.prefix || ':' || follower.slug, false, NULL
        FROM appeared JOIN knowledge_unit follower ON follower.merged_into_id = appeared.id
        WHERE NOT EXISTS (SELECT FROM touched WHERE touched.unit = follower.id)
    ), states AS (
        SELECT known.*, COALESCE(u.status = 'published' AND u.merged_into_id IS NULL, false) AS public,
            CASE WHEN u.status = 'published' THEN u.merged_into_id END AS merged_into,
            CASE WHEN survivor.status = 'published' THEN survivor.prefix || ':' || survivor.slug END AS survivor
        FROM known
        LEFT JOIN knowledge_unit u ON u.id = known.unit AND u.prefix || ':' || u.slug = known.public_id
        LEFT JOIN knowledge_unit survivor ON survivor.id = u.merged_into_id
    ), told AS (
        SELECT unit, public_id, public, survivor, CASE
            WHEN public AND was_public THEN 'edited'
            WHEN public AND was_merged_into IS NOT NULL THEN 'unmerged'
            WHEN public THEN 'published'
            WHEN merged_into = was_merged_into AND NOT EXISTS (SELECT FROM appeared WHERE id = merged_into) THEN NULL
            WHEN merged_into IS NOT NULL AND survivor IS NOT NULL THEN 'merged'
            WHEN was_public OR was_merged_into IS NOT NULL THEN 'retracted'
        END AS kind
        FROM states
    ), ordered AS (
        -- An id that one unit leaves and another takes is gone first.
        SELECT * FROM told WHERE kind IS NOT NULL ORDER BY public, unit
    )
    SELECT array_agg(public_id), array_agg(kind), array_agg(CASE WHEN kind = 'merged' THEN survivor ELSE '' END)
    INTO ids, kinds, survivors FROM ordered;
    IF ids IS NULL THEN
        RETURN NULL;
    END IF;
    -- One transaction numbers at a time, and until its commit is seen: the numbers rise with the commits.
    PERFORM pg_advisory_xact_lock({lock});
    INSERT INTO knowledge_unitchange (unit, kind, merged_into, at)
    SELECT unit, kind, merged_into, clock_timestamp()
    FROM unnest(ids, kinds, survivors) WITH ORDINALITY AS told (unit, kind, merged_into, place) ORDER BY place;
END;
