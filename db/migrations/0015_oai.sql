-- What harvesters are told over OAI-PMH, kept by a follower of the change feed (docs/decisions/0012). Filled at the first start of a worker.

-- One row for each record that is or once was harvestable, at each address it had.
CREATE TABLE oai_item (
  kind text NOT NULL, id int NOT NULL, repo_id int NOT NULL,
  n bigint NOT NULL,                         -- order of lists: higher with every change that harvesters shall see
  stamp timestamptz NOT NULL,                -- the datestamp, in whole seconds; never falls as n rises
  deleted boolean NOT NULL,
  level text, sponsor text,                  -- what sets select by; of a deleted record the last
  echo text NOT NULL,                        -- digest of what the records below it show of it; '' where there are none
  PRIMARY KEY (kind, id, repo_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX oai_item_n_idx ON oai_item (n);
CREATE INDEX oai_item_stamp_idx ON oai_item (stamp, n);
CREATE INDEX oai_item_kind_idx ON oai_item (n) WHERE kind = 'resource';
CREATE INDEX oai_item_repo_idx ON oai_item (repo_id, n);
CREATE INDEX oai_item_level_idx ON oai_item (level, n);
CREATE INDEX oai_item_sponsor_idx ON oai_item (sponsor, n) WHERE sponsor IS NOT NULL;

-- Digests of what records show of agents, subjects and repositories, so that only a change of these spreads.
CREATE TABLE oai_heading (
  kind text NOT NULL, id int NOT NULL, digest text NOT NULL,
  PRIMARY KEY (kind, id)
);
