"""Triggers stand beside their models, each with a function of its own; what several call stays as it is.

The way back makes everything anew as the migrations before made it.
"""

from importlib import import_module

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations
from django.db.migrations.operations.base import Operation

triggers, keys, labels, documents, weeks, terms = (
    import_module(f"knowledge.migrations.{name}")
    for name in (
        "0002_triggers",
        "0006_one_key_for_one_name",
        "0008_labels_are_aliases",
        "0011_documents_of_units",
        "0013_weeks_of_units",
        "0014_terms_of_documents",
    )
)

# With the triggers that call them.
DROP = """
DROP FUNCTION knowledge_watch(regclass, text, text), knowledge_unwatch(regclass);
DROP FUNCTION
    knowledge_note_rows(), knowledge_unit_own_updated_at(), knowledge_unit_inserted(), knowledge_unit_deleted(),
    knowledge_unit_updated(), knowledge_unit_truncated(), knowledge_alias_copy_type(), knowledge_alias_inserted(),
    knowledge_alias_updated(), knowledge_alias_deleted(), knowledge_eventunit_changed(), knowledge_persona_changed(),
    knowledge_unit_redirects_one_hop(), knowledge_vocabulary_note(), knowledge_vocabulary_note_units(),
    knowledge_unit_lends_names(), knowledge_label_insert(), knowledge_label_rename(), knowledge_label_delete(),
    knowledge_label_restore(), knowledge_label_keep(), knowledge_reason_changed(), knowledge_member_added(),
    knowledge_cluster_event_changed(), knowledge_source_creator_changed(), knowledge_document_inserted(),
    knowledge_document_updated(), knowledge_paired_deleted(), knowledge_pair_noted(), knowledge_family_changed(),
    knowledge_terms_stale(), knowledge_text_changed()
CASCADE;
"""
# What stayed is made again with the rest; no stamp that is kept anywhere equals one of the new table.
DROP_WHAT_STAYED = """
DROP FUNCTION
    knowledge_note_change(text, boolean), knowledge_unit_scope(text), knowledge_touch_units(bigint[]),
    knowledge_alias_recopy_type(bigint[]), knowledge_vocabulary_changed(), knowledge_label_rows(bigint[]);
DROP TABLE knowledge_vocabulary_stamp;
"""
MAKE_ANEW = [
    DROP_WHAT_STAYED,
    *(triggers.NOTES, triggers.OWNERSHIP, triggers.UNITS, triggers.BELONGINGS, triggers.REDIRECTS),
    *(keys.STAMPS, keys.LENT_NAMES),
    *(labels.LABELS, labels.TOUCHES.format(ordinary="NOT is_label", restoring=labels.RESTORING)),
    *(documents.REASONS, documents.STEPS, weeks.NOTED, terms.STALE),
]


class AddTriggers(Operation):
    """All of them at once: the models are rendered anew once, not once for each, which would take a second."""

    def __init__(self, operations):
        self.operations = operations

    def state_forwards(self, app_label, state):
        for operation in self.operations:
            options = state.models[app_label, operation.model_name].options
            options["triggers"] = [*options.get("triggers", ()), operation.trigger]
        state.reload_models({(app_label, operation.model_name) for operation in self.operations})

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)


