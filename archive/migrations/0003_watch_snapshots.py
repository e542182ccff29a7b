"""A sealed day shows in the manifest and the sitemap, so every new row is noted."""

from django.db import migrations

WATCH = "SELECT knowledge_watch('archive_snapshot', 'archive');"
UNWATCH = "SELECT knowledge_unwatch('archive_snapshot');"


class Migration(migrations.Migration):
    dependencies = [("archive", "0002_starter_services"), ("knowledge", "0002_triggers")]
    operations = [migrations.RunSQL(WATCH, UNWATCH)]
