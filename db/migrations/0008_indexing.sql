-- What the indexer of search has still to do, and what it must know of a document to tell whom a change concerns (docs/decisions/0009).

-- Documents are found by the record they were made of, whose uri changes when it goes to another repository.
ALTER TABLE search_doc ADD record_id int NOT NULL DEFAULT 0;
CREATE INDEX search_doc_record_idx ON search_doc (kind, record_id);
-- `echo`: a digest of what other documents show of this one. `targets`: uris whose documents tell of this one.
ALTER TABLE search_body ADD echo text NOT NULL DEFAULT '', ADD targets text[] NOT NULL DEFAULT '{}';

-- Records to index. Lane 0: changed by themselves, a few at a time. Lane 1: all else. A row is deleted first, then the record is read.
CREATE TABLE reindex_due (
  lane smallint NOT NULL, kind text NOT NULL, id int NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (lane, kind, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
CREATE INDEX reindex_due_lane_n_idx ON reindex_due (lane, n);

-- Records to be made due, a thousand at a time: `ids` of a kind; the `sources` of links to a record; what is `below` a node or root;
-- all records of a `repository`, or of a `kind`. Append-only, so that nobody waits for anybody; `after_` is how far it was carried out.
CREATE TABLE reindex_fan (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lane smallint NOT NULL, way text NOT NULL CHECK (way IN ('ids', 'sources', 'below', 'repository', 'kind')),
  kind text NOT NULL, id int NOT NULL DEFAULT 0, repo_id int, ids int[] NOT NULL DEFAULT '{}', after_kind text NOT NULL DEFAULT '', after_id int NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
CREATE INDEX reindex_fan_lane_n_idx ON reindex_fan (lane, n);

-- Reindexing jobs that have handed their records over: how many, and the last fan before which theirs stand.
CREATE TABLE reindex_run (job_id int PRIMARY KEY, total int NOT NULL, last_fan bigint NOT NULL);

-- As with records: compressing what is stored costs more than the room, and is paid by every write of a large import.
ALTER TABLE search_body ALTER stored SET STORAGE EXTERNAL;
ALTER TABLE search_body SET (toast_tuple_target = 8160);
