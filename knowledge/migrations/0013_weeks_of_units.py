"""How many documents of each week speak of a unit, kept with the other counts."""

import django.db.models.deletion
from django.db import migrations, models

NOTED = """
CREATE OR REPLACE FUNCTION knowledge_pair_noted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)
        SELECT unit_id, document_id, published_at, -1, video FROM old_rows;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)
        SELECT unit_id, document_id, published_at, 1, video FROM new_rows;
    END IF;
    RETURN NULL;
END $$;
"""

NOTED_REVERSE = """
CREATE OR REPLACE FUNCTION knowledge_pair_noted() RETURNS trigger
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
"""

# The next fold counts them, by weeks as well; what was noted without a time is counted with it.
COUNT_ANEW = """
INSERT INTO knowledge_documentunitchange (unit_id, step, video)
SELECT unit.id, 0, false FROM knowledge_unit unit
WHERE EXISTS (SELECT FROM knowledge_documentunit pair WHERE pair.unit_id = unit.id)
   OR EXISTS (SELECT FROM knowledge_documentunitchange change WHERE change.unit_id = unit.id);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0012_indexes_that_others_begin_with'),
    ]

    operations = [
        migrations.AddField(
            model_name='documentunitchange',
            name='published_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name='UnitWeek',
            fields=[
                ('pk', models.CompositePrimaryKey('unit_id', 'week', blank=True, editable=False, primary_key=True, serialize=False)),
                ('week', models.DateField()),
                ('documents', models.IntegerField()),
                ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='weeks', to='knowledge.unit')),
            ],
            options={
                'verbose_name': '단위의 주별 문서 수',
                'verbose_name_plural': '단위의 주별 문서 수',
            },
        ),
        migrations.RunSQL(NOTED, NOTED_REVERSE),
        migrations.RunSQL(COUNT_ANEW, migrations.RunSQL.noop),
    ]
