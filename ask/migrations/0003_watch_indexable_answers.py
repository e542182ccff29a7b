"""Answers to active seeds stand in the sitemap, so their changes are noted; other questions are nobody's news."""

from django.db import migrations

WATCH = """
SELECT knowledge_watch(
    'ask_answer', 'answer', 'question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active)'
);
SELECT knowledge_watch('ask_seedquestion', 'answer');
"""
UNWATCH = "SELECT knowledge_unwatch('ask_answer'); SELECT knowledge_unwatch('ask_seedquestion');"


class Migration(migrations.Migration):
    # After 0002_triggers of knowledge, which every database that comes this way has; said here, it would make the
    # squashed migrations of both apps wait for each other.
    dependencies = [("ask", "0002_versions_append_only")]
    operations = [migrations.RunSQL(WATCH, UNWATCH)]
