-- Job records as clients read them, their log, progress and reply; and blobs (uploads, job outputs) in chunks.
-- The queue's own tables belong to pg-boss, in the schema pgboss.

CREATE TABLE blob (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), file_name text, media_type text, size_bytes bigint, complete boolean NOT NULL DEFAULT false,
  create_time timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE blob_chunk (blob_id uuid NOT NULL REFERENCES blob ON DELETE CASCADE, n int NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (blob_id, n));
ALTER TABLE blob_chunk ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE job (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  queue_id uuid UNIQUE,                      -- the pg-boss job; null until enqueued
  visible boolean NOT NULL,                  -- listed under /repositories/:id/jobs
  type text NOT NULL,                        -- a declaration of libs/domain/jobs
  mailbox text NOT NULL,                     -- jobs of one mailbox run one at a time, in order
  repo_id int,
  owner text,
  payload json NOT NULL,                     -- what the handler gets
  body json,                                 -- the wire body of a job that clients made
  status text NOT NULL DEFAULT 'queued',     -- queued, running, completed, failed, canceled
  time_submitted timestamptz NOT NULL DEFAULT now(), time_started timestamptz, time_finished timestamptz,
  attempts int NOT NULL DEFAULT 0,
  worker text,
  progress json,                             -- {label, done, total, rate}
  outcome json,                              -- {ok: value} or {failure: {code, error, extra}}
  queue_note text
);
CREATE INDEX job_repo_idx ON job (repo_id, id) WHERE visible;
CREATE INDEX job_unfinished_idx ON job (status, id) WHERE status IN ('queued', 'running');
CREATE INDEX job_mailbox_idx ON job (mailbox, id) WHERE status IN ('queued', 'running');
CREATE TABLE job_log (job_id int NOT NULL REFERENCES job ON DELETE CASCADE, n int NOT NULL, text text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (job_id, n));
CREATE TABLE job_file (job_id int NOT NULL REFERENCES job ON DELETE CASCADE, blob_id uuid NOT NULL REFERENCES blob, role text NOT NULL, PRIMARY KEY (job_id, blob_id));
CREATE TABLE job_record (job_id int NOT NULL REFERENCES job ON DELETE CASCADE, n bigint GENERATED ALWAYS AS IDENTITY, uri text NOT NULL, created boolean NOT NULL, PRIMARY KEY (job_id, n));
