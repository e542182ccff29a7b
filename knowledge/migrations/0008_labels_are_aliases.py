"""A unit's label is a row of its aliases, which the database writes and keeps.

Existing aliases stay as they are, one that equals its unit's label too: it is an editor's word on the name.
"""

from importlib import import_module
from typing import Any, ClassVar

from django.db import migrations, models

former = import_module("knowledge.migrations.0006_one_key_for_one_name")

# A rename is told once, by the unit itself: what its label's row does touches nothing.
TOUCHES = """
CREATE OR REPLACE FUNCTION knowledge_alias_inserted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE active AND {ordinary}));
    PERFORM knowledge_alias_recopy_type(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE {ordinary}));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION knowledge_alias_updated() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    owners bigint[];
BEGIN
    EXECUTE $query$
        SELECT array_agg(DISTINCT o.unit_id) || array_agg(DISTINCT n.unit_id)
        FROM (SELECT * FROM old_rows WHERE {ordinary}) o JOIN new_rows n USING (id)
        WHERE (o.active OR n.active)
          AND (o.unit_id, o.surface, o.active) IS DISTINCT FROM (n.unit_id, n.surface, n.active)
    $query$ INTO owners;
    PERFORM knowledge_touch_units(owners);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION knowledge_alias_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM old_rows WHERE active AND {ordinary}));{restoring}
    RETURN NULL;
END $$;
"""

# The key is that of ``normalise_alias`` as far as Postgres can; a unit saved by the application gets the exact one.
LABELS = """
CREATE FUNCTION knowledge_label_rows(units bigint[]) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO knowledge_alias
        (unit_id, unit_type, surface, norm, is_label, lang, case_sensitive, ambiguous, blocked_contexts, active)
    SELECT id, type, label, left(translate(lower(normalize(label, NFKC)), ' ()·・‧-‐‒–—―−', ''), 200),
        true, '', false, false, '[]', true
    FROM knowledge_unit WHERE id = ANY (units) ORDER BY id
    ON CONFLICT (unit_id) WHERE is_label DO UPDATE SET surface = EXCLUDED.surface, norm = EXCLUDED.norm
$$;

CREATE FUNCTION knowledge_label_insert() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_label_rows(ARRAY(SELECT id FROM new_rows));
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_label_rename() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_label_rows(ARRAY[NEW.id]);
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_label_delete() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM knowledge_alias WHERE is_label AND unit_id IN (SELECT id FROM old_rows);
    RETURN NULL;
END $$;

CREATE FUNCTION knowledge_label_restore() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM knowledge_label_rows(ARRAY(SELECT id FROM knowledge_unit));
    RETURN NULL;
END $$;

-- Whoever updates many aliases may meet labels among them: only the key may be put right.
CREATE FUNCTION knowledge_label_keep() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    OLD.norm := NEW.norm;
    RETURN OLD;
END $$;

CREATE TRIGGER label_insert AFTER INSERT ON knowledge_unit REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_label_insert();
CREATE TRIGGER label_rename AFTER UPDATE OF label ON knowledge_unit
FOR EACH ROW WHEN (OLD.label IS DISTINCT FROM NEW.label) EXECUTE FUNCTION knowledge_label_rename();
CREATE TRIGGER label_delete AFTER DELETE ON knowledge_unit REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_label_delete();
CREATE TRIGGER label_restore AFTER TRUNCATE ON knowledge_alias
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_label_restore();
CREATE TRIGGER label_keep BEFORE UPDATE ON knowledge_alias
FOR EACH ROW WHEN (OLD.is_label AND pg_trigger_depth() = 0) EXECUTE FUNCTION knowledge_label_keep();
"""

LABELS_REVERSE = """
DROP TRIGGER label_keep ON knowledge_alias;
DROP TRIGGER label_restore ON knowledge_alias;
DROP TRIGGER label_delete ON knowledge_unit;
DROP TRIGGER label_rename ON knowledge_unit;
DROP TRIGGER label_insert ON knowledge_unit;
DROP FUNCTION knowledge_label_keep();
DROP FUNCTION knowledge_label_restore();
DROP FUNCTION knowledge_label_delete();
DROP FUNCTION knowledge_label_rename();
DROP FUNCTION knowledge_label_insert();
DROP FUNCTION knowledge_label_rows(bigint[]);
DELETE FROM knowledge_alias WHERE is_label;
"""

RESTORING = """
    PERFORM knowledge_label_rows(ARRAY(SELECT unit_id FROM old_rows WHERE is_label));"""


def fill(apps: Any, schema_editor: Any) -> None:
    """A row for every label, under its exact key."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT knowledge_label_rows(ARRAY(SELECT id FROM knowledge_unit))")
        cursor.execute("SELECT id, surface, norm FROM knowledge_alias WHERE is_label")
        exact = ((former.key_of(surface)[:200], norm, key) for key, surface, norm in cursor.fetchall())
        renewed = [(new, key) for new, norm, key in exact if new != norm]
        cursor.executemany("UPDATE knowledge_alias SET norm = %s WHERE id = %s", renewed)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("knowledge", "0007_mention_reviews")]

    operations: ClassVar[list[Any]] = [
        migrations.AlterModelOptions(
            name="alias",
            options={
                "base_manager_name": "objects",
                "verbose_name": "별칭",
                "verbose_name_plural": "별칭",
            },
        ),
        migrations.AddField(
            model_name="alias",
            name="is_label",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        *(
            migrations.AlterField(
                model_name=model,
                name="surface",
                field=models.CharField(max_length=200, verbose_name="표기"),
            )
            for model in ("alias", "historicalalias")
        ),
        migrations.AlterField(
            model_name="alias",
            name="norm",
            field=models.CharField(editable=False, max_length=200, verbose_name="정규형"),
        ),
        *(
            migrations.RemoveConstraint(model_name="alias", name=name)
            for name in ("alias_surface_once_per_unit", "alias_norm_unique_per_type", "alias_norm_present")
        ),
        migrations.AddConstraint(
            model_name="alias",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_label", True)), fields=("unit",), name="alias_one_label_per_unit"
            ),
        ),
        migrations.AddConstraint(
            model_name="alias",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_label", False)),
                fields=("unit", "surface"),
                name="alias_surface_once_per_unit",
            ),
        ),
        migrations.AddConstraint(
            model_name="alias",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True), ("ambiguous", False), ("is_label", False)),
                fields=("unit_type", "norm"),
                name="alias_norm_unique_per_type",
            ),
        ),
        migrations.AddConstraint(
            model_name="alias",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("norm", ""), _negated=True), ("is_label", True), _connector="OR"),
                name="alias_norm_present",
            ),
        ),
        migrations.RunSQL(LABELS, LABELS_REVERSE),
        migrations.RunSQL(
            TOUCHES.format(ordinary="NOT is_label", restoring=RESTORING),
            TOUCHES.format(ordinary="true", restoring=""),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
