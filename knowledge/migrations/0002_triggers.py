"""What the database itself guarantees: redirects of one hop, copied types, honest ``updated_at``, noted changes.

An editor's form, ``QuerySet.update()``, ``bulk_create`` and a hand in psql all pass through here, so no writer can
forget to say that the public canon changed. Every function is VOLATILE plpgsql: under READ COMMITTED each of its
statements sees what other writers committed meanwhile.
"""

from typing import ClassVar

from django.db import migrations

# ---- Notes of change ------------------------------------------------------------------------------------------
NOTES = """
CREATE FUNCTION knowledge_note_change(scope text, counts_only boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_change (scope, counts_only) VALUES ($1, $2);
    PERFORM pg_notify('madang_change', $1);
END $$;

CREATE FUNCTION knowledge_unit_scope(type text) RETURNS text IMMUTABLE
LANGUAGE sql AS $$ SELECT CASE WHEN $1 IN ('topic', 'event') THEN $1 ELSE 'entity' END $$;

-- For tables whose every row is a record of one scope: TG_ARGV = scope, SQL condition that makes a row public.
CREATE FUNCTION knowledge_note_rows() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    public text := TG_ARGV[1];
    changed boolean := true;
BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM new_rows WHERE %s)', public) INTO changed;
    WHEN 'DELETE' THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM old_rows WHERE %s)', public) INTO changed;
    WHEN 'UPDATE' THEN
        EXECUTE format(
            'SELECT EXISTS ((SELECT * FROM new_rows WHERE %1$s EXCEPT SELECT * FROM old_rows WHERE %1$s)'
            ' UNION ALL (SELECT * FROM old_rows WHERE %1$s EXCEPT SELECT * FROM new_rows WHERE %1$s))', public
        ) INTO changed;
    ELSE
        NULL;  -- TRUNCATE shows no rows
    END CASE;
    IF changed THEN
        PERFORM knowledge_note_change(TG_ARGV[0]);
    END IF;
    RETURN NULL;
END $$;

-- SELECT knowledge_watch('ask_seedquestion', 'question', 'active') in a migration is all that a table needs whose
-- rows feed a publication; the columns must have an equality operator (jsonb, not json).
CREATE FUNCTION knowledge_watch(watched regclass, scope text, public text DEFAULT 'true') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    call text := format('FOR EACH STATEMENT EXECUTE FUNCTION knowledge_note_rows(%L, %L)', scope, public);
BEGIN
    EXECUTE format('CREATE TRIGGER note_insert AFTER INSERT ON %s REFERENCING NEW TABLE AS new_rows ', watched) || call;
    EXECUTE format('CREATE TRIGGER note_update AFTER UPDATE ON %s'
                   ' REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows ', watched) || call;
    EXECUTE format('CREATE TRIGGER note_delete AFTER DELETE ON %s REFERENCING OLD TABLE AS old_rows ', watched) || call;
    EXECUTE format('CREATE TRIGGER note_truncate BEFORE TRUNCATE ON %s ', watched) || call;
END $$;

CREATE FUNCTION knowledge_unwatch(watched regclass) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    operation text;
BEGIN
    FOREACH operation IN ARRAY ARRAY['insert', 'update', 'delete', 'truncate'] LOOP
        EXECUTE format('DROP TRIGGER note_%s ON %s', operation, watched);
    END LOOP;
END $$;
"""

NOTES_REVERSE = """
DROP FUNCTION knowledge_unwatch(regclass);
DROP FUNCTION knowledge_watch(regclass, text, text);
DROP FUNCTION knowledge_note_rows();
DROP FUNCTION knowledge_unit_scope(text);
DROP FUNCTION knowledge_note_change(text, boolean);
"""

