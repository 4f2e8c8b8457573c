-- As in 0016, but that what is in a container is read as text first and parsed only where it may say something: each of the hundred files of a
-- box was parsed to learn that it is no series.
CREATE OR REPLACE FUNCTION container_place_text(container_id int, repo int, container json, hides boolean) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  collections text; series_list text; series_label text; first_collection text; barcodes text; restrictions text;
  name text; location_title text; profile_name text; shown_barcode text;
BEGIN
  WITH RECURSIVE used AS MATERIALIZED (
    SELECT DISTINCT l.source_kind AS kind, l.source_id AS id FROM link l
    WHERE l.target_kind = 'top_container' AND l.target_id = container_id AND l.property = 'instances.sub_container.top_container' AND NOT (hides AND l.suppressed)
  ), up AS (
    SELECT t.id, t.parent_id, t.root_id FROM used u JOIN tree_node t ON t.repo_id = repo AND t.kind = 1 AND t.id = u.id WHERE u.kind = 'archival_object'
    UNION
    SELECT t.id, t.parent_id, t.root_id FROM up JOIN tree_node t ON t.repo_id = repo AND t.kind = 1 AND t.id = up.parent_id
  ), around AS MATERIALIZED (
    -- One branch for each kind, named by a constant: a join on (kind, id) scans every kind's table for each container.
    SELECT r.kind, r.id, r.repo_id, r.label, r.publish, r.body, r.body::text AS text FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY (ARRAY(SELECT DISTINCT id FROM up))
    UNION ALL SELECT r.kind, r.id, r.repo_id, r.label, r.publish, r.body, r.body::text AS text FROM record r
      WHERE r.kind = 'resource' AND r.id = ANY (ARRAY(SELECT root_id FROM up UNION SELECT id FROM used WHERE kind = 'resource'))
    UNION ALL SELECT r.kind, r.id, r.repo_id, r.label, r.publish, r.body, r.body::text AS text FROM record r WHERE r.kind = 'accession' AND r.id = ANY (ARRAY(SELECT id FROM used WHERE kind = 'accession'))
  ), collection AS (
    SELECT kind, id, repo_id, label, body FROM around WHERE kind <> 'archival_object'
  ), series AS (
    -- Topmost ancestors that are series with a component id; what has not the word is not parsed.
    SELECT r.id, r.repo_id, r.label, r.publish, r.body->>'component_id' AS component_id, coalesce(r.body->>'other_level', r.body->>'level') AS level
    FROM around r WHERE r.kind = 'archival_object' AND r.id IN (SELECT id FROM up WHERE parent_id IS NULL)
      AND CASE WHEN strpos(r.text, '"series"') > 0 OR strpos(r.text, '"otherlevel"') > 0
        THEN coalesce(r.body->>'component_id', '') <> '' AND (r.body->>'level' = 'series' OR (r.body->>'level' = 'otherlevel' AND lower(r.body->>'other_level') = 'accession')) END
  ), restriction AS (
    SELECT a.kind, a.id, a.repo_id, n.note->'rights_restriction' AS rule, n.note->>'type' AS note_type
    FROM around a CROSS JOIN LATERAL jsonb_path_query(a.body::jsonb, '$.notes[*] ? (exists (@.rights_restriction))') AS n (note)
    WHERE strpos(a.text, '"rights_restriction"') > 0
  )
  SELECT
    (SELECT coalesce(json_agg(json_build_object('ref', record_uri(c.kind, c.id, c.repo_id), 'identifier', concat_ws('--', c.body->>'id_0', c.body->>'id_1', c.body->>'id_2', c.body->>'id_3'),
      'display_string', coalesce(c.body->>'title', c.label)) ORDER BY c.kind DESC, c.id)::text, '[]') FROM collection c),
    (SELECT coalesce(json_agg(json_build_object('ref', record_uri('archival_object', s.id, s.repo_id), 'identifier', s.component_id, 'display_string', s.label,
      'level_display_string', initcap(s.level), 'publish', coalesce(s.publish, false)) ORDER BY s.id)::text, '[]') FROM series s),
    (SELECT string_agg(initcap(s.level) || ' ' || s.component_id, '; ' ORDER BY s.id) FROM series s),
    (SELECT concat_ws('--', c.body->>'id_0', c.body->>'id_1', c.body->>'id_2', c.body->>'id_3') || ', ' || coalesce(c.body->>'title', c.label) FROM collection c ORDER BY c.kind DESC, c.id LIMIT 1),
    (SELECT string_agg(b #>> '{}', ' ') || ' ' FROM around r
      CROSS JOIN LATERAL jsonb_path_query(r.body::jsonb, '$.instances[*].sub_container ? (@.top_container.ref == $uri).barcode_2', jsonb_build_object('uri', record_uri('top_container', container_id, repo))) b
      WHERE strpos(r.text, '"barcode_2"') > 0),
    (SELECT coalesce(json_agg((x.rule || jsonb_build_object('restriction_note_type', x.note_type, 'linked_records', jsonb_build_object('ref', record_uri(x.kind, x.id, x.repo_id))))::json)::text, '[]')
      FROM restriction x
      WHERE (x.rule ? 'begin' OR x.rule ? 'end' OR jsonb_array_length(coalesce(x.rule->'local_access_restriction_type', '[]')) > 0)
        AND coalesce(x.rule->>'begin', '0001-01-01') <= to_char(now(), 'YYYY-MM-DD') AND coalesce(x.rule->>'end', '9999-12-31') >= to_char(now(), 'YYYY-MM-DD'))
    INTO collections, series_list, series_label, first_collection, barcodes, restrictions;

  name := CASE WHEN container->>'type' IS NULL THEN '' ELSE upper(left(container->>'type', 1)) || substr(container->>'type', 2) END || ' ' || coalesce(container->>'indicator', '');
  shown_barcode := '[Barcode: ' || (container->>'barcode') || ']';
  SELECT r.label INTO location_title FROM link l JOIN record r ON r.kind = 'location' AND r.id = l.target_id
    WHERE l.source_kind = 'top_container' AND l.source_id = container_id AND l.property = 'container_locations' ORDER BY l.ordinal LIMIT 1;
  SELECT r.body->>'name' INTO profile_name FROM link l JOIN record r ON r.kind = 'container_profile' AND r.id = l.target_id
    WHERE l.source_kind = 'top_container' AND l.source_id = container_id AND l.property = 'container_profile' LIMIT 1;
  RETURN '"series":' || series_list || ',"collection":' || collections
    || ',"display_string":' || to_json(name || coalesce(': ' || nullif(concat_ws(' ', series_label, shown_barcode), ''), ''))::text
    || ',"long_display_string":' || to_json(concat_ws(', ', concat_ws(' ', name, shown_barcode), profile_name, location_title, first_collection, series_label))::text
    || ',"active_restrictions":' || restrictions || ',"restricted":' || (restrictions <> '[]')
    || CASE WHEN barcodes IS NULL THEN '' ELSE ',"subcontainer_barcodes":' || to_json(barcodes)::text END || ',';
END $$;
