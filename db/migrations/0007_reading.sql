-- Functions that reading a record uses: uris, and the computed properties of trees and containers.

-- The uri of a record; the templates are those of libs/domain/kinds, a test compares them.
CREATE FUNCTION record_uri(kind text, id int, repo_id int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE kind
  WHEN 'agent_person' THEN '/agents/people/' || id
  WHEN 'agent_family' THEN '/agents/families/' || id
  WHEN 'agent_corporate_entity' THEN '/agents/corporate_entities/' || id
  WHEN 'agent_software' THEN '/agents/software/' || id
  WHEN 'repository' THEN '/repositories/' || id
  WHEN 'vocabulary' THEN '/vocabularies/' || id
  WHEN 'collection_management' THEN '/repositories/' || repo_id || '/collection_management/' || id
  ELSE CASE WHEN repo_id IS NULL THEN '/' ELSE '/repositories/' || repo_id || '/' END || kind || 's/' || id END;

-- Whether a record above this node, or its root, is unpublished or suppressed; false for what is in no tree.
CREATE FUNCTION has_hidden_ancestor(kind text, node_id int, repo int) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH RECURSIVE code AS (SELECT CASE kind WHEN 'archival_object' THEN 1 WHEN 'digital_object_component' THEN 2 WHEN 'classification_term' THEN 3 END::smallint AS c),
  up AS (
    SELECT t.parent_id, t.root_id, t.kind, true AS visible FROM tree_node t, code WHERE t.repo_id = repo AND t.kind = code.c AND t.id = node_id
    UNION ALL
    SELECT t.parent_id, t.root_id, t.kind, t.visible FROM up JOIN tree_node t ON t.repo_id = repo AND t.kind = up.kind AND t.id = up.parent_id
  )
  SELECT coalesce((SELECT bool_or(NOT up.visible) FROM up), false) OR coalesce((
    SELECT NOT (o.publish AND NOT o.suppressed) FROM up JOIN record o
      ON o.id = up.root_id AND o.kind = CASE up.kind WHEN 1 THEN 'resource' WHEN 2 THEN 'digital_object' ELSE 'classification' END LIMIT 1), false)
$$;

-- A node and all above it as the refs of a reply, nearest first, each with a comma behind it; and whether one of them is hidden.
-- Strict: called without a node, as for nearly all records, it costs nothing.
CREATE FUNCTION ancestors_from(repo int, code smallint, node_id int, node_kind text) RETURNS TABLE (refs text, hidden boolean) LANGUAGE sql STRICT STABLE PARALLEL SAFE AS $$
  WITH RECURSIVE up AS (
    SELECT t.id, t.parent_id, t.level, t.visible, 1 AS step FROM tree_node t WHERE t.repo_id = repo AND t.kind = code AND t.id = node_id
    UNION ALL
    SELECT t.id, t.parent_id, t.level, t.visible, up.step + 1 FROM up JOIN tree_node t ON t.repo_id = repo AND t.kind = code AND t.id = up.parent_id
  )
  SELECT string_agg('{"ref":"' || record_uri(node_kind, up.id, repo) || '"' || CASE WHEN up.level IS NULL THEN '' ELSE ',"level":' || to_json(up.level)::text END || '},', '' ORDER BY up.step), bool_or(NOT up.visible) FROM up
$$;

-- What a top container shows of its surroundings (contract 6.7), ready to be spliced: series and collections of the records it
-- is linked to, its strings, second-level barcodes, and the restrictions of those records, their ancestors and roots.
CREATE FUNCTION container_place_text(container_id int, repo int, container json) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  collections text; series_list text; series_label text; first_collection text; barcodes text; restrictions text;
  name text; location_title text; profile_name text; shown_barcode text;
BEGIN
  WITH RECURSIVE used AS MATERIALIZED (
    SELECT DISTINCT l.source_kind AS kind, l.source_id AS id FROM link l
    WHERE l.target_kind = 'top_container' AND l.target_id = container_id AND l.property = 'instances.sub_container.top_container'
  ), up AS (
    SELECT t.id, t.parent_id, t.root_id FROM used u JOIN tree_node t ON t.repo_id = repo AND t.kind = 1 AND t.id = u.id WHERE u.kind = 'archival_object'
    UNION
    SELECT t.id, t.parent_id, t.root_id FROM up JOIN tree_node t ON t.repo_id = repo AND t.kind = 1 AND t.id = up.parent_id
  ), collection AS (
    SELECT r.kind, r.id, r.repo_id, r.label, r.body FROM record r JOIN (
      SELECT 'resource' AS kind, root_id AS id FROM up UNION SELECT kind, id FROM used WHERE kind IN ('resource', 'accession')) c ON c.kind = r.kind AND c.id = r.id
  ), series AS (
    -- Topmost ancestors that are series with a component id.
    SELECT r.id, r.repo_id, r.label, r.publish, r.body->>'component_id' AS component_id, coalesce(r.body->>'other_level', r.body->>'level') AS level
    FROM (SELECT DISTINCT id FROM up WHERE parent_id IS NULL) top JOIN record r ON r.kind = 'archival_object' AND r.id = top.id
    WHERE coalesce(r.body->>'component_id', '') <> '' AND (r.body->>'level' = 'series' OR (r.body->>'level' = 'otherlevel' AND lower(r.body->>'other_level') = 'accession'))
  ), around AS (
    SELECT r.kind, r.id, r.repo_id, r.body FROM record r JOIN (SELECT 'archival_object' AS kind, id FROM up UNION SELECT 'resource', root_id FROM up UNION SELECT kind, id FROM used) a
      ON a.kind = r.kind AND a.id = r.id
  ), restriction AS (
    SELECT a.kind, a.id, a.repo_id, n.note->'rights_restriction' AS rule, n.note->>'type' AS note_type
    FROM around a CROSS JOIN LATERAL jsonb_path_query(a.body::jsonb, '$.notes[*] ? (exists (@.rights_restriction))') AS n (note)
    WHERE a.body::text LIKE '%"rights_restriction"%'
  )
  SELECT
    (SELECT coalesce(json_agg(json_build_object('ref', record_uri(c.kind, c.id, c.repo_id), 'identifier', concat_ws('--', c.body->>'id_0', c.body->>'id_1', c.body->>'id_2', c.body->>'id_3'),
      'display_string', coalesce(c.body->>'title', c.label)) ORDER BY c.kind DESC, c.id)::text, '[]') FROM collection c),
    (SELECT coalesce(json_agg(json_build_object('ref', record_uri('archival_object', s.id, s.repo_id), 'identifier', s.component_id, 'display_string', s.label,
      'level_display_string', initcap(s.level), 'publish', coalesce(s.publish, false)) ORDER BY s.id)::text, '[]') FROM series s),
    (SELECT string_agg(initcap(s.level) || ' ' || s.component_id, '; ' ORDER BY s.id) FROM series s),
    (SELECT concat_ws('--', c.body->>'id_0', c.body->>'id_1', c.body->>'id_2', c.body->>'id_3') || ', ' || coalesce(c.body->>'title', c.label) FROM collection c ORDER BY c.kind DESC, c.id LIMIT 1),
    (SELECT string_agg(b #>> '{}', ' ') || ' ' FROM used u JOIN record r ON r.kind = u.kind AND r.id = u.id
      CROSS JOIN LATERAL jsonb_path_query(r.body::jsonb, '$.instances[*].sub_container ? (@.top_container.ref == $uri).barcode_2', jsonb_build_object('uri', record_uri('top_container', container_id, repo))) b
      WHERE r.body::text LIKE '%"barcode_2"%'),
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
