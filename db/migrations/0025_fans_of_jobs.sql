-- Which reindexing job a fan belongs to: one that was canceled goes no further, whoever was at it in that moment (docs/decisions/0013).
-- Until now that was told by the last fan of the queue when a job had handed its records over.
ALTER TABLE reindex_fan ADD job_id int;
UPDATE reindex_fan f SET job_id = (SELECT r.job_id FROM reindex_run r WHERE r.last_fan >= f.n ORDER BY r.last_fan, r.job_id LIMIT 1) WHERE f.way = 'kind';
ALTER TABLE reindex_run DROP COLUMN last_fan;
