-- Merges that are under way in steps (docs/decisions/0046): the records of one, the first of which stays, and the holders of refs that were led over to it so far. They go
-- with the transaction that ends the merge, or when all holders are led back.
CREATE TABLE merge_begun (id int PRIMARY KEY, actor text, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE merge_begun_record (
  merge_id int NOT NULL REFERENCES merge_begun ON DELETE CASCADE, n int NOT NULL, kind text NOT NULL, id int NOT NULL,
  PRIMARY KEY (merge_id, n)
);
CREATE INDEX merge_begun_record_idx ON merge_begun_record (kind, id);

-- The one link of each holder, as it was: a row of merge_link to be.
CREATE TABLE merge_led (
  merge_id int NOT NULL REFERENCES merge_begun ON DELETE CASCADE,
  source_kind text NOT NULL, source_id int NOT NULL, ordinal int NOT NULL, property text NOT NULL, target_kind text NOT NULL, target_id int NOT NULL,
  repo_id int, role text, target_ordinal int NOT NULL,
  PRIMARY KEY (merge_id, source_kind, source_id)
);
