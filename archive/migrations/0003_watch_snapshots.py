"""A sealed day shows in the manifest and the sitemap, so every new row is noted."""

from django.db import migrations

WATCH = "SELECT knowledge_watch('archive_snapshot', 'archive');"
UNWATCH = "SELECT knowledge_unwatch('archive_snapshot');"


class Migration(migrations.Migration):
    # After 0002_triggers of knowledge, which every database that comes this way has; said here, it would make the
    # squashed migrations of both apps wait for each other.
    dependencies = [("archive", "0002_starter_services")]
    operations = [migrations.RunSQL(WATCH, UNWATCH)]
