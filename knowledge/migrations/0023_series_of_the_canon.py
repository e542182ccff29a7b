"""What was a series is what one source says of one: its input. The series of the canon come beside it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0022_linked_by_a_version'),
    ]

    operations = [
        migrations.RenameModel(old_name='Series', new_name='SeriesInput'),
        migrations.RenameField(model_name='observation', old_name='series', new_name='input'),
        # In the database the constraint follows the column; what Django knows of it does not, and could not be undone.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint('observation', 'observation_once'),
                migrations.AddConstraint(
                    'observation', models.UniqueConstraint(fields=('input', 'at'), name='observation_once')
                ),
            ]
        ),
    ]
