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
    dependencies = [("ask", "0002_versions_append_only"), ("knowledge", "0002_triggers")]
    operations = [migrations.RunSQL(WATCH, UNWATCH)]
