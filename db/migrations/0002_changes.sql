-- The change log, its sequencer and followers (design: docs/decisions/0005). Written in the transaction of what it describes.

CREATE TABLE change (
  seq bigint GENERATED ALWAYS AS IDENTITY,   -- CACHE stays 1: it orders the changes of one record
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text, kind text NOT NULL, id int, ids int[], repo_id int, op text NOT NULL, lock_version int,
  PRIMARY KEY (xid, seq), CHECK (num_nonnulls(id, ids) = 1)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);

CREATE TABLE feed (
  n bigint PRIMARY KEY, at timestamptz NOT NULL, seq bigint NOT NULL, changed_at timestamptz NOT NULL,
  actor text, kind text NOT NULL, id int, ids int[], repo_id int, op text NOT NULL, lock_version int
) PARTITION BY RANGE (n);
CREATE TABLE feed_0 PARTITION OF feed FOR VALUES FROM (0) TO (10000000);
CREATE TABLE feed_1 PARTITION OF feed FOR VALUES FROM (10000000) TO (20000000);
CREATE INDEX feed_at ON feed (at);

CREATE TABLE sequencer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one), position pg_snapshot NOT NULL,
  n bigint NOT NULL, at timestamptz NOT NULL, cluster bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO sequencer SELECT true, pg_current_snapshot(), 0, now(), system_identifier FROM pg_control_system();

CREATE TABLE follower (name text PRIMARY KEY, n bigint NOT NULL DEFAULT 0, at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 10);

CREATE FUNCTION sequence_changes() RETURNS bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE s sequencer; k bigint;
BEGIN
  SELECT * INTO STRICT s FROM sequencer;
  IF NOT EXISTS (SELECT FROM change WHERE xid >= pg_snapshot_xmax(s.position)) AND
     NOT EXISTS (SELECT FROM pg_snapshot_xip(s.position) x JOIN change c ON c.xid = x) THEN RETURN 0; END IF;
  -- The lease: it dies with its connection.
  SELECT * INTO s FROM sequencer FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN -1; END IF;
  -- The position must be taken by the very statement that reads, or changes are skipped or doubled.
  WITH fresh AS MATERIALIZED (
    SELECT c.* FROM change c WHERE c.xid >= pg_snapshot_xmax(s.position)
    UNION ALL SELECT c.* FROM pg_snapshot_xip(s.position) x JOIN change c ON c.xid = x
  ), put AS (INSERT INTO feed SELECT s.n + row_number() OVER (ORDER BY seq), greatest(s.at, clock_timestamp()), seq, at,
                    actor, kind, id, ids, repo_id, op, lock_version FROM fresh RETURNING 1
  ), total AS (SELECT count(*) AS k FROM put)
  UPDATE sequencer SET position = pg_current_snapshot(), n = s.n + total.k, at = greatest(s.at, clock_timestamp())
    FROM total RETURNING total.k INTO k;
  IF k > 0 THEN PERFORM pg_notify('muniment_feed', ''); END IF;
  RETURN k;
END $$;

-- Partition number k of the feed, holding 10 M numbers from k * 10 M.
CREATE FUNCTION make_feed_partition(k bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE IF NOT EXISTS feed_%s PARTITION OF feed FOR VALUES FROM (%s) TO (%s)', k, k * 10000000, (k + 1) * 10000000);
END $$;

-- Drops the partitions whose last entry is older than the retention and read by every follower; never the one being written.
CREATE FUNCTION drop_feed_partitions(size bigint, retention interval) RETURNS int LANGUAGE plpgsql AS $$
DECLARE part record; newest timestamptz; dropped int := 0;
BEGIN
  FOR part IN
    SELECT inhrelid::regclass AS name, substring(inhrelid::regclass::text FROM '[0-9]+$')::bigint AS k
    FROM pg_inherits WHERE inhparent = 'feed'::regclass
  LOOP
    CONTINUE WHEN (part.k + 1) * size > (SELECT least(s.n, coalesce((SELECT min(n) FROM follower), s.n)) FROM sequencer s);
    EXECUTE format('SELECT max(at) FROM %s', part.name) INTO newest;
    CONTINUE WHEN newest > now() - retention;
    EXECUTE format('DROP TABLE %s', part.name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
