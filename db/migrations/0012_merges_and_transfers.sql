-- Moving whole graphs of records: rewriting the refs of many bodies in SQL, and what merges did, so that old addresses lead on and a
-- merge can be undone. Bodies are our own canonical JSON text (docs/decisions/0004): inside a string its quotes would be escaped, so
-- `"ref":"<uri>"` is found in refs alone.

-- A body with one of its properties replaced (null: without it); the text of all others stays as it is.
CREATE FUNCTION with_property(body json, property text, replacement json) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('{' || string_agg(to_json(e.key)::text || ':' || CASE WHEN e.key = property THEN replacement ELSE e.value END::text, ',' ORDER BY e.n)
    FILTER (WHERE e.key <> property OR replacement IS NOT NULL) || '}')::json
  FROM json_each(body) WITH ORDINALITY AS e (key, value, n)
$$;

-- A body whose list of refs holds those to `uris` alone, or all but those.
CREATE FUNCTION with_refs(body json, property text, uris text[], keeps boolean) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT with_property(body, property, (
    SELECT ('[' || coalesce(string_agg(e.ref::text, ',' ORDER BY e.n) FILTER (WHERE (e.ref->>'ref' = ANY (uris)) = keeps), '') || ']')::json
    FROM json_array_elements(body->property) WITH ORDINALITY AS e (ref, n)))
$$;

