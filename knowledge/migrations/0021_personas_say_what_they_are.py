"""A persona has a glyph and says in both languages what it is, in more than white space.

One that did not until now, which readers could not tell from a person, says what is true of all of them.
"""

from django.db import migrations, models

# A glyph belongs to one persona, so the number makes it one.
MEND = r"""
UPDATE knowledge_persona SET
    glyph = CASE WHEN glyph ~ '\S' THEN glyph ELSE '🤖' || id END,
    disclosure = CASE WHEN disclosure ~ '\S' THEN disclosure
        ELSE '이 글은 마당이 운영하는 AI 페르소나가 쓴 의견이며 투자 조언이 아닙니다.' END,
    disclosure_en = CASE WHEN disclosure_en ~ '\S' THEN disclosure_en
        ELSE 'This is the opinion of an AI persona run by Madang, and not investment advice.' END
WHERE NOT (glyph ~ '\S' AND disclosure ~ '\S' AND disclosure_en ~ '\S')
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0020_tables_without_names'),
    ]

    operations = [
        migrations.RunSQL(MEND, migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='persona',
            name='persona_glyph_present',
        ),
        migrations.RemoveConstraint(
            model_name='persona',
            name='persona_disclosure_present',
        ),
        migrations.AddConstraint(
            model_name='persona',
            constraint=models.CheckConstraint(condition=models.Q(('glyph__regex', '\\S')), name='persona_glyph_present'),
        ),
        migrations.AddConstraint(
            model_name='persona',
            constraint=models.CheckConstraint(condition=models.Q(('disclosure__regex', '\\S'), ('disclosure_en__regex', '\\S')), name='persona_disclosure_present', violation_error_message='AI 페르소나라는 고지가 없으면 저장할 수 없습니다.'),
        ),
    ]