# ---- updated_at of units --------------------------------------------------------------------------------------
OWNERSHIP = """
-- At depth 1 the writer is the application, whose idea of updated_at does not count; deeper it is a touch of ours.
CREATE FUNCTION knowledge_unit_own_updated_at() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.type, NEW.slug, NEW.label, NEW.summary, NEW.summary_en, NEW.status, NEW.merged_into_id, NEW.symbol,
        NEW.website, NEW.occurred_at)
       IS DISTINCT FROM
       (OLD.type, OLD.slug, OLD.label, OLD.summary, OLD.summary_en, OLD.status, OLD.merged_into_id, OLD.symbol,
        OLD.website, OLD.occurred_at)
    THEN
        NEW.updated_at := now();
    ELSIF pg_trigger_depth() = 1 THEN
        NEW.updated_at := OLD.updated_at;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER unit_own_updated_at BEFORE UPDATE ON knowledge_unit
FOR EACH ROW EXECUTE FUNCTION knowledge_unit_own_updated_at();

-- Something beside these units changed that is part of their records. A merged unit's aliases and memberships
-- speak for its survivor, so the survivor changed too. Rows are locked in key order, for two editors' sake.
CREATE FUNCTION knowledge_touch_units(touched bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    IF COALESCE(cardinality(touched), 0) = 0 THEN
        RETURN;
    END IF;
    SELECT array_agg(DISTINCT target) INTO ids
    FROM knowledge_unit u CROSS JOIN LATERAL (VALUES (u.id), (u.merged_into_id)) AS targets (target)
    WHERE u.id = ANY (touched) AND target IS NOT NULL;
    PERFORM FROM knowledge_unit WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    UPDATE knowledge_unit SET updated_at = now() WHERE id = ANY (ids) AND updated_at IS DISTINCT FROM now();
    PERFORM knowledge_note_change(scope) FROM (
        SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM knowledge_unit
        WHERE id = ANY (ids) AND status = 'published' AND merged_into_id IS NULL
    ) AS scopes;
END $$;
"""

OWNERSHIP_REVERSE = """
DROP FUNCTION knowledge_touch_units(bigint[]);
DROP TRIGGER unit_own_updated_at ON knowledge_unit;
DROP FUNCTION knowledge_unit_own_updated_at();
"""

# ---- Units ----------------------------------------------------------------------------------------------------
UNITS = """
CREATE FUNCTION knowledge_unit_inserted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_note_change(scope) FROM (
        SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM new_rows
        WHERE status = 'published' AND merged_into_id IS NULL
    ) AS scopes;
    PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM new_rows WHERE merged_into_id IS NOT NULL));
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_unit_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_note_change(scope) FROM (
        SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM old_rows
        WHERE status = 'published' AND merged_into_id IS NULL
    ) AS scopes;
    PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM old_rows WHERE merged_into_id IS NOT NULL));
    RETURN NULL;
END $$;

-- Old and new rows are joined by EXECUTE: a cached plan made for one row would go through 20,000 rows 20,000 times.
CREATE FUNCTION knowledge_unit_updated() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    edited_scopes text[];
    counted_scopes text[];
    survivors bigint[];
    reappeared bigint[];
    retyped bigint[];
BEGIN
    EXECUTE $query$
        WITH pairs AS (
            SELECT n.id, o.type AS old_type, n.type AS new_type,
                o.merged_into_id AS old_survivor, n.merged_into_id AS new_survivor,
                o.status = 'published' AND o.merged_into_id IS NULL
                    OR n.status = 'published' AND n.merged_into_id IS NULL AS shown,
                (o.type, o.slug, o.label, o.summary, o.summary_en, o.status, o.merged_into_id, o.symbol, o.website,
                 o.occurred_at)
                    IS DISTINCT FROM
                (n.type, n.slug, n.label, n.summary, n.summary_en, n.status, n.merged_into_id, n.symbol, n.website,
                 n.occurred_at) AS edited,
                (o.document_count, o.video_count) IS DISTINCT FROM (n.document_count, n.video_count) AS counted,
                (o.label, o.merged_into_id) IS DISTINCT FROM (n.label, n.merged_into_id) AS renamed,
                (o.type, o.slug, o.status, o.merged_into_id)
                    IS DISTINCT FROM
                (n.type, n.slug, n.status, n.merged_into_id) AS reappeared
            FROM old_rows o JOIN new_rows n USING (id)
        )
        SELECT
            array_agg(DISTINCT knowledge_unit_scope(old_type)) FILTER (WHERE shown AND edited)
                || array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND edited),
            array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND counted AND NOT edited),
            array_agg(DISTINCT old_survivor) FILTER (WHERE renamed AND old_survivor IS NOT NULL)
                || array_agg(DISTINCT new_survivor) FILTER (WHERE renamed AND new_survivor IS NOT NULL),
            array_agg(id) FILTER (WHERE reappeared),
            array_agg(id) FILTER (WHERE old_type <> new_type)
        FROM pairs
    $query$ INTO edited_scopes, counted_scopes, survivors, reappeared, retyped;

    PERFORM knowledge_note_change(scope) FROM (SELECT DISTINCT unnest(edited_scopes)) AS scopes (scope);
    PERFORM knowledge_note_change(scope, true)
    FROM (SELECT unnest(counted_scopes) EXCEPT SELECT unnest(edited_scopes)) AS scopes (scope);
    -- The names of a merged unit are aliases of its survivor.
    PERFORM knowledge_touch_units(survivors);
    -- A unit that appears, disappears or changes its address does so in the records of its events too.
    IF reappeared IS NOT NULL THEN
        PERFORM knowledge_touch_units(ARRAY(
            SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN knowledge_unit u ON u.id = link.unit_id
            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)
        ));
    END IF;
    IF retyped IS NOT NULL THEN
        PERFORM knowledge_alias_recopy_type(retyped);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_alias_recopy_type(units bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE knowledge_alias a SET unit_type = u.type
    FROM knowledge_unit u
    WHERE a.unit_id = ANY (units) AND u.id = a.unit_id AND a.unit_type <> u.type;
END $$;

CREATE FUNCTION knowledge_unit_truncated() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;
    RETURN NULL;
END $$;

CREATE TRIGGER unit_inserted AFTER INSERT ON knowledge_unit REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_inserted();
CREATE TRIGGER unit_updated AFTER UPDATE ON knowledge_unit REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_updated();
CREATE TRIGGER unit_deleted AFTER DELETE ON knowledge_unit REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_deleted();
CREATE TRIGGER unit_truncated BEFORE TRUNCATE ON knowledge_unit
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_truncated();
"""

