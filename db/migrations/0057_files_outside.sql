-- Files may be objects of an S3-compatible storage (docs/decisions/0044). An object is listed here before it is sent, so that none is ever
-- there of which the database does not know: 'begun' until its file is complete, 'kept' while the file is there, 'unused' until it is removed.

CREATE TABLE stored_object (
  key text PRIMARY KEY,                      -- in the storage, behind its prefix
  storage text NOT NULL,                     -- where it was written: s3://bucket/prefix
  state text NOT NULL DEFAULT 'begun' CHECK (state IN ('begun', 'kept', 'unused')),
  since timestamptz NOT NULL DEFAULT now(),  -- of the state; -infinity: it need not wait to be removed
  sent timestamptz NOT NULL DEFAULT now(),   -- when it was begun, kept or given up: for a day from then on a request that was given up may still store it
  removed timestamptz                        -- when it was removed first; after that day it is removed once more, and its line goes
);
CREATE INDEX stored_object_waiting_idx ON stored_object (since) WHERE state <> 'kept';

-- Null: the bytes are in blob_chunk. Chunks beside a key are of a move that is under way.
ALTER TABLE blob ADD COLUMN object_key text UNIQUE REFERENCES stored_object, ADD COLUMN sha256 bytea,
  ADD CONSTRAINT blob_object_check CHECK (object_key IS NULL OR sha256 IS NOT NULL AND size_bytes IS NOT NULL AND complete);

-- Whoever removes a file, or has it elsewhere, leaves its object to be removed in the same transaction.
CREATE FUNCTION release_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stored_object SET state = 'unused', since = now() WHERE key = OLD.object_key AND state = 'kept';
  RETURN NULL;
END $$;
CREATE TRIGGER blob_removed AFTER DELETE ON blob FOR EACH ROW WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION release_object();
CREATE TRIGGER blob_moved AFTER UPDATE OF object_key ON blob FOR EACH ROW
  WHEN (OLD.object_key IS NOT NULL AND OLD.object_key IS DISTINCT FROM NEW.object_key) EXECUTE FUNCTION release_object();
