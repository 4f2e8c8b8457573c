-- Ordered children under a parent: counted buckets (docs/decisions/0006). No row stores a position.

CREATE TABLE tree_root (
  repo_id int NOT NULL, kind smallint NOT NULL, root_id int NOT NULL, version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (repo_id, kind, root_id)
);
CREATE TABLE tree_node (
  ord bigint NOT NULL, repo_id int NOT NULL, id int NOT NULL, root_id int NOT NULL,
  parent_id int,                                                                       -- null: directly under the root
  list_id int NOT NULL GENERATED ALWAYS AS (coalesce(parent_id, 0)) STORED,            -- 0: the root's own list
  bucket int NOT NULL, kind smallint NOT NULL,                                         -- the node kind's tree code
  visible boolean NOT NULL,                                                            -- publish and not suppressed
  level text,                                                                          -- as `ancestors` shows it
  PRIMARY KEY (repo_id, kind, id)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX tree_node_order ON tree_node (repo_id, kind, root_id, list_id, bucket, ord);
CREATE TABLE tree_bucket (
  key bigint NOT NULL, repo_id int NOT NULL, root_id int NOT NULL, list_id int NOT NULL, bucket int NOT NULL,
  n int NOT NULL CHECK (n >= 0), nv int NOT NULL CHECK (nv BETWEEN 0 AND n), kind smallint NOT NULL,
  PRIMARY KEY (repo_id, kind, root_id, list_id, bucket)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
-- These, and the pages kept half empty, keep child counts on the primary key also where there are few, huge lists.
ALTER TABLE tree_bucket ALTER list_id SET (n_distinct = -0.9), ALTER root_id SET (n_distinct = -0.1);
