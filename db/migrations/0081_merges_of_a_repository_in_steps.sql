-- Merges of records of a repository go in steps as well (docs/decisions/0046), whose addresses name it. NULL: global records.
ALTER TABLE merge_begun ADD COLUMN repo_id int;
-- They and their undos run in the mailbox of what takes records from the repository: what waits is put there, or it might run beside it. Activations that they lack there are sent by the sweep.
UPDATE job SET mailbox = 'repository/' || substr(mailbox, length('merge/') + 1) WHERE status = 'queued' AND type IN ('merge-records', 'undo-merge') AND mailbox LIKE 'merge/%';
