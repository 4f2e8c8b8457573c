-- What was hidden before search documents tell of it: written by the transaction that hides, looked up by every search, taken out with the documents (docs/decisions/0025).

-- A record that was hidden, and from whom. Append-only, so that nobody waits; a record may have several rows. `xid` tells when the index is past it.
CREATE TABLE search_hidden (
  kind text NOT NULL, id int NOT NULL,
  reach text NOT NULL CHECK (reach IN ('all', 'public', 'suppressed', 'repository', 'moved', 'used')),
    -- all: deleted; public; suppressed: from those who do not see suppressed records of repo_id; repository: from those who do not see repo_id.
    -- moved, used: still to be looked at when the transaction ends (search_hide_spread), and never committed.
  repo_id int, xid xid8 NOT NULL DEFAULT pg_current_xact_id(), at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
CREATE INDEX search_hidden_record_idx ON search_hidden (kind, id);
CREATE INDEX search_hidden_xid_idx ON search_hidden (xid, kind, id);

-- Transactions that hid something, of the last minutes: what was counted before one of them is not to be shown after it.
CREATE TABLE search_hiding (xid xid8 PRIMARY KEY DEFAULT pg_current_xact_id(), at timestamptz NOT NULL DEFAULT clock_timestamp())
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
CREATE INDEX search_hiding_at_idx ON search_hiding (at);

-- The number of the tree that a kind is the root of, or stands in; the kind of its nodes.
CREATE FUNCTION tree_code(kind text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
  WHEN kind IN ('resource', 'archival_object') THEN 1 WHEN kind IN ('digital_object', 'digital_object_component') THEN 2 WHEN kind IN ('classification', 'classification_term') THEN 3 END::smallint;
CREATE FUNCTION tree_node_kind(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE code
  WHEN 1 THEN 'archival_object' WHEN 2 THEN 'digital_object_component' WHEN 3 THEN 'classification_term' END;

-- Has search_hide_spread called once, when the transaction ends.
CREATE FUNCTION search_hide_note() RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_hiding DEFAULT VALUES ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION search_hide_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.publish AND NEW.publish IS NOT TRUE THEN
    INSERT INTO search_hidden (kind, id, reach) VALUES (NEW.kind, NEW.id, 'public');
  END IF;
  IF NEW.suppressed THEN
    INSERT INTO search_hidden (kind, id, reach, repo_id) VALUES (NEW.kind, NEW.id, 'suppressed', NEW.repo_id);
  END IF;
  IF OLD.repo_id IS DISTINCT FROM NEW.repo_id THEN
    INSERT INTO search_hidden (kind, id, reach, repo_id) VALUES (NEW.kind, NEW.id, 'repository', NEW.repo_id);
  END IF;
  PERFORM search_hide_note();
  RETURN NULL;
END $$;
CREATE TRIGGER record_hidden AFTER UPDATE ON record FOR EACH ROW
  WHEN (OLD.publish AND NEW.publish IS NOT TRUE OR NEW.suppressed AND NOT OLD.suppressed OR OLD.repo_id IS DISTINCT FROM NEW.repo_id)
  EXECUTE FUNCTION search_hide_changed();

CREATE FUNCTION search_hide_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_hidden (kind, id, reach) SELECT kind, id, 'all' FROM gone;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- Their links may go with them before the transaction ends.
  INSERT INTO search_hidden (kind, id, reach) SELECT DISTINCT l.target_kind, l.target_id, 'used' FROM gone g JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id
    WHERE l.target_kind IN ('subject', 'top_container');
  PERFORM search_hide_note();
  RETURN NULL;
END $$;
CREATE TRIGGER record_gone AFTER DELETE ON record REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION search_hide_gone();

CREATE FUNCTION search_hide_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_hidden (kind, id, reach) VALUES (tree_node_kind(NEW.kind), NEW.id, 'moved');
  PERFORM search_hide_note();
  RETURN NULL;
END $$;
CREATE TRIGGER tree_node_moved AFTER UPDATE ON tree_node FOR EACH ROW
  WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.root_id <> NEW.root_id) EXECUTE FUNCTION search_hide_moved();

-- What is shown again comes with its own change. What is below it does so where that changes its document, which it does not where the one that hid it was never
-- followed: then the rows of what is below would stay.
CREATE FUNCTION search_show_below() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  code CONSTANT smallint := tree_code(NEW.kind);
  is_node CONSTANT boolean := NEW.kind = tree_node_kind(code);
BEGIN
  IF EXISTS (SELECT FROM search_hidden) AND EXISTS (SELECT FROM tree_bucket b WHERE b.repo_id = NEW.repo_id AND b.kind = code AND b.n > 0
    AND b.root_id = CASE WHEN is_node THEN (SELECT t.root_id FROM tree_node t WHERE t.repo_id = NEW.repo_id AND t.kind = code AND t.id = NEW.id) ELSE NEW.id END
    AND (b.list_id = NEW.id OR NOT is_node)) THEN
    INSERT INTO reindex_fan (lane, way, kind, id, repo_id) VALUES (1, 'below', NEW.kind, NEW.id, NEW.repo_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER record_shown AFTER UPDATE ON record FOR EACH ROW
  WHEN ((NEW.publish AND OLD.publish IS NOT TRUE OR OLD.suppressed AND NOT NEW.suppressed) AND tree_code(NEW.kind) IS NOT NULL) EXECUTE FUNCTION search_show_below();

-- At the end of a transaction that hid something: what is hidden with it. What is below an unpublished or suppressed record is so from the public, what was moved
-- there too, and subjects and containers of which nothing is left that the public sees.
CREATE FUNCTION search_hide_spread() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  me CONSTANT xid8 := NEW.xid;
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
    SELECT h.kind, h.id, r.repo_id, tree_code(h.kind) AS code FROM (SELECT DISTINCT kind, id FROM search_hidden WHERE xid = me AND reach IN ('public', 'suppressed') AND tree_code(kind) IS NOT NULL) AS h
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
  WHERE r.publish AND NOT r.suppressed AND NOT EXISTS (SELECT FROM search_hidden h WHERE h.xid = me AND h.kind = b.kind AND h.id = b.id);

  -- Of the records that use one so many are looked at: where none of these is public, it is taken for hidden until the index has looked at all.
  INSERT INTO search_hidden (kind, id, reach)
  SELECT c.kind, c.id, 'public' FROM (
    SELECT kind, id FROM search_hidden WHERE xid = me AND reach = 'used'
    UNION SELECT l.target_kind, l.target_id FROM search_hidden h JOIN link l ON l.source_kind = h.kind AND l.source_id = h.id
      WHERE h.xid = me AND h.reach <> 'used' AND l.target_kind IN ('subject', 'top_container')
    UNION SELECT d.kind, d.record_id FROM search_hidden h JOIN search_value v ON v.field = 'used_within_published_repository' AND v.value = '/repositories/' || h.id
      JOIN search_doc d ON d.kind = 'subject' AND d.vals @> ARRAY[v.id] WHERE h.xid = me AND h.kind = 'repository'
  ) AS c
  WHERE NOT EXISTS (SELECT FROM (SELECT l.source_kind, l.source_id FROM link l WHERE l.target_kind = c.kind AND l.target_id = c.id LIMIT 1000) AS l
    JOIN record s ON s.kind = l.source_kind AND s.id = l.source_id
    WHERE s.publish AND NOT s.suppressed AND s.kind NOT IN ('event', 'repository', 'user')
      AND NOT EXISTS (SELECT FROM search_hidden h WHERE h.xid = me AND h.kind = s.kind AND h.id = s.id AND h.reach <> 'repository')
      AND (s.repo_id IS NULL OR (SELECT p.publish FROM record p WHERE p.kind = 'repository' AND p.id = s.repo_id) AND NOT has_hidden_ancestor(s.kind, s.id, s.repo_id)));

  DELETE FROM search_hidden WHERE xid = me AND reach IN ('moved', 'used');
  UPDATE search_hiding SET at = clock_timestamp() WHERE xid = me;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER search_hide_spread AFTER INSERT ON search_hiding DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_hide_spread();

-- As in 0020; and a job that clients see no more is hidden at once.
CREATE OR REPLACE FUNCTION make_job_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reindex_fan (lane, way, kind, ids) VALUES (0, 'ids', 'job', ARRAY[coalesce(NEW.id, OLD.id)]);
  IF TG_OP = 'DELETE' OR OLD.visible AND NOT NEW.visible THEN
    INSERT INTO search_hidden (kind, id, reach) VALUES ('job', OLD.id, 'all');
    PERFORM search_hide_note();
  END IF;
  -- The indexer listens to this channel; it would look within a second anyway.
  PERFORM pg_notify('muniment_feed', '');
  RETURN NULL;
END $$;

-- When a fan was made, so that the lag tells how long the oldest change waits; what becomes due of it keeps that time.
ALTER TABLE reindex_fan ADD at timestamptz NOT NULL DEFAULT clock_timestamp();
-- Fans to `sources` and `below` are of many records at once: `ids`, where `id` is 0. What waits to start the same is found by this index.
CREATE INDEX reindex_fan_start_idx ON reindex_fan (way, kind, id, n);

-- How fast the indexer of each process was of late, for the time that is left: records, and the seconds in which it was at work.
CREATE TABLE search_pace (process uuid PRIMARY KEY, records int NOT NULL, seconds real NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
