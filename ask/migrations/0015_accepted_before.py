"""Which answers editors accepted was written in the desk's log alone."""

from django.db import migrations

ACCEPTED = """
UPDATE ask_answer SET accepted_id = current_id
WHERE EXISTS (
    SELECT FROM django_admin_log entry JOIN django_content_type kind ON kind.id = entry.content_type_id
    WHERE kind.app_label = 'ask' AND kind.model = 'seedquestion'
        AND entry.change_message = 'accepted: version ' || ask_answer.current_id
)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ask", "0014_figures_due"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunSQL(ACCEPTED, migrations.RunSQL.noop)]
