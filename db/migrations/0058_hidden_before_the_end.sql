-- What a transaction hides may be looked through before its end, and what it hides behind that by itself (docs/decisions/0037): who moves much below something hidden
-- does so before it holds trees.

-- pending: still to be looked through. spread: when it was, last.
ALTER TABLE search_hiding ADD pending boolean NOT NULL DEFAULT true, ADD spread timestamptz;

-- Has search_hide_spread called once, when the transaction ends, or once more where it was called before.
CREATE OR REPLACE FUNCTION search_hide_note() RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_hiding DEFAULT VALUES ON CONFLICT (xid) DO UPDATE SET pending = true WHERE NOT search_hiding.pending
$$;

-- The kind of the root of a tree.
CREATE FUNCTION tree_root_kind(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE code
  WHEN 1 THEN 'resource' WHEN 2 THEN 'digital_object' WHEN 3 THEN 'classification' END;

DROP TRIGGER search_hide_spread ON search_hiding;
CREATE CONSTRAINT TRIGGER search_hide_spread AFTER INSERT OR UPDATE OF pending ON search_hiding DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.pending AND NOT tells_by_itself()) EXECUTE FUNCTION search_hide_spread();

-- As in 0045, but of what was hidden since it was last called in the transaction.
CREATE OR REPLACE FUNCTION search_hide_spread() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  me CONSTANT xid8 := NEW.xid;
  since CONSTANT timestamptz := coalesce(NEW.spread, '-infinity');
BEGIN
  -- Nodes that were moved under one parent are hidden by the same.
  INSERT INTO search_hidden (kind, id, reach)
  WITH place AS MATERIALIZED (
    SELECT h.kind, h.id, t.repo_id, t.root_id, t.list_id FROM (SELECT DISTINCT kind, id FROM search_hidden WHERE xid = me AND reach = 'moved') AS h
    JOIN record r ON r.kind = h.kind AND r.id = h.id JOIN tree_node t ON t.repo_id = r.repo_id AND t.kind = tree_code(h.kind) AND t.id = h.id
  ), parent AS MATERIALIZED (
    SELECT f.kind, f.root_id, f.list_id FROM (SELECT DISTINCT ON (kind, root_id, list_id) * FROM place ORDER BY kind, root_id, list_id, id) AS f WHERE has_hidden_ancestor(f.kind, f.id, f.repo_id)
  )
  SELECT place.kind, place.id, 'public' FROM place JOIN parent USING (kind, root_id, list_id);

  INSERT INTO search_hidden (kind, id, reach)
  WITH RECURSIVE seed AS MATERIALIZED (
    SELECT h.kind, h.id, r.repo_id, tree_code(h.kind) AS code FROM (SELECT DISTINCT kind, id FROM search_hidden WHERE xid = me AND at >= since AND reach IN ('public', 'suppressed') AND tree_code(kind) IS NOT NULL) AS h
    JOIN record r ON r.kind = h.kind AND r.id = h.id
  ), root AS MATERIALIZED (
    SELECT code, repo_id, id FROM seed WHERE kind <> tree_node_kind(code)
  ), down AS (
    SELECT t.repo_id, t.kind, t.root_id, t.id FROM seed s JOIN tree_node t ON t.repo_id = s.repo_id AND t.kind = s.code AND t.id = s.id
    WHERE s.kind = tree_node_kind(s.code) AND NOT EXISTS (SELECT FROM root o WHERE o.code = t.kind AND o.id = t.root_id)
    UNION
    SELECT t.repo_id, t.kind, t.root_id, t.id FROM down JOIN tree_node t ON t.repo_id = down.repo_id AND t.kind = down.kind AND t.root_id = down.root_id AND t.list_id = down.id
  ), below AS (
    SELECT tree_node_kind(kind) AS kind, id FROM down
    UNION SELECT tree_node_kind(o.code), t.id FROM root o JOIN tree_node t ON t.repo_id = o.repo_id AND t.kind = o.code AND t.root_id = o.id
  )
  SELECT b.kind, b.id, 'public' FROM below b JOIN record r ON r.kind = b.kind AND r.id = b.id
  WHERE r.publish AND NOT r.suppressed AND (SELECT 1 FROM search_hidden h WHERE h.xid = me AND h.kind = b.kind AND h.id = b.id AND h.reach <> 'moved' LIMIT 1) IS NULL;

  -- Of the records that use one so many are looked at: where none of these is public, it is taken for hidden until the index has looked at all.
  INSERT INTO search_hidden (kind, id, reach)
  SELECT c.kind, c.id, 'public' FROM (
    SELECT kind, id FROM search_hidden WHERE xid = me AND reach = 'used'
    UNION SELECT l.target_kind, l.target_id FROM search_hidden h JOIN link l ON l.source_kind = h.kind AND l.source_id = h.id
      WHERE h.xid = me AND h.at >= since AND h.reach NOT IN ('used', 'moved') AND l.target_kind IN ('subject', 'top_container')
    UNION SELECT d.kind, d.record_id FROM search_hidden h JOIN search_value v ON v.field = 'used_within_published_repository' AND v.value = '/repositories/' || h.id
      JOIN search_doc d ON d.kind = 'subject' AND d.vals @> ARRAY[v.id] WHERE h.xid = me AND h.at >= since AND h.kind = 'repository'
  ) AS c
  WHERE NOT EXISTS (SELECT FROM (
      SELECT l.source_kind, l.source_id FROM (SELECT l.source_kind, l.source_id FROM link l WHERE l.target_kind = c.kind AND l.target_id = c.id LIMIT 1000) AS l
      -- First what is hidden now, of which there is much: to look above a record costs a hundred times as much. OFFSET keeps it first.
      WHERE (SELECT 1 FROM search_hidden h WHERE h.xid = me AND h.kind = l.source_kind AND h.id = l.source_id AND h.reach NOT IN ('repository', 'moved') LIMIT 1) IS NULL OFFSET 0) AS l
    JOIN record s ON s.kind = l.source_kind AND s.id = l.source_id
    WHERE s.publish AND NOT s.suppressed AND s.kind NOT IN ('event', 'repository', 'user')
      AND (s.repo_id IS NULL OR (SELECT p.publish FROM record p WHERE p.kind = 'repository' AND p.id = s.repo_id) AND NOT has_hidden_ancestor(s.kind, s.id, s.repo_id)));

  DELETE FROM search_hidden WHERE xid = me AND reach IN ('moved', 'used');
  UPDATE search_hiding SET at = clock_timestamp(), spread = clock_timestamp(), pending = false WHERE xid = me;
  RETURN NULL;
END $$;
