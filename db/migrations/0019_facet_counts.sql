-- How many documents have each facet value, kept with every write, so that facets of everything need not read everything (docs/decisions/0015).

-- A scope: what visibility and filters of type and repository look at, the same in many documents. `tsv`: `v=all`, `p=shared`, and the exact
-- lexemes of types, primary_type, repository, publish and suppressed, spelled as in search_doc, so that the same conditions read both.
CREATE TABLE search_scope (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, audience smallint NOT NULL, published boolean NOT NULL, suppressed boolean NOT NULL, repo_id int, tsv tsvector NOT NULL,
  UNIQUE NULLS NOT DISTINCT (audience, published, suppressed, repo_id, tsv)
);
-- Documents of a scope by value (an id of search_value); value 0 stands for all of them, and has no field.
CREATE TABLE search_count (field text COLLATE "C" NOT NULL, scope int NOT NULL, value int NOT NULL, n int NOT NULL, PRIMARY KEY (field, scope, value));
-- What writes have added since, or taken away: a row for each statement and scope, so that writers wait for nobody. Folded into search_count now and then.
CREATE TABLE search_tally (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, audience smallint NOT NULL, published boolean NOT NULL, suppressed boolean NOT NULL, repo_id int, tsv tsvector NOT NULL,
  ids int[] NOT NULL, counts int[] NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
-- Read and deleted within seconds: compressing costs more than the room.
ALTER TABLE search_tally ALTER ids SET STORAGE EXTERNAL, ALTER counts SET STORAGE EXTERNAL;

-- Tells the tally of the rows that a statement wrote (1) or replaced (-1). The planner's settings are its own: writers of documents turn hash joins off.
CREATE FUNCTION search_tally_add() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on SET enable_seqscan = on SET jit = off AS $$
DECLARE
  step CONSTANT int := TG_ARGV[0];
  marks CONSTANT int[] := ARRAY(SELECT id FROM search_value WHERE field IN ('types', 'primary_type', 'repository', 'publish', 'suppressed'));
BEGIN
  INSERT INTO search_tally (audience, published, suppressed, repo_id, tsv, ids, counts)
  WITH marked AS (
    SELECT d.audience, d.published, d.suppressed, d.repo_id, d.vals, ARRAY(SELECT v FROM unnest(d.vals) AS v WHERE v = ANY(marks)) AS own FROM changed d
  ), placed AS (
    SELECT m.*, dense_rank() OVER (ORDER BY audience, published, suppressed, repo_id, own) AS place FROM marked m
  ), scopes AS (
    SELECT DISTINCT ON (place) place, audience, published, suppressed, repo_id, own FROM placed
  ), counted AS (
    SELECT place, v, count(*)::int * step AS n FROM placed, unnest(vals || 0) AS v GROUP BY place, v
  ), packed AS (
    SELECT place, array_agg(v) AS ids, array_agg(n) AS counts FROM counted GROUP BY place
  )
  SELECT s.audience, s.published, s.suppressed, s.repo_id,
    array_to_tsvector(ARRAY['v=all'] || CASE WHEN s.audience = 3 THEN ARRAY['p=shared'] END || ARRAY(SELECT DISTINCT 'x=' || v.field || '=' || v.value FROM search_value v WHERE v.id = ANY(s.own))),
    p.ids, p.counts
  FROM packed p JOIN scopes s USING (place);
  RETURN NULL;
END $$;

CREATE FUNCTION search_tally_clear() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_tally;
  DELETE FROM search_count;
  DELETE FROM search_scope;
  RETURN NULL;
END $$;

-- What is indexed already is counted as if it were written now.
CREATE TEMP TABLE indexed (audience smallint, published boolean, suppressed boolean, repo_id int, vals int[]);
CREATE TRIGGER add AFTER INSERT ON indexed REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_tally_add('1');
INSERT INTO indexed SELECT audience, published, suppressed, repo_id, vals FROM search_doc;
DROP TABLE indexed;

CREATE TRIGGER search_doc_tally_insert AFTER INSERT ON search_doc REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_tally_add('1');
CREATE TRIGGER search_doc_tally_delete AFTER DELETE ON search_doc REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_tally_add('-1');
CREATE TRIGGER search_doc_tally_update_old AFTER UPDATE ON search_doc REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_tally_add('-1');
CREATE TRIGGER search_doc_tally_update_new AFTER UPDATE ON search_doc REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_tally_add('1');
CREATE TRIGGER search_doc_tally_truncate AFTER TRUNCATE ON search_doc FOR EACH STATEMENT EXECUTE FUNCTION search_tally_clear();

-- Values stand in the row, where counting reads them: half of them were stored apart, and fetching these took most of the time. Rows get the new form as they are written.
ALTER TABLE search_doc ALTER vals SET STORAGE MAIN;

-- The job that makes documents of an older form anew; null: all have the form. Until then queries must not rely on what only the new form has.
ALTER TABLE search_form ADD renewal int;
