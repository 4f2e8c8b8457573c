-- The search index can be made anew beside the live one, in tables of the same names in a schema of their own, which then take its place (docs/decisions/0017).
-- A backup has that of `public` alone.
CREATE SCHEMA beside;

-- The making that is under way: its job, and the form of the documents it makes. At most one.
CREATE TABLE search_build (single boolean PRIMARY KEY DEFAULT true CHECK (single), job_id int NOT NULL, form int NOT NULL);
-- Whether the records of a reindexing job go beside the live index, until that has taken its place.
ALTER TABLE reindex_run ADD beside boolean NOT NULL DEFAULT false;
-- Records whose live documents were written, marked or taken out meanwhile: these are looked at again before the tables change places.
CREATE TABLE search_touched (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, record_id int NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

-- Counts are those of a generation of the index: that of search_form is the live one, the next that of the tables beside.
ALTER TABLE search_form ADD generation int NOT NULL DEFAULT 0;
ALTER TABLE search_tally ADD generation int NOT NULL DEFAULT 0;
ALTER TABLE search_scope ADD generation int NOT NULL DEFAULT 0;
ALTER TABLE search_scope DROP CONSTRAINT search_scope_audience_published_suppressed_repo_id_tsv_key;
ALTER TABLE search_scope ADD UNIQUE NULLS NOT DISTINCT (generation, audience, published, suppressed, repo_id, tsv);

-- As in 0019, but for the generation: that of the table that was written.
CREATE OR REPLACE FUNCTION search_tally_add() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on SET enable_seqscan = on SET jit = off AS $$
DECLARE
  step CONSTANT int := TG_ARGV[0];
  marks CONSTANT int[] := ARRAY(SELECT id FROM search_value WHERE field IN ('types', 'primary_type', 'repository', 'publish', 'suppressed'));
  written CONSTANT int := (SELECT generation FROM search_form) + CASE TG_TABLE_SCHEMA WHEN 'beside' THEN 1 ELSE 0 END;
BEGIN
  INSERT INTO search_tally (generation, audience, published, suppressed, repo_id, tsv, ids, counts)
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
  SELECT written, s.audience, s.published, s.suppressed, s.repo_id,
    array_to_tsvector(ARRAY['v=all'] || CASE WHEN s.audience = 3 THEN ARRAY['p=shared'] END || ARRAY(SELECT DISTINCT 'x=' || v.field || '=' || v.value FROM search_value v WHERE v.id = ANY(s.own))),
    p.ids, p.counts
  FROM packed p JOIN scopes s USING (place);
  RETURN NULL;
END $$;

CREATE FUNCTION search_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_SCHEMA <> 'beside' AND EXISTS (SELECT FROM search_build) THEN
    INSERT INTO search_touched (kind, record_id) SELECT DISTINCT kind, record_id FROM changed;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER search_doc_touch_insert AFTER INSERT ON search_doc REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_touch();
CREATE TRIGGER search_doc_touch_delete AFTER DELETE ON search_doc REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_touch();
CREATE TRIGGER search_doc_touch_update AFTER UPDATE ON search_doc REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_touch();

-- Begins a making where there is none: tables like the live ones, with their triggers and without their indexes. Waits for those who write documents at the moment.
CREATE FUNCTION search_build_begin(job int, form_of_documents int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
  statement text;
BEGIN
  -- Who writes after this sees that there is a making.
  LOCK TABLE search_doc IN SHARE ROW EXCLUSIVE MODE;
  FOREACH name IN ARRAY ARRAY['search_doc', 'search_body'] LOOP
    EXECUTE format('CREATE TABLE beside.%I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY INCLUDING STORAGE INCLUDING COMPRESSION)', name, name);
    -- What is only ever added to needs no vacuum before it is done.
    EXECUTE format('ALTER TABLE beside.%I SET (autovacuum_enabled = false, toast.autovacuum_enabled = false)', name);
    FOR statement IN
      SELECT format('ALTER TABLE beside.%I SET (%s)', name, option) FROM pg_class c, unnest(c.reloptions) AS option WHERE c.oid = name::regclass AND option NOT LIKE 'autovacuum_enabled=%'
      UNION ALL SELECT regexp_replace(pg_get_triggerdef(t.oid), ' ON \S+ ', format(' ON beside.%I ', name)) FROM pg_trigger t WHERE t.tgrelid = name::regclass AND NOT t.tgisinternal
    LOOP
      EXECUTE statement;
    END LOOP;
  END LOOP;
  INSERT INTO search_build (job_id, form) VALUES (job, form_of_documents);
END $$;

-- The indexes of the live tables that those beside do not have yet, the largest last.
CREATE FUNCTION search_build_missing() RETURNS SETOF text LANGUAGE sql AS $$
  SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid IN ('search_doc'::regclass, 'search_body'::regclass) AND to_regclass(format('beside.%I', c.relname)) IS NULL
  ORDER BY pg_relation_size(c.oid), c.relname
$$;

-- Makes one of these.
CREATE FUNCTION search_build_index(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE regexp_replace(pg_get_indexdef(quote_ident(name)::regclass), ' ON (\S+\.)?(\S+) USING ', ' ON beside.\2 USING ');
END $$;

-- Puts the tables beside in the place of the live ones, all of which must be locked, and ends the making: where it is that of this job, and whole.
CREATE FUNCTION search_build_swap(job int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
BEGIN
  IF NOT EXISTS (SELECT FROM search_build WHERE job_id = job) OR EXISTS (SELECT FROM reindex_due WHERE lane = 2) OR EXISTS (SELECT FROM reindex_fan WHERE lane = 2) THEN
    RAISE EXCEPTION 'what is made beside the search index is not of job %, or not done', job;
  END IF;
  PERFORM setval(pg_get_serial_sequence('beside.search_doc', 'no'), nextval(pg_get_serial_sequence('search_doc', 'no')), false);
  FOREACH name IN ARRAY ARRAY['search_doc', 'search_body'] LOOP
    EXECUTE format('DROP TABLE %I', name);
    EXECUTE format('ALTER TABLE beside.%I SET SCHEMA public', name);
    EXECUTE format('ALTER TABLE %I RESET (autovacuum_enabled, toast.autovacuum_enabled)', name);
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY USING INDEX %I', name, name || '_pkey');
  END LOOP;
  UPDATE search_form SET generation = generation + 1;
  DELETE FROM search_touched;
  UPDATE reindex_run SET beside = false FROM search_build b WHERE b.job_id = reindex_run.job_id;
  DELETE FROM search_build;
END $$;

-- Ends a making without effect: nothing is left of it.
CREATE FUNCTION search_build_drop() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM reindex_fan WHERE lane = 2;
  -- Waits for the batches that are at these.
  DELETE FROM reindex_due WHERE lane = 2;
  DROP TABLE IF EXISTS beside.search_doc, beside.search_body;
  DELETE FROM search_touched;
  DELETE FROM search_build;
  PERFORM search_count_tidy();
END $$;

-- Takes out the counts of other generations than the live one, where none is being made.
CREATE FUNCTION search_count_tidy() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  live CONSTANT int := (SELECT generation FROM search_form);
BEGIN
  -- What folds the tally (libs/store/search/postgres/tally.ts) would bring some back.
  PERFORM pg_advisory_xact_lock(hashtextextended('muniment search tally', 0));
  IF EXISTS (SELECT FROM search_build) THEN
    RETURN;
  END IF;
  DELETE FROM search_tally WHERE generation <> live;
  DELETE FROM search_count WHERE scope IN (SELECT id FROM search_scope WHERE generation <> live);
  DELETE FROM search_scope WHERE generation <> live;
END $$;
