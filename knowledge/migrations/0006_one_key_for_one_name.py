"""Keys of aliases in their new normal form, a stamp of what the linker is built from, and names of retracted units.

Aliases that differ only in dashes or in characters that nobody sees have one key from here on. Where that makes two of
them collide nothing is lost: they stay active and become ambiguous, which the desk's list of clashes shows.
"""

import logging
import unicodedata
from collections import defaultdict
from typing import Any, ClassVar

from django.db import migrations

logger = logging.getLogger(__name__)

# Whoever changes an alias, or a unit's name or standing, writes a new stamp in the same transaction: it is seen when the
# change is, and one that was rolled back never comes again. Each takes a row that nobody holds, so none waits.
STAMPS = """
CREATE TABLE knowledge_vocabulary_stamp (
    slot integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stamp uuid NOT NULL
);

CREATE FUNCTION knowledge_vocabulary_changed() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE knowledge_vocabulary_stamp SET stamp = gen_random_uuid()
    WHERE slot = (SELECT slot FROM knowledge_vocabulary_stamp ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO knowledge_vocabulary_stamp (stamp) VALUES (gen_random_uuid());
    END IF;
END $$;

CREATE FUNCTION knowledge_vocabulary_note() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_vocabulary_changed();
    RETURN NULL;
END $$;

-- Counts and summaries change all day, and the linker reads neither.
CREATE FUNCTION knowledge_vocabulary_note_units() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    renamed boolean;
BEGIN
    EXECUTE $query$
        SELECT EXISTS (
            SELECT FROM old_rows o JOIN new_rows n USING (id)
            WHERE (o.type, o.slug, o.label, o.symbol, o.status, o.merged_into_id)
                  IS DISTINCT FROM (n.type, n.slug, n.label, n.symbol, n.status, n.merged_into_id)
        )
    $query$ INTO renamed;
    IF renamed THEN
        PERFORM knowledge_vocabulary_changed();
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER vocabulary_alias AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON knowledge_alias
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_vocabulary_note();
CREATE TRIGGER vocabulary_unit AFTER INSERT OR DELETE OR TRUNCATE ON knowledge_unit
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_vocabulary_note();
CREATE TRIGGER vocabulary_unit_updated AFTER UPDATE ON knowledge_unit
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_vocabulary_note_units();
"""

STAMPS_REVERSE = """
DROP TRIGGER vocabulary_unit_updated ON knowledge_unit;
DROP TRIGGER vocabulary_unit ON knowledge_unit;
DROP TRIGGER vocabulary_alias ON knowledge_alias;
DROP FUNCTION knowledge_vocabulary_note_units();
DROP FUNCTION knowledge_vocabulary_note();
DROP FUNCTION knowledge_vocabulary_changed();
DROP TABLE knowledge_vocabulary_stamp;
"""

# A merged unit lends its names to the survivor unless it is retracted.
LENT_NAMES = """
CREATE FUNCTION knowledge_unit_lends_names() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_touch_units(ARRAY[NEW.merged_into_id]);
    RETURN NULL;
END $$;

CREATE TRIGGER unit_lends_names AFTER UPDATE OF status ON knowledge_unit
FOR EACH ROW WHEN (NEW.merged_into_id IS NOT NULL AND OLD.status IS DISTINCT FROM NEW.status)
EXECUTE FUNCTION knowledge_unit_lends_names();
"""

LENT_NAMES_REVERSE = """
DROP TRIGGER unit_lends_names ON knowledge_unit;
DROP FUNCTION knowledge_unit_lends_names();
"""

# As the linker's normal form stood when this was written; a later form brings its own migration.
SEPARATORS = "()·・‧-‐‒–—―−"
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"


def key_of(surface: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", surface).casefold())
    return unicodedata.normalize("NFKC", "".join(char for char in folded if counts(char)))


def counts(char: str) -> bool:
    """Whether a character is part of a key: no separator, no white space, nothing that draws nothing."""
    variation = 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF
    invisible = variation or char in BLANK or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")
    return not (invisible or char in SEPARATORS or char.isspace())


def renew_keys(apps: Any, schema_editor: Any) -> None:
    """Give every alias its new key. What now collides with another becomes ambiguous before its key does."""
    aliases = apps.get_model("knowledge", "Alias").objects
    keys = {row.pk: (key_of(row.surface) or row.norm)[:120] for row in aliases.only("surface", "norm")}
    groups = defaultdict(list)
    for row in aliases.filter(active=True, ambiguous=False).order_by("pk"):
        groups[row.unit_type, keys[row.pk]].append(row)
    for rows in groups.values():
        # Of one unit's the first stays as it is; of several units' none can.
        doubtful = rows[1:] if len({row.unit_id for row in rows}) == 1 else rows
        for row in doubtful if len(rows) > 1 else ():
            logger.warning("alias %d is ambiguous now: another one has its key", row.pk)
            aliases.filter(pk=row.pk).update(ambiguous=True)
    for row in aliases.only("norm"):
        if row.norm != keys[row.pk]:
            aliases.filter(pk=row.pk).update(norm=keys[row.pk])


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("knowledge", "0005_partly_failed_runs")]

    operations: ClassVar[list[Any]] = [
        migrations.RunSQL(STAMPS, STAMPS_REVERSE),
        migrations.RunSQL(LENT_NAMES, LENT_NAMES_REVERSE),
        migrations.RunPython(renew_keys, migrations.RunPython.noop),
    ]
