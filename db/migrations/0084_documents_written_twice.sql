-- Two batches of the indexer could write the first documents of a record beside each other (docs/decisions/0009, 3), and what one of them had read too early stayed to be found.
-- Records that have more than one document for staff or for all at an address, or such documents at two addresses, are due again, which leaves one.
INSERT INTO reindex_fan (lane, way, kind, ids)
SELECT 1, 'ids', kind, array_agg(record_id ORDER BY record_id) FROM (
  SELECT kind, record_id, (row_number() OVER (PARTITION BY kind ORDER BY record_id) - 1) / 1000 AS part FROM (
    SELECT DISTINCT d.kind, d.record_id FROM (SELECT kind, record_id FROM search_doc GROUP BY kind, record_id HAVING count(*) > 1) AS several
    JOIN search_doc d ON d.kind = several.kind AND d.record_id = several.record_id
    -- Collection management is a document of its own, beside that of its record.
    GROUP BY d.kind, d.record_id, split_part(d.uri, '/', -2) HAVING count(*) FILTER (WHERE d.audience <> 2) > 1) AS twice) AS placed
GROUP BY kind, part;
