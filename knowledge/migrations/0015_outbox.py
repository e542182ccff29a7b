from django.db import migrations


class Migration(migrations.Migration):
    """The table keeps its name, which triggers write to: nothing is done in the database."""

    dependencies = [
        ('knowledge', '0014_terms_of_documents'),
    ]

    operations = [
        migrations.AlterModelTable(name='change', table='knowledge_change'),
        migrations.RenameModel(old_name='Change', new_name='OutboxEntry'),
    ]