UNITS_REVERSE = """
DROP TRIGGER unit_truncated ON knowledge_unit;
DROP TRIGGER unit_deleted ON knowledge_unit;
DROP TRIGGER unit_updated ON knowledge_unit;
DROP TRIGGER unit_inserted ON knowledge_unit;
DROP FUNCTION knowledge_unit_truncated();
DROP FUNCTION knowledge_unit_updated();
DROP FUNCTION knowledge_alias_recopy_type(bigint[]);
DROP FUNCTION knowledge_unit_deleted();
DROP FUNCTION knowledge_unit_inserted();
"""

# ---- What belongs to units: aliases, events' memberships, personas ----------------------------------------------
BELONGINGS = """
CREATE FUNCTION knowledge_alias_copy_type() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    SELECT type INTO NEW.unit_type FROM knowledge_unit WHERE id = NEW.unit_id;
    RETURN NEW;
END $$;

CREATE TRIGGER alias_copy_type BEFORE INSERT OR UPDATE OF unit_id, unit_type ON knowledge_alias
FOR EACH ROW EXECUTE FUNCTION knowledge_alias_copy_type();

-- The touch waits for whoever is changing the unit's type, so the copy is looked at again after it.
CREATE FUNCTION knowledge_alias_inserted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE active));
    PERFORM knowledge_alias_recopy_type(ARRAY(SELECT DISTINCT unit_id FROM new_rows));
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_alias_updated() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    owners bigint[];
BEGIN
    EXECUTE $query$
        SELECT array_agg(DISTINCT o.unit_id) || array_agg(DISTINCT n.unit_id)
        FROM old_rows o JOIN new_rows n USING (id)
        WHERE (o.active OR n.active)
          AND (o.unit_id, o.surface, o.active) IS DISTINCT FROM (n.unit_id, n.surface, n.active)
    $query$ INTO owners;
    PERFORM knowledge_touch_units(owners);
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_alias_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM old_rows WHERE active));
    RETURN NULL;
END $$;

CREATE TRIGGER alias_inserted AFTER INSERT ON knowledge_alias REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_alias_inserted();
CREATE TRIGGER alias_updated AFTER UPDATE ON knowledge_alias REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_alias_updated();
CREATE TRIGGER alias_deleted AFTER DELETE ON knowledge_alias REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_alias_deleted();
CREATE TRIGGER alias_truncated BEFORE TRUNCATE ON knowledge_alias
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_truncated();

-- A membership shows only while the unit it leads to is public.
CREATE FUNCTION knowledge_eventunit_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    links knowledge_eventunit[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        links := ARRAY(SELECT n FROM new_rows n);
    ELSIF TG_OP = 'DELETE' THEN
        links := ARRAY(SELECT o FROM old_rows o);
    ELSE
        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)
              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);
    END IF;
    PERFORM knowledge_touch_units(ARRAY(
        SELECT DISTINCT link.event_id
        FROM unnest(links) AS link
        JOIN knowledge_unit u ON u.id = link.unit_id
        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)
        WHERE survivor.status = 'published' AND survivor.type <> 'event'
    ));
    RETURN NULL;
END $$;

CREATE TRIGGER eventunit_inserted AFTER INSERT ON knowledge_eventunit REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_eventunit_changed();
CREATE TRIGGER eventunit_updated AFTER UPDATE ON knowledge_eventunit
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_eventunit_changed();
CREATE TRIGGER eventunit_deleted AFTER DELETE ON knowledge_eventunit REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_eventunit_changed();
CREATE TRIGGER eventunit_truncated BEFORE TRUNCATE ON knowledge_eventunit
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_truncated();

CREATE FUNCTION knowledge_persona_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    entities bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        entities := ARRAY(SELECT entity_id FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN
        entities := ARRAY(SELECT entity_id FROM old_rows);
    ELSE
        entities := ARRAY(
            SELECT DISTINCT entity
            FROM old_rows o JOIN new_rows n USING (id)
            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)
            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)
                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)
        );
    END IF;
    PERFORM knowledge_touch_units(entities);
    RETURN NULL;
END $$;

CREATE TRIGGER persona_inserted AFTER INSERT ON knowledge_persona REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_persona_changed();
CREATE TRIGGER persona_updated AFTER UPDATE ON knowledge_persona REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_persona_changed();
CREATE TRIGGER persona_deleted AFTER DELETE ON knowledge_persona REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_persona_changed();
CREATE TRIGGER persona_truncated BEFORE TRUNCATE ON knowledge_persona
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_unit_truncated();

SELECT knowledge_watch('knowledge_pulse', 'pulse', 'status = ''published''');
SELECT knowledge_watch('knowledge_personapost', 'post', 'status = ''published''');
SELECT knowledge_watch('knowledge_personapost_units', 'post');
"""

