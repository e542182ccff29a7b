"""Premiums that were kept twice are kept once: the values of ``KIMCHI_PREMIUM/…`` are those of ``premium:…``.

Migration 0025 made the latter of the same premiums. Nothing has read the former since, and one without a counterpart stays.
"""

from django.db import migrations

MEND = r"""
DELETE FROM knowledge_observation former
USING knowledge_seriesinput input, knowledge_seriesinput successor, knowledge_observation value
WHERE former.input_id = input.id AND input.series_id IS NULL AND input.key LIKE 'KIMCHI\_PREMIUM/%'
    AND successor.key = 'premium:' || substr(input.key, length('KIMCHI_PREMIUM/') + 1)
    AND value.input_id = successor.id AND value.at = former.at;
DELETE FROM knowledge_seriesinput input
WHERE series_id IS NULL AND key LIKE 'KIMCHI\_PREMIUM/%'
    AND NOT EXISTS (SELECT FROM knowledge_observation WHERE input_id = input.id)
    AND NOT EXISTS (SELECT FROM knowledge_heldvalue WHERE input_id = input.id);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0035_more_is_compared_of_documents'),
    ]

    operations = [
        migrations.RunSQL(MEND, migrations.RunSQL.noop),
    ]
