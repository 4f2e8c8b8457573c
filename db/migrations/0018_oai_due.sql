-- What the follower of OAI has still to look at after changes of many records, so that it never waits for them (docs/decisions/0012).

-- Records to look at, in the order of the key: first those that get a new datestamp, then those that are only `compared` with their item;
-- resources before components. A row is deleted first, then the record is read.
CREATE TABLE oai_due (
  compared boolean NOT NULL, component boolean NOT NULL, id int NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (compared, component, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

-- Records to be made due: all below a resource or archival object, all that show an agent or subject, all of a repository.
CREATE TABLE oai_fan (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, id int NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);

-- Formats of resources alone, within a set: resources are few among their components.
CREATE INDEX oai_item_resource_repo_idx ON oai_item (repo_id, n) WHERE kind = 'resource';
CREATE INDEX oai_item_resource_level_idx ON oai_item (level, n) WHERE kind = 'resource';
CREATE INDEX oai_item_resource_sponsor_idx ON oai_item (sponsor, n) WHERE kind = 'resource' AND sponsor IS NOT NULL;