TRIGGERS = [
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='alias_copy_type', sql=pgtrigger.compiler.UpsertTriggerSql(func='SELECT type INTO NEW.unit_type FROM knowledge_unit WHERE id = NEW.unit_id; RETURN NEW;', hash='373b40f1e93d38fa87dab845dba69bb60200c4af', operation='INSERT OR UPDATE OF "unit_id", "unit_type"', pgid='pgtrigger_alias_copy_type_e624b', table='knowledge_alias', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='label_keep', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.is_label AND pg_trigger_depth() = 0)', func='OLD.norm := NEW.norm; RETURN OLD;', hash='391ccce5a540b3083b17298cffed0336b93d4fbd', operation='UPDATE', pgid='pgtrigger_label_keep_25a0d', table='knowledge_alias', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='alias_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE active AND NOT is_label));\nPERFORM knowledge_alias_recopy_type(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE NOT is_label));\nRETURN NULL;', hash='b9ff2cb94f5b9895df5039ae5a52cd59816c1c52', level='STATEMENT', operation='INSERT', pgid='pgtrigger_alias_inserted_e5660', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_alias', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='alias_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func='DECLARE\n    owners bigint[];\nBEGIN\n    EXECUTE $query$\n        SELECT array_agg(DISTINCT o.unit_id) || array_agg(DISTINCT n.unit_id)\n        FROM (SELECT * FROM old_rows WHERE NOT is_label) o JOIN new_rows n USING (id)\n        WHERE (o.active OR n.active)\n          AND (o.unit_id, o.surface, o.active) IS DISTINCT FROM (n.unit_id, n.surface, n.active)\n    $query$ INTO owners;\n    PERFORM knowledge_touch_units(owners);\nEND;\nRETURN NULL;', hash='3c5287e79f3166c1986dd89187199731c6f84754', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_alias_updated_1511d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_alias', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='alias_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM old_rows WHERE active AND NOT is_label));\nPERFORM knowledge_label_rows(ARRAY(SELECT unit_id FROM old_rows WHERE is_label));\nRETURN NULL;', hash='b60bafdac884dbffd5a08ca312528a78783d1480', level='STATEMENT', operation='DELETE', pgid='pgtrigger_alias_deleted_01850', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_alias', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='alias_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nRETURN NULL;", hash='40129bf3f8f8c948a45cb08c672bcc6f239bb3bd', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_alias_truncated_88afc', table='knowledge_alias', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='label_restore', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_label_rows(ARRAY(SELECT id FROM knowledge_unit));\nRETURN NULL;', hash='b79c5e3a12a8ad4c2afdfb25131e8638c4306cef', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_label_restore_58bf7', table='knowledge_alias', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='alias',
        trigger=pgtrigger.compiler.Trigger(name='vocabulary_alias', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_vocabulary_changed();\nRETURN NULL;', hash='a4df089b935fc33caaad294a682bae1e7e880697', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_vocabulary_alias_d3ce7', table='knowledge_alias', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='clusterdocument',
        trigger=pgtrigger.compiler.Trigger(name='pair_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_pair(ARRAY(\n    SELECT n.document_id FROM new_rows n JOIN knowledge_eventcluster cluster ON cluster.id = n.cluster_id\n    WHERE cluster.event_id IS NOT NULL\n));\nRETURN NULL;', hash='05046fed174d7c940993146b5c47c7aa1fb5ccab', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_inserted_e80d5', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_clusterdocument', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='clusterdocument',
        trigger=pgtrigger.compiler.Trigger(name='pair_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='cf9492d2afbf72a4895c38fd8787c3f383c49540', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_updated_9fcb7', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_clusterdocument', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='clusterdocument',
        trigger=pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='4b920466ebc3f80370f45a3b80a9abaa9e7adfcf', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_53b23', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_clusterdocument', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='document',
        trigger=pgtrigger.compiler.Trigger(name='pair_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_pair(ARRAY(\n    SELECT n.id FROM new_rows n JOIN knowledge_source source ON source.id = n.source_id\n    WHERE source.creator_id IS NOT NULL\n));\nRETURN NULL;', hash='9a988a2a9e16a7feb4bab7f3ffbb0fe6a278d93c', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_inserted_22825', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_document', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='document',
        trigger=pgtrigger.compiler.Trigger(name='pair_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func='DECLARE\n    changed bigint[];\nBEGIN\n    EXECUTE $query$\n        SELECT array_agg(n.id) FROM old_rows o JOIN new_rows n USING (id)\n        WHERE (o.source_id, o.kind, o.published_at, o.withdrawn)\n              IS DISTINCT FROM (n.source_id, n.kind, n.published_at, n.withdrawn)\n    $query$ INTO changed;\n    PERFORM knowledge_pair(changed);\nEND;\nRETURN NULL;', hash='979b1e1334bce11dbc9f254bfeecc667323fafd0', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_updated_87e56', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_document', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='document',
        trigger=pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="EXECUTE 'DELETE FROM knowledge_documentunit pair USING old_rows o WHERE pair.document_id = o.id';\nRETURN NULL;", hash='b912629d250657170d666851ac1f29140613de3f', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_1fb0a', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_document', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='document',
        trigger=pgtrigger.compiler.Trigger(name='terms_text', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."summary" IS DISTINCT FROM (NEW."summary") OR OLD."title" IS DISTINCT FROM (NEW."title"))', func='DELETE FROM knowledge_documentterms WHERE document_id = NEW.id;\nRETURN NULL;', hash='70e3df9351897e2145f99597c031bd7f654fb0d3', operation='UPDATE OF "title", "summary"', pgid='pgtrigger_terms_text_a5e4d', table='knowledge_document', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='documentunit',
        trigger=pgtrigger.compiler.Trigger(name='pair_noted_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;\nEND IF;\nRETURN NULL;", hash='6f1a6c5a12c36ce94ad279556e2416a2fd7f0f3e', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_noted_inserted_d9375', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='documentunit',
        trigger=pgtrigger.compiler.Trigger(name='pair_noted_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;\nEND IF;\nRETURN NULL;", hash='819ec03b5d5c753cbd9c13c9cc576f265af39c9a', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_noted_updated_b473b', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='documentunit',
        trigger=pgtrigger.compiler.Trigger(name='pair_noted_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)\n    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;\nEND IF;\nRETURN NULL;", hash='94999ade617c022c42cf4725846256076866c802', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_noted_deleted_92761', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_documentunit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='eventcluster',
        trigger=pgtrigger.compiler.Trigger(name='pair_event', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."event_id" IS DISTINCT FROM (NEW."event_id"))', func='PERFORM knowledge_pair(ARRAY(SELECT document_id FROM knowledge_clusterdocument WHERE cluster_id = NEW.id));\nRETURN NULL;', hash='c2c0ab1cb38e31f98870803e0587c6db663af217', operation='UPDATE OF "event_id"', pgid='pgtrigger_pair_event_532af', table='knowledge_eventcluster', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='eventunit',
        trigger=pgtrigger.compiler.Trigger(name='eventunit_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='5813ee31b5656e01f5e9361be0b441b9e640f6ec', level='STATEMENT', operation='INSERT', pgid='pgtrigger_eventunit_inserted_2fefc', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_eventunit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='eventunit',
        trigger=pgtrigger.compiler.Trigger(name='eventunit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='4713fac4f84c052c04077dfaf10a6e7242989156', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_eventunit_updated_2584d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_eventunit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='eventunit',
        trigger=pgtrigger.compiler.Trigger(name='eventunit_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='8a6a091958583df1b4a72f5f7cc99bbd9a58bae0', level='STATEMENT', operation='DELETE', pgid='pgtrigger_eventunit_deleted_ea887', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_eventunit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='eventunit',
        trigger=pgtrigger.compiler.Trigger(name='eventunit_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nRETURN NULL;", hash='e179ff3dd59346b9d4c7667f0deee0a30698d722', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_eventunit_truncated_0c6fc', table='knowledge_eventunit', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='mention',
        trigger=pgtrigger.compiler.Trigger(name='pair_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='93ba2e3fa42cc58e2e09913f0a33c3f849b2a253', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_inserted_6e342', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='mention',
        trigger=pgtrigger.compiler.Trigger(name='pair_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='0b6ac76d5b2ddb7f4014d419fdcb5c92f487b1c1', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_updated_ea6bd', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='mention',
        trigger=pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP = 'INSERT' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));\nELSIF TG_OP = 'DELETE' THEN\n    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));\nELSE\n    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));\nEND IF;\nRETURN NULL;", hash='691db0a6094688f2d1b0c13d3dabafeb8b4dc6be', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_1298f', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_mention', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='mention',
        trigger=pgtrigger.compiler.Trigger(name='terms_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);\nEND IF;\nRETURN NULL;", hash='0fd80880d3d13361136a6e7a77c4cfa85e8cbb38', level='STATEMENT', operation='INSERT', pgid='pgtrigger_terms_inserted_4d235', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='mention',
        trigger=pgtrigger.compiler.Trigger(name='terms_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);\nEND IF;\nRETURN NULL;", hash='f87744719089ca345640155be6a66c186968de71', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_terms_updated_20135', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_mention', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='mention',
        trigger=pgtrigger.compiler.Trigger(name='terms_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="IF TG_OP <> 'INSERT' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);\nEND IF;\nIF TG_OP <> 'DELETE' THEN\n    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);\nEND IF;\nRETURN NULL;", hash='e10a424317d02d50e1fb926bfd665614a9fae671', level='STATEMENT', operation='DELETE', pgid='pgtrigger_terms_deleted_255a5', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_mention', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='persona',
        trigger=pgtrigger.compiler.Trigger(name='persona_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    entities bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        entities := ARRAY(SELECT entity_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        entities := ARRAY(SELECT entity_id FROM old_rows);\n    ELSE\n        entities := ARRAY(\n            SELECT DISTINCT entity\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)\n            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)\n                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(entities);\nEND;\nRETURN NULL;", hash='4870966702514234bd11392fe9d86ec9d9becdff', level='STATEMENT', operation='INSERT', pgid='pgtrigger_persona_inserted_dbd9e', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_persona', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='persona',
        trigger=pgtrigger.compiler.Trigger(name='persona_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    entities bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        entities := ARRAY(SELECT entity_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        entities := ARRAY(SELECT entity_id FROM old_rows);\n    ELSE\n        entities := ARRAY(\n            SELECT DISTINCT entity\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)\n            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)\n                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(entities);\nEND;\nRETURN NULL;", hash='9d2ae08a5fe3783217a56e84a0e0617c0bbefcf2', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_persona_updated_50743', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_persona', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='persona',
        trigger=pgtrigger.compiler.Trigger(name='persona_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    entities bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        entities := ARRAY(SELECT entity_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        entities := ARRAY(SELECT entity_id FROM old_rows);\n    ELSE\n        entities := ARRAY(\n            SELECT DISTINCT entity\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)\n            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)\n                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(entities);\nEND;\nRETURN NULL;", hash='5339147135fc7c3aba3feab0a9b4975e68419ec6', level='STATEMENT', operation='DELETE', pgid='pgtrigger_persona_deleted_437e0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_persona', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='persona',
        trigger=pgtrigger.compiler.Trigger(name='persona_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nRETURN NULL;", hash='c95ac02a8eb92e5c7696d56515e477c516ccb8c7', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_persona_truncated_acafa', table='knowledge_persona', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='personapost',
        trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='4db142d80055e82c0e4dffbf6a4964510f7f4bec', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_04fdb', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_personapost', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='personapost',
        trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='7551729974f92ef4e75434176806325ea4a6a6da', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_ae05c', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_personapost', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='personapost',
        trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='98881dcc7e8087aa2fc827245287458cb9a2763e', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_b6a5a', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_personapost', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='personapost',
        trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('post');\n    END IF;\nEND;\nRETURN NULL;", hash='c0c9f852ddd4e60b3cbfad53b15abd46f2707f53', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_0cf79', table='knowledge_personapost', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='pulse',
        trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='0ffb725fd6d51f377d3ec06b343e5d720d51e958', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_e7fc3', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_pulse', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='pulse',
        trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='33625600c96f1300618eefacd6d680bb19edaa5f', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_48727', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_pulse', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='pulse',
        trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='0641a62ea8c0157b5ff311039f726dba6a84b8ba', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_0f074', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_pulse', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='pulse',
        trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE status = 'published');\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE status = 'published');\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE status = 'published' EXCEPT SELECT * FROM old_rows WHERE status = 'published')\n            UNION ALL (SELECT * FROM old_rows WHERE status = 'published' EXCEPT SELECT * FROM new_rows WHERE status = 'published')\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('pulse');\n    END IF;\nEND;\nRETURN NULL;", hash='bc0879fd01974de9aeb346cac18c90a563c3675b', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_f288e', table='knowledge_pulse', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='source',
        trigger=pgtrigger.compiler.Trigger(name='pair_creator', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."creator_id" IS DISTINCT FROM (NEW."creator_id"))', func='PERFORM knowledge_pair(ARRAY(SELECT id FROM knowledge_document WHERE source_id = NEW.id));\nRETURN NULL;', hash='48e8cd91289a636f0feb8cf557df0f0ca2b79730', operation='UPDATE OF "creator_id"', pgid='pgtrigger_pair_creator_c5255', table='knowledge_source', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_own_updated_at', sql=pgtrigger.compiler.UpsertTriggerSql(func='IF (NEW.type, NEW.slug, NEW.label, NEW.summary, NEW.summary_en, NEW.status, NEW.merged_into_id, NEW.symbol,\n    NEW.website, NEW.occurred_at)\n   IS DISTINCT FROM\n   (OLD.type, OLD.slug, OLD.label, OLD.summary, OLD.summary_en, OLD.status, OLD.merged_into_id, OLD.symbol,\n    OLD.website, OLD.occurred_at)\nTHEN\n    NEW.updated_at := now();\nELSIF pg_trigger_depth() = 1 THEN\n    NEW.updated_at := OLD.updated_at;\nEND IF;\nRETURN NEW;', hash='a7640ee09818f592d30b97b86fc58739c68ba30b', operation='UPDATE', pgid='pgtrigger_unit_own_updated_at_673fc', table='knowledge_unit', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM (\n    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM new_rows\n    WHERE status = 'published' AND merged_into_id IS NULL\n) AS scopes;\nPERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM new_rows WHERE merged_into_id IS NOT NULL));\nRETURN NULL;", hash='d97e1cd120377d65a0eaa969651c7eda3e3d9a30', level='STATEMENT', operation='INSERT', pgid='pgtrigger_unit_inserted_dbdcb', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    edited_scopes text[];\n    counted_scopes text[];\n    survivors bigint[];\n    reappeared bigint[];\n    retyped bigint[];\nBEGIN\n    EXECUTE $query$\n        WITH pairs AS (\n            SELECT n.id, o.type AS old_type, n.type AS new_type,\n                o.merged_into_id AS old_survivor, n.merged_into_id AS new_survivor,\n                o.status = 'published' AND o.merged_into_id IS NULL\n                    OR n.status = 'published' AND n.merged_into_id IS NULL AS shown,\n                (o.type, o.slug, o.label, o.summary, o.summary_en, o.status, o.merged_into_id, o.symbol, o.website,\n                 o.occurred_at)\n                    IS DISTINCT FROM\n                (n.type, n.slug, n.label, n.summary, n.summary_en, n.status, n.merged_into_id, n.symbol, n.website,\n                 n.occurred_at) AS edited,\n                (o.document_count, o.video_count) IS DISTINCT FROM (n.document_count, n.video_count) AS counted,\n                (o.label, o.merged_into_id) IS DISTINCT FROM (n.label, n.merged_into_id) AS renamed,\n                (o.type, o.slug, o.status, o.merged_into_id)\n                    IS DISTINCT FROM\n                (n.type, n.slug, n.status, n.merged_into_id) AS reappeared\n            FROM old_rows o JOIN new_rows n USING (id)\n        )\n        SELECT\n            array_agg(DISTINCT knowledge_unit_scope(old_type)) FILTER (WHERE shown AND edited)\n                || array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND edited),\n            array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND counted AND NOT edited),\n            array_agg(DISTINCT old_survivor) FILTER (WHERE renamed AND old_survivor IS NOT NULL)\n                || array_agg(DISTINCT new_survivor) FILTER (WHERE renamed AND new_survivor IS NOT NULL),\n            array_agg(id) FILTER (WHERE reappeared),\n            array_agg(id) FILTER (WHERE old_type <> new_type)\n        FROM pairs\n    $query$ INTO edited_scopes, counted_scopes, survivors, reappeared, retyped;\n\n    PERFORM knowledge_note_change(scope) FROM (SELECT DISTINCT unnest(edited_scopes)) AS scopes (scope);\n    PERFORM knowledge_note_change(scope, true)\n    FROM (SELECT unnest(counted_scopes) EXCEPT SELECT unnest(edited_scopes)) AS scopes (scope);\n    PERFORM knowledge_touch_units(survivors);\n    IF reappeared IS NOT NULL THEN\n        PERFORM knowledge_touch_units(ARRAY(\n            SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN knowledge_unit u ON u.id = link.unit_id\n            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)\n        ));\n    END IF;\n    IF retyped IS NOT NULL THEN\n        PERFORM knowledge_alias_recopy_type(retyped);\n    END IF;\nEND;\nRETURN NULL;", hash='bdffad3a370b26ad92b33a9c91c4d37334dda18b', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_unit_updated_4f0cf', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM (\n    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM old_rows\n    WHERE status = 'published' AND merged_into_id IS NULL\n) AS scopes;\nPERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM old_rows WHERE merged_into_id IS NOT NULL));\nRETURN NULL;", hash='276c23e8a2acf47bbe5b6dcb14526e71b47e51e8', level='STATEMENT', operation='DELETE', pgid='pgtrigger_unit_deleted_be3b0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nRETURN NULL;", hash='329fd5228aa05893a4fa479f3484127c1d32ff31', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_unit_truncated_7d127', table='knowledge_unit', when='BEFORE')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_redirects_one_hop', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.merged_into_id IS NOT NULL)', constraint='CONSTRAINT', func="DECLARE\n    target bigint;\nBEGIN\n    SELECT merged_into_id INTO target FROM knowledge_unit WHERE id = NEW.id;\n    IF target IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN\n        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\nEND;\nRETURN NULL;", hash='90826144842bbd07887cab740998f15a095b0f5f', operation='INSERT OR UPDATE OF "merged_into_id"', pgid='pgtrigger_unit_redirects_one_hop_0b4ce', table='knowledge_unit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='unit_lends_names', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.merged_into_id IS NOT NULL AND OLD.status IS DISTINCT FROM NEW.status)', func='PERFORM knowledge_touch_units(ARRAY[NEW.merged_into_id]);\nRETURN NULL;', hash='cffed4fb1e4dc03c99096790d16bd20bcc52432a', operation='UPDATE OF "status"', pgid='pgtrigger_unit_lends_names_6c505', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='family_changed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."merged_into_id" IS DISTINCT FROM (NEW."merged_into_id"))', func="INSERT INTO knowledge_documentunitchange (unit_id, step, video)\nSELECT unit, 0, false FROM unnest(ARRAY[OLD.id, OLD.merged_into_id]) AS unit WHERE unit IS NOT NULL;\nIF TG_OP = 'UPDATE' AND NEW.merged_into_id IS NOT NULL THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, step, video) VALUES (NEW.merged_into_id, 0, false);\nEND IF;\nRETURN NULL;", hash='6452ac0f70dcda2ce10f10776da7d31f18fec409', operation='UPDATE OF "merged_into_id"', pgid='pgtrigger_family_changed_8c52c', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='family_left', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.merged_into_id IS NOT NULL)', func="INSERT INTO knowledge_documentunitchange (unit_id, step, video)\nSELECT unit, 0, false FROM unnest(ARRAY[OLD.id, OLD.merged_into_id]) AS unit WHERE unit IS NOT NULL;\nIF TG_OP = 'UPDATE' AND NEW.merged_into_id IS NOT NULL THEN\n    INSERT INTO knowledge_documentunitchange (unit_id, step, video) VALUES (NEW.merged_into_id, 0, false);\nEND IF;\nRETURN NULL;", hash='f3bb63b8b3510692a85ae1372724bdf4f474cccf', operation='DELETE', pgid='pgtrigger_family_left_506fc', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='pair_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="EXECUTE 'DELETE FROM knowledge_documentunit pair USING old_rows o WHERE pair.unit_id = o.id';\nRETURN NULL;", hash='0c0086120a3429605a40a00ba8e10b248e993e2c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_deleted_b7cc9', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='label_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_label_rows(ARRAY(SELECT id FROM new_rows));\nRETURN NULL;', hash='7a1379eaf71a26bc71198f58b90f56a8795a5c84', level='STATEMENT', operation='INSERT', pgid='pgtrigger_label_insert_9b24c', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='label_rename', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."label" IS DISTINCT FROM (NEW."label"))', func='PERFORM knowledge_label_rows(ARRAY[NEW.id]);\nRETURN NULL;', hash='1331995b4ab2d3c1743c0841dd1aa2ddb13d2c50', operation='UPDATE OF "label"', pgid='pgtrigger_label_rename_33a06', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='label_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='DELETE FROM knowledge_alias WHERE is_label AND unit_id IN (SELECT id FROM old_rows);\nRETURN NULL;', hash='0ba57b01e9cef97d445a7fbe6749ac8d76b4c56a', level='STATEMENT', operation='DELETE', pgid='pgtrigger_label_delete_2b1d0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='vocabulary_unit', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM knowledge_vocabulary_changed();\nRETURN NULL;', hash='70b5072af5844f6dbb5cad464218fdd0be1a9a5b', level='STATEMENT', operation='INSERT OR DELETE OR TRUNCATE', pgid='pgtrigger_vocabulary_unit_da4fc', table='knowledge_unit', when='AFTER')),
    ),
    pgtrigger.migrations.AddTrigger(
        model_name='unit',
        trigger=pgtrigger.compiler.Trigger(name='vocabulary_unit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func='DECLARE\n    renamed boolean;\nBEGIN\n    EXECUTE $query$\n        SELECT EXISTS (\n            SELECT FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.type, o.slug, o.label, o.symbol, o.status, o.merged_into_id)\n                  IS DISTINCT FROM (n.type, n.slug, n.label, n.symbol, n.status, n.merged_into_id)\n        )\n    $query$ INTO renamed;\n    IF renamed THEN\n        PERFORM knowledge_vocabulary_changed();\n    END IF;\nEND;\nRETURN NULL;', hash='54b8f9799e7fd5a38e38eaf6944a225c0c635cb4', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_vocabulary_unit_updated_b68dd', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')),
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
]


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0016_relinking'),
    ]

    operations = [
        migrations.RunSQL(DROP, MAKE_ANEW),
        migrations.CreateModel(
            name='PersonaPostUnit',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('knowledge.personapost_units',),
        ),
        AddTriggers(TRIGGERS),
    ]
