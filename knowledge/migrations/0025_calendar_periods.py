"""Values about a day or month begin where the publisher is, or each day would be stored twice; premiums become values.

Until now all of them began at midnight UTC. Keys of the Bank of Korea have a slash, the
European Central Bank's come by frankfurter; the other names in capitals are those of FRED. A key whose values all begin months is one of months.
"""

from django.db import migrations

CALENDAR_PERIODS = r"""
UPDATE knowledge_observation value
SET at = (value.at AT TIME ZONE 'UTC') AT TIME ZONE input.zone, period = to_char(value.at AT TIME ZONE 'UTC', input.form)
FROM (
    SELECT named.id,
        CASE WHEN named.key LIKE '%/%' THEN 'Asia/Seoul'
            WHEN named.key = 'USDKRW' OR source.adapter = 'frankfurter' THEN 'Europe/Berlin'
            ELSE 'America/New_York' END AS zone,
        CASE WHEN bool_and(extract(day FROM each.at AT TIME ZONE 'UTC') = 1) AND count(*) > 1
            THEN 'YYYY-MM' ELSE 'YYYY-MM-DD' END AS form
    FROM knowledge_seriesinput named JOIN knowledge_observation each ON each.input_id = named.id
        LEFT JOIN knowledge_source source ON source.id = named.source_id
    WHERE named.key ~ '^[A-Z0-9]+(/[A-Z0-9*]+)*$'
    GROUP BY named.id, named.key, source.adapter
) AS input
WHERE value.input_id = input.id AND value.at = date_trunc('day', value.at, 'UTC')
"""
CHAIN_DAYS = """
UPDATE knowledge_observation value SET period = to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
FROM knowledge_seriesinput input
WHERE input.id = value.input_id AND input.key IN ('defi.tvl', 'stablecoins.supply')
"""
PREMIUMS = """
INSERT INTO knowledge_seriesinput (key, position, unit)
SELECT DISTINCT 'premium:' || asset.slug, 0, '%' FROM knowledge_premium premium JOIN knowledge_unit asset ON asset.id = premium.asset_id
ON CONFLICT DO NOTHING;
INSERT INTO knowledge_observation (input_id, at, period, revision, newest, value, fetched_at)
SELECT input.id, premium.at, '', 1, true, round((premium.value * 100)::text::numeric, 12), premium.at
FROM knowledge_premium premium JOIN knowledge_unit asset ON asset.id = premium.asset_id
    JOIN knowledge_seriesinput input ON input.key = 'premium:' || asset.slug
ON CONFLICT DO NOTHING;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0024_series_values'),
    ]

    operations = [
        migrations.RunSQL(statement, migrations.RunSQL.noop)
        for statement in (CALENDAR_PERIODS, CHAIN_DAYS, PREMIUMS)
    ]
