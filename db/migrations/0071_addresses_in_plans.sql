-- The same as before, but for the casts: `text || int` is not immutable, and a function that is so by its declaration and not by its body is called for each
-- row (some 12 microseconds) where this one becomes part of the plan (less than half of one).
CREATE OR REPLACE FUNCTION record_uri(kind text, id int, repo_id int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE kind
  WHEN 'agent_person' THEN '/agents/people/' || id::text
  WHEN 'agent_family' THEN '/agents/families/' || id::text
  WHEN 'agent_corporate_entity' THEN '/agents/corporate_entities/' || id::text
  WHEN 'agent_software' THEN '/agents/software/' || id::text
  WHEN 'repository' THEN '/repositories/' || id::text
  WHEN 'vocabulary' THEN '/vocabularies/' || id::text
  WHEN 'collection_management' THEN '/repositories/' || repo_id::text || '/collection_management/' || id::text
  ELSE CASE WHEN repo_id IS NULL THEN '/' ELSE '/repositories/' || repo_id::text || '/' END || kind || 's/' || id::text END;
