-- Loads are known by a mark that their client chose: whoever was killed before the answer came asks by it what became of the load.
ALTER TABLE load ADD mark text;
CREATE UNIQUE INDEX load_mark_key ON load (mark);
CREATE INDEX job_load_mark_idx ON job ((payload->>'mark')) WHERE type = 'load-records';
