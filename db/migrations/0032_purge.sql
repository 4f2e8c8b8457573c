-- Histories can be erased: which were, up to when all revisions have had their time, and which merges cannot be undone for that.

-- Records whose revisions, up to a version, were erased (libs/store/records/history/purge.ts).
CREATE TABLE history_purge (kind text NOT NULL, id int NOT NULL, lock_version int NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (kind, id));
-- What is older than `before` may be gone for its age (MUNIMENT_REVISION_DAYS).
CREATE TABLE history_horizon (one boolean PRIMARY KEY DEFAULT true CHECK (one), before timestamptz NOT NULL);
-- Revisions are appended, so their times ascend with their places.
CREATE INDEX revision_at_idx ON revision USING brin (at) WITH (autosummarize = on);
ALTER TABLE merge ADD COLUMN purged_at timestamptz;  -- what undoing needs was erased
CREATE INDEX merge_body_record_idx ON merge_body (kind, id);
