-- The timeline of the last round of the sequencer: after a recovery to an earlier point numbers that clients saw must not come again (docs/decisions/0049).
ALTER TABLE sequencer ADD COLUMN timeline text;
UPDATE sequencer SET timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8);
ALTER TABLE sequencer ALTER COLUMN timeline SET NOT NULL;
