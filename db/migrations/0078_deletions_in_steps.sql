-- Deletions that are under way in steps (docs/decisions/0046): the record, and the holders of refs to it that were written without these so far, as they were. They go with the
-- transaction that ends the deletion, or when all holders have their refs back.
CREATE TABLE deletion_begun (id int PRIMARY KEY, kind text NOT NULL, record_id int NOT NULL, actor text, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX deletion_begun_record_idx ON deletion_begun (kind, record_id);

CREATE TABLE deletion_unlinked (
  deletion_id int NOT NULL REFERENCES deletion_begun ON DELETE CASCADE,
  kind text NOT NULL, id int NOT NULL, lock_version int NOT NULL,
  body json NOT NULL,    -- before its refs were taken out
  links json NOT NULL,   -- its rows of link to the record
  PRIMARY KEY (deletion_id, kind, id)
);
