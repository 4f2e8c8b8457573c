-- Who may run a job of a mailbox is told by pg-boss: one activation for each job (docs/decisions/0007). Our own claim goes, with what it stood on.
-- Jobs that are queued or run at this moment stay as they are: workers send the activations that are missing when they start.
DROP FUNCTION claim_job(int, json, boolean, text);
DROP INDEX job_running_mailbox_key;
DROP INDEX job_queued_idx;
-- The activation under which a job runs, and which of its attempts; null where nothing runs.
ALTER TABLE job ADD activation uuid, ADD activation_attempt int;
-- What recoverJobs looks at each second, however many wait.
CREATE INDEX job_running_idx ON job (id) WHERE status = 'running';
