-- Which reindexing job a fan belongs to: one that was canceled goes no further, whoever was at it in that moment (docs/decisions/0013).
ALTER TABLE reindex_fan ADD job_id int;