-- A body whose refs to any of `old_uris` lead to `new_uri`.
CREATE FUNCTION with_repointed(body text, old_uris text[], new_uri text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE old_uri text;
BEGIN
  FOREACH old_uri IN ARRAY old_uris LOOP
    body := replace(body, '"ref":"' || old_uri || '"', '"ref":"' || new_uri || '"');
  END LOOP;
  RETURN body;
END $$;

-- A body in which no list at `path` (property names, the last is the list of refs) tells of the survivor in a role because of a merged record
-- where it does so anyway: the survivor's own refs stay, else the first of the others.
CREATE FUNCTION with_collapsed(value json, path text[], survivor text, merged text[]) RETURNS json LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF json_typeof(value) = 'object' AND cardinality(path) > 0 THEN
    RETURN CASE WHEN value->path[1] IS NULL THEN value ELSE with_property(value, path[1], with_collapsed(value->path[1], path[2:], survivor, merged)) END;
  ELSIF json_typeof(value) = 'array' AND cardinality(path) > 0 THEN
    RETURN (SELECT ('[' || coalesce(string_agg(with_collapsed(e.item, path, survivor, merged)::text, ',' ORDER BY e.n), '') || ']')::json
      FROM json_array_elements(value) WITH ORDINALITY AS e (item, n));
  ELSIF json_typeof(value) = 'array' THEN
    RETURN (SELECT ('[' || coalesce(string_agg(e.ref::text, ',' ORDER BY e.n) FILTER (WHERE NOT e.meant OR e.place = 1 OR e.ref->>'ref' = survivor), '') || ']')::json
      FROM (SELECT m.ref, m.n, m.meant, row_number() OVER (PARTITION BY m.meant, m.ref->>'role' ORDER BY (m.ref->>'ref' = survivor) DESC, m.n) AS place
        FROM (SELECT a.ref, a.n, coalesce(a.ref->>'ref' = survivor OR a.ref->>'ref' = ANY (merged), false) AS meant FROM json_array_elements(value) WITH ORDINALITY AS a (ref, n)) AS m) AS e);
  END IF;
  RETURN value;
END $$;

-- A body without the plain instances of merged containers where another instance of the record is of the survivor, or will be
-- (contract trees-and-jobs 4.4). An instance is plain that says nothing of folders or items inside.
CREATE FUNCTION without_plain_instances(body json, survivor text, merged text[]) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT with_property(body, 'instances', (
    SELECT ('[' || coalesce(string_agg(e.instance::text, ',' ORDER BY e.n) FILTER (WHERE NOT e.meant OR e.place = 1 OR e.uri = survivor OR NOT e.plain), '') || ']')::json
    FROM (SELECT m.*, row_number() OVER (PARTITION BY m.meant ORDER BY (m.uri = survivor) DESC, m.n) AS place
      FROM (SELECT i.instance, i.n, i.instance#>>'{sub_container,top_container,ref}' AS uri,
          coalesce(i.instance#>>'{sub_container,top_container,ref}' = survivor OR i.instance#>>'{sub_container,top_container,ref}' = ANY (merged), false) AS meant,
          coalesce(i.instance#>'{sub_container,type_2}', i.instance#>'{sub_container,indicator_2}', i.instance#>'{sub_container,type_3}', i.instance#>'{sub_container,indicator_3}') IS NULL AS plain
        FROM json_array_elements(body->'instances') WITH ORDINALITY AS i (instance, n)) AS m) AS e))
$$;

-- The body of a record that held refs to merged records. `doubled`: the paths at which it names the survivor more than once in a role.
CREATE FUNCTION with_merged(body json, doubled text[], survivor text, merged text[]) RETURNS json LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE path text;
BEGIN
  FOREACH path IN ARRAY doubled LOOP
    body := CASE path WHEN 'instances.sub_container.top_container' THEN without_plain_instances(body, survivor, merged)
      ELSE with_collapsed(body, string_to_array(path, '.'), survivor, merged) END;
  END LOOP;
  RETURN with_repointed(body::text, merged, survivor)::json;
END $$;

-- How many refs at a path lead to a uri in a role.
CREATE FUNCTION count_refs(body json, path text, uri text, wanted_role text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT count(*) FROM jsonb_path_query(body::jsonb, ('$.' || path || '[*]')::jsonpath) AS ref
  WHERE ref->>'ref' = uri AND ref->>'role' IS NOT DISTINCT FROM wanted_role
$$;

-- Merges that were done. The id is that of the job.
CREATE TABLE merge (
  id int PRIMARY KEY, what text NOT NULL,
  survivor_kind text NOT NULL, survivor_id int NOT NULL, repo_id int,
  actor text, at timestamptz NOT NULL DEFAULT now(),
  event_id int,                              -- the event that tells of it, in repo_id
  undone_at timestamptz, undone_by text
);
CREATE INDEX merge_survivor_idx ON merge (survivor_kind, survivor_id);

-- The records that went, as they were; `nodes`: what lay directly under a root, in order. Old addresses lead to the survivor by these.
CREATE TABLE merge_gone (
  merge_id int NOT NULL REFERENCES merge ON DELETE CASCADE, n int NOT NULL,
  kind text NOT NULL, id int NOT NULL, repo_id int, lock_version int NOT NULL, publish boolean, suppressed boolean NOT NULL, label text NOT NULL,
  created_by text, last_modified_by text, create_time timestamptz NOT NULL, user_mtime timestamptz NOT NULL, body json NOT NULL,
  nodes int[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (merge_id, kind, id)
);
CREATE INDEX merge_gone_record_idx ON merge_gone (kind, id);
CREATE TABLE merge_key (merge_id int NOT NULL REFERENCES merge ON DELETE CASCADE, rule text NOT NULL, scope text NOT NULL, value text NOT NULL, kind text NOT NULL, id int NOT NULL);
CREATE INDEX merge_key_merge_idx ON merge_key (merge_id);

-- The link rows as they were. `part`: 'in' to what went, 'out' from it, 'old' of the survivor where its own were written anew.
-- `now_ordinal`: where the row is since (of the same source; for 'out' of the survivor), null where it went.
CREATE TABLE merge_link (
  merge_id int NOT NULL REFERENCES merge ON DELETE CASCADE, part text NOT NULL CHECK (part IN ('in', 'out', 'old')),
  source_kind text NOT NULL, source_id int NOT NULL, ordinal int NOT NULL, property text NOT NULL, target_kind text NOT NULL, target_id int NOT NULL,
  repo_id int, role text, mutual text, ref json, target_ordinal int NOT NULL, now_ordinal int,
  PRIMARY KEY (merge_id, source_kind, source_id, ordinal)
);

-- Bodies that cannot be told from the links alone: of records that named the survivor before, or several that went; and the survivor's.
CREATE TABLE merge_body (
  merge_id int NOT NULL REFERENCES merge ON DELETE CASCADE, kind text NOT NULL, id int NOT NULL,
  body json NOT NULL,                        -- as it was
  after text,                                -- digest of what the merge made of it
  PRIMARY KEY (merge_id, kind, id)
);
