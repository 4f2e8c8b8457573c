-- Records, their links, unique keys and earlier bodies: what every kind is stored in.
-- One partition of `record` and one id sequence a kind are made at start from the registry of kinds (libs/store/kinds.ts).

CREATE TABLE record (
  kind text NOT NULL,
  id int NOT NULL,
  repo_id int,                               -- null: a global kind
  lock_version int NOT NULL DEFAULT 0,
  publish boolean,                           -- null: the kind has no such flag
  suppressed boolean NOT NULL DEFAULT false,
  label text NOT NULL DEFAULT '',            -- title or display string, as shown in lists, trees and search
  created_by text,
  last_modified_by text,
  create_time timestamptz NOT NULL DEFAULT now(),
  system_mtime timestamptz NOT NULL DEFAULT now(),
  user_mtime timestamptz NOT NULL DEFAULT now(),
  body json NOT NULL,                        -- canonical text, sent as it is; see docs/decisions/0004
  PRIMARY KEY (kind, id)
) PARTITION BY LIST (kind);
CREATE INDEX record_repo_idx ON record (kind, repo_id, id);
CREATE INDEX record_mtime_idx ON record (kind, system_mtime);

-- Every ref in a body, and the links that both sides may write (mutual), which are in no body.
CREATE TABLE link (
  source_kind text NOT NULL,
  source_id int NOT NULL,
  ordinal int NOT NULL,                      -- order of the refs in the source's body, from 0
  property text NOT NULL,                    -- path without indexes: 'instances.sub_container.top_container'
  target_kind text NOT NULL,
  target_id int NOT NULL,
  repo_id int,                               -- of the source
  role text,                                 -- linked_agents, linked_records: the role
  mutual text,                               -- name of a relation that both sides write; then `ref` holds the link's own properties
  ref json,
  target_ordinal int NOT NULL DEFAULT 0,     -- order on the far side of a mutual link
  PRIMARY KEY (source_kind, source_id, ordinal)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX link_target_idx ON link (target_kind, target_id, property);

-- Declared uniqueness as rows: the primary key is the rule, so it holds under any concurrency.
CREATE TABLE unique_key (
  rule text NOT NULL,                        -- 'accession.identifier'
  scope text NOT NULL,                       -- '' everywhere, 'r2' repository 2, 'resource/7' one root
  value text NOT NULL COLLATE "C",
  kind text NOT NULL,
  id int NOT NULL,
  PRIMARY KEY (rule, scope, value)
);
CREATE INDEX unique_key_owner_idx ON unique_key (kind, id);

-- The body before each update or delete.
CREATE TABLE revision (
  kind text NOT NULL,
  id int NOT NULL,
  lock_version int NOT NULL,
  repo_id int,
  op text NOT NULL,                          -- what replaced it: 'update', 'delete', …
  actor text,
  at timestamptz NOT NULL DEFAULT now(),
  label text NOT NULL,
  publish boolean,
  suppressed boolean NOT NULL,
  last_modified_by text,
  user_mtime timestamptz NOT NULL,
  body json NOT NULL,
  n bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (kind, id, n)
);

-- What is gone, by uri: answers the delete-feed and keeps the reason.
CREATE TABLE tombstone (
  uri text NOT NULL,
  kind text NOT NULL,
  id int NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY
);
CREATE INDEX tombstone_at_idx ON tombstone (at, n);
CREATE INDEX tombstone_uri_idx ON tombstone (uri);
