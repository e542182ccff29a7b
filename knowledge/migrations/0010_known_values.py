"""Values that only the code knew are the database's rule: kinds, venues, intervals, outcomes, and sources as a list.

What was written before is not judged: a row that no rule foresaw must not stop an upgrade. New and changed rows are.
"""

from typing import Any, ClassVar

import django.db.models.lookups
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

# Readers took anything else for no sources.
MEND = "UPDATE knowledge_pulse SET sources = '[]' WHERE jsonb_typeof(sources) <> 'array'"


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("knowledge", "0009_pairs_of_documents")]

    operations: ClassVar[list[Any]] = [
        migrations.RunSQL(MEND, migrations.RunSQL.noop),
        AddConstraintNotValid(
            model_name='candle',
            constraint=models.CheckConstraint(condition=models.Q(('interval__in', ['1h', '1d'])), name='candle_interval_known'),
        ),
        AddConstraintNotValid(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['video', 'news', 'notice', 'macro', 'price', 'onchain'])), name='document_kind_known'),
        ),
        AddConstraintNotValid(
            model_name='fetchrun',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['ok', 'unchanged', 'partly', 'failed', 'needs_key'])), name='fetch_run_outcome_known'),
        ),
        AddConstraintNotValid(
            model_name='market',
            constraint=models.CheckConstraint(condition=models.Q(('venue__in', ['upbit', 'binance'])), name='market_venue_known'),
        ),
        AddConstraintNotValid(
            model_name='pulse',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['price', 'burst'])), name='pulse_kind_known'),
        ),
        AddConstraintNotValid(
            model_name='pulse',
            constraint=models.CheckConstraint(condition=models.Q(('extremum__in', ('close', 'high', 'low'))), name='pulse_extremum_known'),
        ),
        AddConstraintNotValid(
            model_name='pulse',
            constraint=models.CheckConstraint(condition=models.Q(('scope__in', ('global', 'local', 'unknown'))), name='pulse_scope_known'),
        ),
        AddConstraintNotValid(
            model_name='pulse',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.Exact(models.Func(models.F('sources'), function='jsonb_typeof', output_field=models.TextField()), models.Value('array')), name='pulse_sources_array'),
        ),
    ]
