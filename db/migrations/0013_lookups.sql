-- Lookups by identifiers of other systems, slugs and ARKs: functions that indexes use, the numbers of ARKs, and the keys of slugs that are stored.
-- The indexes themselves are made at start in the partitions of kinds (libs/store/kinds.ts).

-- Identifiers that other systems gave to a record. Called for bodies that have some, and by their index.
CREATE FUNCTION external_ids_of(body json) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10 AS
  $$ SELECT array_agg(e->>'external_id') FROM json_array_elements(body->'external_ids') e $$;

-- Whether a body has such identifiers: a look at its text, which is canonical (decision 0004), without parsing it.
CREATE FUNCTION has_external_ids(body json) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT strpos(body::text, '"external_ids":[{') > 0 $$;

CREATE SEQUENCE ark_number;

-- Slugs are unique over all kinds from here on; of two that were alike the first keeps the key, the other gets a new slug when it is saved.
INSERT INTO unique_key (rule, scope, value, kind, id)
  SELECT 'slug', '', body->>'slug', kind, id FROM record WHERE strpos(body::text, '"slug":"') > 0 AND body->>'slug' <> '' AND octet_length(body->>'slug') <= 400
  ORDER BY kind = 'repository' DESC, create_time, id ON CONFLICT DO NOTHING;
