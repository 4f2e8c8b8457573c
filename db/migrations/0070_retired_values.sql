-- Controlled values that were migrated, renamed or deleted, for a week: a record that was being saved with one at that moment has it still, since it was checked
-- against the list of before. `n`: what the feed told up to there has been looked through. `successor` is null where the value was deleted.
CREATE TABLE retired_value (
  enumeration_id int NOT NULL REFERENCES enumeration ON DELETE CASCADE, value text NOT NULL, successor text,
  n bigint NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (enumeration_id, value)
);
