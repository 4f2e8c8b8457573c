-- Job records as clients read them, which are also the queue (docs/decisions/0007): their log, progress, files and reply; and blobs
-- (uploads, job outputs) in chunks. Schedules belong to pg-boss, in the schema pgboss.

CREATE TABLE blob (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), file_name text, media_type text, size_bytes bigint, complete boolean NOT NULL DEFAULT false,
  create_time timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX blob_create_time_idx ON blob (create_time);
CREATE TABLE blob_chunk (blob_id uuid NOT NULL REFERENCES blob ON DELETE CASCADE, n int NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (blob_id, n));
ALTER TABLE blob_chunk ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE job (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  visible boolean NOT NULL,                  -- listed under /repositories/:id/jobs
  type text NOT NULL,                        -- the name of a declaration of libs/domain/jobs
  mailbox text NOT NULL,                     -- jobs of one mailbox run one at a time, in order
  is_long boolean NOT NULL,                  -- may not take the last free place of a worker
  repo_id int,
  owner text,
  payload json NOT NULL,                     -- what the handler gets
  body json,                                 -- the wire body of a job that clients made
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'canceled')),
  time_submitted timestamptz NOT NULL DEFAULT now(), time_started timestamptz, time_finished timestamptz,
  system_mtime timestamptz NOT NULL DEFAULT now(),
  lock_version int NOT NULL DEFAULT 0,
  run_after timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,           -- runs begun, less those given back by a clean stop
  max_attempts int NOT NULL DEFAULT 1,
  run int NOT NULL DEFAULT 0,                -- the fence: only the run of this number may write
  worker int,                                -- who runs it: the number of a presence (advisory lock) of a worker process
  deadline timestamptz,                      -- when a run is taken for hung even though its worker is there
  cancel_requested timestamptz,
  outcome json                               -- {ok: value} or {failure: {code, error, extra}}
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- The mutex of a mailbox: no race of claims can start a second run.
CREATE UNIQUE INDEX job_running_mailbox_key ON job (mailbox) WHERE status = 'running';
CREATE INDEX job_queued_idx ON job (id) WHERE status = 'queued';
CREATE INDEX job_mailbox_idx ON job (mailbox, id) WHERE status IN ('queued', 'running');
CREATE INDEX job_repo_idx ON job (repo_id, id) WHERE visible;
CREATE INDEX job_finished_idx ON job (time_finished) WHERE time_finished IS NOT NULL;
CREATE SEQUENCE worker_number AS int CYCLE;

CREATE TABLE job_progress (
  job_id int PRIMARY KEY REFERENCES job ON DELETE CASCADE, progress json NOT NULL, at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE TABLE job_log (                       -- pieces of several lines; at_byte is where a piece begins in the whole log
  job_id int NOT NULL REFERENCES job ON DELETE CASCADE, at_byte bigint NOT NULL, size_bytes int NOT NULL, text text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (job_id, at_byte)
);
CREATE TABLE job_file (                      -- role: 'input', 'output', 'payload' (not shown)
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  job_id int NOT NULL REFERENCES job ON DELETE CASCADE, blob_id uuid NOT NULL REFERENCES blob, role text NOT NULL,
  UNIQUE (job_id, blob_id)
);
CREATE INDEX job_file_blob_idx ON job_file (blob_id);
CREATE TABLE job_record (job_id int NOT NULL REFERENCES job ON DELETE CASCADE, n bigint GENERATED ALWAYS AS IDENTITY, uri text NOT NULL, created boolean NOT NULL, PRIMARY KEY (job_id, n));

-- Claims one job for a worker: the oldest that is due and first in a mailbox where nothing runs. A job put off at its making (attempts = 0)
-- holds up nobody; one that waits to be tried again does. Looks at the oldest 200 first; where all of those are blocked, walks over the
-- mailboxes (not the jobs) round robin from `after_mailbox`, so that a claim costs the same with ten jobs and with ten thousand behind
-- one mailbox. Plans are pinned to index scans: a queue table that just grew has no statistics, and then claims took 50 ms.
CREATE FUNCTION claim_job(as_worker int, deadlines json, with_long boolean, after_mailbox text) RETURNS SETOF job LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off AS $$
DECLARE found_id int; start_at text;
BEGIN
  SELECT j.id INTO found_id
  FROM (SELECT id FROM job WHERE status = 'queued' ORDER BY id LIMIT 200) oldest JOIN job j ON j.id = oldest.id
  WHERE j.status = 'queued' AND j.run_after <= now() AND (with_long OR NOT j.is_long) AND deadlines ->> j.type IS NOT NULL
    AND NOT EXISTS (SELECT FROM job r WHERE r.mailbox = j.mailbox AND r.status = 'running')
    AND NOT EXISTS (SELECT FROM job b WHERE b.mailbox = j.mailbox AND b.id < j.id AND b.status IN ('queued', 'running') AND (b.run_after <= now() OR b.attempts > 0))
  ORDER BY j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED;
  IF found_id IS NULL AND (SELECT count(*) FROM (SELECT FROM job WHERE status = 'queued' LIMIT 200) AS few) = 200 THEN
    FOREACH start_at IN ARRAY ARRAY[after_mailbox, ''] LOOP
      WITH RECURSIVE box AS (
        (SELECT mailbox FROM job WHERE status IN ('queued', 'running') AND mailbox > start_at ORDER BY mailbox LIMIT 1)
        UNION ALL
        SELECT (SELECT n.mailbox FROM job n WHERE n.status IN ('queued', 'running') AND n.mailbox > box.mailbox ORDER BY n.mailbox LIMIT 1) FROM box WHERE box.mailbox IS NOT NULL)
      SELECT j.id INTO found_id
      FROM box CROSS JOIN LATERAL (
        SELECT h.id FROM job h WHERE h.mailbox = box.mailbox AND h.status IN ('queued', 'running') AND (h.run_after <= now() OR h.attempts > 0) ORDER BY h.id LIMIT 1) head
      JOIN job j ON j.id = head.id
      WHERE j.status = 'queued' AND j.run_after <= now() AND (with_long OR NOT j.is_long) AND deadlines ->> j.type IS NOT NULL
        AND NOT EXISTS (SELECT FROM job r WHERE r.mailbox = j.mailbox AND r.status = 'running')
      LIMIT 1 FOR UPDATE OF j SKIP LOCKED;
      EXIT WHEN found_id IS NOT NULL;
    END LOOP;
  END IF;
  IF found_id IS NULL THEN RETURN; END IF;
  RETURN QUERY
    UPDATE job SET status = 'running', worker = as_worker, run = run + 1, attempts = attempts + 1,
      deadline = now() + (deadlines ->> type)::int * interval '1 second',
      time_started = coalesce(time_started, now()), system_mtime = now(), lock_version = lock_version + 1
    WHERE id = found_id RETURNING job.*;
END $$;
