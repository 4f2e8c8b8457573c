-- Since when tables have had many dead rows, as a job notes that comes every ten minutes: those of a large import are vacuum's to remove within minutes, and nothing is wrong until it has not.
CREATE TABLE table_behind (name text PRIMARY KEY, since timestamptz NOT NULL DEFAULT now());
