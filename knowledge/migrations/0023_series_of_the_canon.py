"""What was a series is what one source says of one: its input. The series of the canon come beside it."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0022_linked_by_a_version'),
    ]

    operations = [
        migrations.RenameModel(old_name='Series', new_name='SeriesInput'),
        migrations.RenameField(model_name='observation', old_name='series', new_name='input'),
    ]
