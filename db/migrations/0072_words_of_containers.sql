-- A level of one's own (other_level) was shown with letters other than those it was given, and an accession without a title stood twice in long_display_string, by its
-- identifier and by the label that is made of it (contract behaviour-labels 2). The same text as 0067's but for that. No row is touched; search documents are made anew by
-- their version.
CREATE OR REPLACE FUNCTION container_place_text(container_id int, repo int, container json, hides boolean) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  uri CONSTANT text := record_uri('top_container', container_id, repo);
  components int[]; resources int[]; accessions int[];
  nodes int[] := '{}'; tops int[] := '{}'; level_tops int[]; level_roots int[]; next int[];
  marked int[]; in_series int[]; is_marked boolean;
  collections text; series_list text := '[]'; series_label text; first_collection text; barcodes text; restrictions text := '[]';
  name text; location_title text; profile_name text; shown_barcode text;
BEGIN
  SELECT array_agg(DISTINCT l.source_id) FILTER (WHERE l.source_kind = 'archival_object'), array_agg(DISTINCT l.source_id) FILTER (WHERE l.source_kind = 'resource'),
      array_agg(DISTINCT l.source_id) FILTER (WHERE l.source_kind = 'accession')
    INTO components, resources, accessions FROM link l
    WHERE l.target_kind = 'top_container' AND l.target_id = container_id AND l.property = 'instances.sub_container.top_container' AND NOT (hides AND l.suppressed);

  -- Level by level to the top. What is in the container, and above something else in it, comes twice, and is told once.
  next := components;
  WHILE next IS NOT NULL LOOP
    nodes := nodes || next;
    SELECT array_agg(t.id) FILTER (WHERE t.parent_id IS NULL), array_agg(DISTINCT t.root_id) FILTER (WHERE t.parent_id IS NULL), array_agg(DISTINCT t.parent_id) FILTER (WHERE t.parent_id IS NOT NULL)
      INTO level_tops, level_roots, next FROM tree_node t WHERE t.repo_id = repo AND t.kind = 1 AND t.id = ANY (next);
    tops := tops || level_tops;
    resources := resources || level_roots;
  END LOOP;

  SELECT array_agg(r.id) INTO marked FROM record r
    WHERE r.kind = 'archival_object' AND r.id = ANY (nodes) AND says_of_containers(r.body);
  SELECT array_agg(r.id) INTO in_series FROM (SELECT r.id, r.body::text AS text FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY (tops) OFFSET 0) r
    WHERE strpos(r.text, '"series"') > 0 OR strpos(r.text, '"otherlevel"') > 0;
  SELECT coalesce(json_agg(json_build_object('ref', record_uri(c.kind, c.id, c.repo_id), 'identifier', c.identifier, 'display_string', c.title) ORDER BY c.kind DESC, c.id)::text, '[]'),
      (array_agg(concat_ws(', ', c.identifier, c.own_title) ORDER BY c.kind DESC, c.id))[1], coalesce(bool_or(c.is_marked), false)
    INTO collections, first_collection, is_marked
    FROM (
      SELECT r.kind, r.id, r.repo_id, concat_ws('--', b.id_0, b.id_1, b.id_2, b.id_3) AS identifier, coalesce(b.title, r.label) AS title, b.title AS own_title,
        says_of_containers(r.body) AS is_marked
      FROM (
        SELECT r.kind, r.id, r.repo_id, r.label, r.body FROM record r WHERE r.kind = 'resource' AND r.id = ANY (resources)
        UNION ALL SELECT r.kind, r.id, r.repo_id, r.label, r.body FROM record r WHERE r.kind = 'accession' AND r.id = ANY (accessions)
      ) r CROSS JOIN LATERAL json_to_record(r.body) AS b (id_0 text, id_1 text, id_2 text, id_3 text, title text)
    ) c;

  IF in_series IS NOT NULL THEN
    -- Topmost ancestors that are series with a component id.
    SELECT coalesce(json_agg(json_build_object('ref', record_uri('archival_object', s.id, s.repo_id), 'identifier', s.component_id, 'display_string', s.label,
          'level_display_string', s.level, 'publish', coalesce(s.publish, false)) ORDER BY s.id)::text, '[]'),
        string_agg(s.level || ' ' || s.component_id, '; ' ORDER BY s.id)
      INTO series_list, series_label
      FROM (
        SELECT r.id, r.repo_id, r.label, r.publish, r.body->>'component_id' AS component_id, coalesce(r.body->>'other_level', initcap(r.body->>'level')) AS level
        FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY (in_series)
          AND coalesce(r.body->>'component_id', '') <> '' AND (r.body->>'level' = 'series' OR (r.body->>'level' = 'otherlevel' AND lower(r.body->>'other_level') = 'accession'))
      ) s;
  END IF;
  IF marked IS NOT NULL OR is_marked THEN
    WITH around AS MATERIALIZED (
      SELECT 1 AS place, r.kind, r.id, r.repo_id, r.body::jsonb AS body FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY (marked)
      UNION ALL SELECT 2, r.kind, r.id, r.repo_id, r.body::jsonb FROM record r WHERE r.kind = 'resource' AND r.id = ANY (resources)
      UNION ALL SELECT 3, r.kind, r.id, r.repo_id, r.body::jsonb FROM record r WHERE r.kind = 'accession' AND r.id = ANY (accessions)
    ), restriction AS (
      SELECT a.place, a.kind, a.id, a.repo_id, n.n, n.note->'rights_restriction' AS rule, n.note->>'type' AS note_type
      FROM around a CROSS JOIN LATERAL jsonb_path_query(a.body, '$.notes[*] ? (exists (@.rights_restriction) && (@.type == "accessrestrict" || @.type == "userestrict"))') WITH ORDINALITY AS n (note, n)
    )
    SELECT
      (SELECT coalesce(json_agg((x.rule || jsonb_build_object('restriction_note_type', x.note_type, 'linked_records', jsonb_build_object('ref', record_uri(x.kind, x.id, x.repo_id))))::json
          ORDER BY x.place, x.id, x.n)::text, '[]')
        FROM restriction x
        WHERE (x.rule ? 'begin' OR x.rule ? 'end' OR jsonb_array_length(coalesce(x.rule->'local_access_restriction_type', '[]')) > 0)
          AND coalesce(x.rule->>'begin', '0001-01-01') <= to_char(now(), 'YYYY-MM-DD') AND coalesce(x.rule->>'end', '9999-12-31') >= to_char(now(), 'YYYY-MM-DD')),
      (SELECT string_agg(b.code #>> '{}', ' ' ORDER BY a.place, a.id, b.n) || ' '
        FROM around a CROSS JOIN LATERAL jsonb_path_query(a.body, '$.instances[*].sub_container ? (@.top_container.ref == $uri).barcode_2', jsonb_build_object('uri', uri)) WITH ORDINALITY AS b (code, n))
      INTO restrictions, barcodes;
  END IF;

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
