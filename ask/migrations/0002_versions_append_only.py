from django.db import migrations

# A version is what was said at a moment and what it rested on: quoted elsewhere, it must still be found as it was.
REFUSE_UPDATES = """
CREATE FUNCTION ask_version_is_never_rewritten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a version of an answer is never rewritten' USING ERRCODE = 'restrict_violation';
END;
$$;
CREATE TRIGGER ask_version_append_only BEFORE UPDATE ON ask_answerversion
FOR EACH ROW EXECUTE FUNCTION ask_version_is_never_rewritten();
"""
ALLOW_UPDATES = """
DROP TRIGGER ask_version_append_only ON ask_answerversion;
DROP FUNCTION ask_version_is_never_rewritten();
"""


class Migration(migrations.Migration):
    dependencies = [("ask", "0001_initial")]

    operations = [migrations.RunSQL(REFUSE_UPDATES, ALLOW_UPDATES)]
