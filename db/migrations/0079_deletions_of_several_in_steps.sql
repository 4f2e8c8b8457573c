-- Deletions in steps of several records at once, and of records of a repository (docs/decisions/0046): the records of one stand in a table of their own, and the repository is kept, as their
-- addresses name it. NULL: global records.
CREATE TABLE deletion_begun_record (
  deletion_id int NOT NULL REFERENCES deletion_begun ON DELETE CASCADE, kind text NOT NULL, id int NOT NULL,
  PRIMARY KEY (deletion_id, kind, id)
);
CREATE INDEX deletion_begun_record_record_idx ON deletion_begun_record (kind, id);
INSERT INTO deletion_begun_record (deletion_id, kind, id) SELECT id, kind, record_id FROM deletion_begun;
ALTER TABLE deletion_begun ADD COLUMN repo_id int, DROP COLUMN kind, DROP COLUMN record_id;
