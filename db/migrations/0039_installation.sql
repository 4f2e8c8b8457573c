-- What an installation remembers of itself, for `muniment doctor`: how large the database was, so that it can say when the disk will be full, and when a backup was made.
CREATE TABLE size_sample (at timestamptz PRIMARY KEY DEFAULT now(), bytes bigint NOT NULL); -- of the whole database, some times a day
CREATE TABLE backup_made (at timestamptz PRIMARY KEY, size_bytes bigint NOT NULL);          -- by `npm run backup`; `at`: the moment that it holds
