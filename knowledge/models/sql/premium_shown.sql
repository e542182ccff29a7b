-- An asset shows its kimchi premium also where a public topic holds that: which series it is, is said by an input's key.
DECLARE
    inputs knowledge_seriesinput[];
    holders bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');
    ELSIF TG_OP = 'DELETE' THEN
        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');
    ELSE
        inputs := ARRAY(
            SELECT o FROM old_rows o JOIN new_rows n USING (id)
            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'
        ) || ARRAY(
            SELECT n FROM old_rows o JOIN new_rows n USING (id)
            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'
        );
    END IF;
    -- Whether the holder is public is read behind its lock: who changes that meanwhile sees this input, or is seen here.
    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;
    holders := ARRAY(
        SELECT DISTINCT series.holder_id
        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id
    );
    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;
    PERFORM FROM knowledge_unit WHERE id IN (
        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)
    ) ORDER BY id FOR SHARE;
    PERFORM knowledge_touch_units(ARRAY(
        SELECT DISTINCT asset.id
        FROM unnest(inputs) AS input
        JOIN knowledge_series series ON series.id = input.series_id
        JOIN knowledge_unit holder ON holder.id = series.holder_id
        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)
        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)
        WHERE survivor.status = 'published' AND survivor.id <> asset.id
    ));
END;
