"""Documents are found by the characters of a name: an index over the pairs of their texts, made while others write."""

from typing import Any, ClassVar

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

# As the linker's normal form stood when this was written, as far as Postgres can; a change of it is a new index.
SQUEEZED = "translate(lower(normalize({}, NFKC)), ' ()·・‧-‐‒–—―−', '')"

# A function of an index calls none of ours: a restored dump has no search_path. What it costs to call says that a plan
# had better not call it row by row.
FUNCTIONS = f"""
CREATE FUNCTION knowledge_squeezed(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT {SQUEEZED.format("$1")} $$;

CREATE FUNCTION knowledge_character_pairs(title text, summary text) RETURNS text[] IMMUTABLE PARALLEL SAFE COST 1000
LANGUAGE sql AS $$
    SELECT array_agg(one || two)
    FROM (SELECT string_to_array({SQUEEZED.format("title || ' ' || summary")}, NULL) AS letters) AS squeezed,
         unnest(letters[:cardinality(letters) - 1], letters[2:]) AS pair (one, two)
$$;
"""

FUNCTIONS_REVERSE = """
DROP FUNCTION knowledge_character_pairs(text, text);
DROP FUNCTION knowledge_squeezed(text);
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar[list[tuple[str, str]]] = [("knowledge", "0008_labels_are_aliases")]

    operations: ClassVar[list[Any]] = [
        migrations.RunSQL(FUNCTIONS, FUNCTIONS_REVERSE),
        AddIndexConcurrently(
            "Document",
            django.contrib.postgres.indexes.GinIndex(
                models.Func(
                    "title",
                    "summary",
                    function="knowledge_character_pairs",
                    output_field=django.contrib.postgres.fields.ArrayField(models.TextField()),
                ),
                name="document_pairs",
            ),
        ),
    ]