BELONGINGS_REVERSE = """
SELECT knowledge_unwatch('knowledge_personapost_units');
SELECT knowledge_unwatch('knowledge_personapost');
SELECT knowledge_unwatch('knowledge_pulse');
DROP TRIGGER persona_truncated ON knowledge_persona;
DROP TRIGGER persona_deleted ON knowledge_persona;
DROP TRIGGER persona_updated ON knowledge_persona;
DROP TRIGGER persona_inserted ON knowledge_persona;
DROP FUNCTION knowledge_persona_changed();
DROP TRIGGER eventunit_truncated ON knowledge_eventunit;
DROP TRIGGER eventunit_deleted ON knowledge_eventunit;
DROP TRIGGER eventunit_updated ON knowledge_eventunit;
DROP TRIGGER eventunit_inserted ON knowledge_eventunit;
DROP FUNCTION knowledge_eventunit_changed();
DROP TRIGGER alias_truncated ON knowledge_alias;
DROP TRIGGER alias_deleted ON knowledge_alias;
DROP TRIGGER alias_updated ON knowledge_alias;
DROP TRIGGER alias_inserted ON knowledge_alias;
DROP FUNCTION knowledge_alias_deleted();
DROP FUNCTION knowledge_alias_updated();
DROP FUNCTION knowledge_alias_inserted();
DROP TRIGGER alias_copy_type ON knowledge_alias;
DROP FUNCTION knowledge_alias_copy_type();
"""

# ---- Redirects ------------------------------------------------------------------------------------------------
# Checked at commit, so that a curator may merge and repoint in any order. The share lock on the target makes two
# merges that would form a chain meet: the second to commit sees the first.
REDIRECTS = """
CREATE FUNCTION knowledge_unit_redirects_one_hop() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    target bigint;
BEGIN
    SELECT merged_into_id INTO target FROM knowledge_unit WHERE id = NEW.id;
    IF target IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;
    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN
        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';
    END IF;
    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN
        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER unit_redirects_one_hop AFTER INSERT OR UPDATE OF merged_into_id ON knowledge_unit
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.merged_into_id IS NOT NULL) EXECUTE FUNCTION knowledge_unit_redirects_one_hop();
"""

REDIRECTS_REVERSE = """
DROP TRIGGER unit_redirects_one_hop ON knowledge_unit;
DROP FUNCTION knowledge_unit_redirects_one_hop();
"""

# ---- Bodies ---------------------------------------------------------------------------------------------------
# Two of the three are compressed already, and compressing the third again would cost half of a build's time.
BODIES = """
ALTER TABLE knowledge_publication
    ALTER COLUMN body SET STORAGE EXTERNAL, ALTER COLUMN gz SET STORAGE EXTERNAL, ALTER COLUMN br SET STORAGE EXTERNAL;
"""

BODIES_REVERSE = """
ALTER TABLE knowledge_publication
    ALTER COLUMN body SET STORAGE EXTENDED, ALTER COLUMN gz SET STORAGE EXTENDED, ALTER COLUMN br SET STORAGE EXTENDED;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("knowledge", "0001_initial")]

    operations: ClassVar[list[migrations.RunSQL]] = [
        migrations.RunSQL(NOTES, NOTES_REVERSE),
        migrations.RunSQL(OWNERSHIP, OWNERSHIP_REVERSE),
        migrations.RunSQL(UNITS, UNITS_REVERSE),
        migrations.RunSQL(BELONGINGS, BELONGINGS_REVERSE),
        migrations.RunSQL(REDIRECTS, REDIRECTS_REVERSE),
        migrations.RunSQL(BODIES, BODIES_REVERSE),
    ]
