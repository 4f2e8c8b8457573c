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
