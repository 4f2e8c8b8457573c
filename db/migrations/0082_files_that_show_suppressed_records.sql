-- Files of jobs tell of suppressed records where their owner sees these and there are any: then they are for those who see them, too. What was made before is as it was.
ALTER TABLE job_file ADD COLUMN shows_suppressed boolean NOT NULL DEFAULT false;
-- Whether a repository has any. Few records are suppressed, so it is small; making it reads the table once.
CREATE INDEX record_suppressed_idx ON record (repo_id) WHERE suppressed;
