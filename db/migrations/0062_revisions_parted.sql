-- The third step (0060): the table that is there becomes the first part of a parted one. Nothing is read or written anew, since the check proves what the part holds.
DO $$
DECLARE
  bound CONSTANT bigint := (SELECT substring(pg_get_constraintdef(oid) FROM '\d+')::bigint FROM pg_constraint WHERE conrelid = 'revision'::regclass AND conname = 'revision_part');
  next CONSTANT bigint := (SELECT last_value + is_called::int FROM revision_n_seq);
  -- Named after the last ten million that it holds; all before are in it too.
  part CONSTANT text := 'revision_' || bound / 10000000 - 1;
BEGIN
  ALTER TABLE revision ALTER COLUMN n DROP IDENTITY;
  EXECUTE format('ALTER TABLE revision RENAME TO %I', part);
  EXECUTE format('ALTER INDEX revision_pkey RENAME TO %I', part || '_pkey');
  EXECUTE format('ALTER INDEX revision_at_idx RENAME TO %I', part || '_at_idx');
  EXECUTE format('CREATE TABLE revision (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE (n)', part);
  EXECUTE format('CREATE SEQUENCE revision_n_seq START %s OWNED BY revision.n', next);
  ALTER TABLE revision ALTER COLUMN n SET DEFAULT nextval('revision_n_seq');
  ALTER TABLE revision ADD CONSTRAINT revision_pkey PRIMARY KEY (kind, id, n);
  CREATE INDEX revision_at_idx ON revision USING brin (at) WITH (autosummarize = on);
  EXECUTE format('ALTER TABLE revision ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)', part, bound);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT revision_part', part);
END $$;

-- Makes the parts that are missing, up to the one behind that of number `last`. A table is made and attached: CREATE TABLE … PARTITION OF would lock readers and writers out.
CREATE FUNCTION make_revision_parts(last bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('muniment.revision.parts'));
  FOR k IN (SELECT max(substring(c.relname FROM '[0-9]+$')::int) + 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'revision'::regclass) .. last / 10000000 + 1 LOOP
    EXECUTE format('CREATE TABLE revision_%s (LIKE revision INCLUDING ALL)', k);
    EXECUTE format('ALTER TABLE revision ATTACH PARTITION revision_%s FOR VALUES FROM (%s) TO (%s)', k, k * 10000000::bigint, (k + 1) * 10000000::bigint);
  END LOOP;
END $$;

-- Drops the parts, from the first on, of which all is older than `before`; never the one being written. Gives up, until it is called again, where somebody who writes does not end
-- within a fifth of a second: meanwhile others who write wait too. Gives the number of those that were dropped.
CREATE FUNCTION drop_revision_parts(before timestamptz) RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET lock_timeout = '200ms' AS $$
DECLARE part record; young boolean; dropped int := 0;
BEGIN
  FOR part IN
    SELECT c.relname AS name, substring(c.relname FROM '[0-9]+$')::bigint AS k FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'revision'::regclass ORDER BY 2
  LOOP
    EXIT WHEN (part.k + 1) * 10000000 > (SELECT last_value FROM revision_n_seq);
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE at >= $1)', part.name) INTO young USING before;
    EXIT WHEN young;
    BEGIN
      LOCK TABLE revision IN ACCESS EXCLUSIVE MODE;
      -- Whoever took a number long ago has ended now.
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE at >= $1)', part.name) INTO young USING before;
      EXIT WHEN young;
      EXECUTE format('DROP TABLE %I', part.name);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN RETURN dropped;
    END;
  END LOOP;
  RETURN dropped;
END $$;
