-- The search index (design: search section 2; docs/decisions): documents with finished vectors, replies, values for facets, words.

-- Wildcards are faster with pg_trgm, near spellings possible with fuzzystrmatch; search runs without either.
DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['pg_trgm', 'fuzzystrmatch'] LOOP
    BEGIN
      EXECUTE format('CREATE EXTENSION IF NOT EXISTS %I', wanted);
    EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
      RAISE NOTICE 'search without %: %', wanted, SQLERRM;
    END;
  END LOOP;
END $$;

CREATE TABLE search_doc (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL, uri text NOT NULL, kind text NOT NULL, repo_id int,
  audience smallint NOT NULL CHECK (audience IN (0, 1, 2)),   -- 0 all, 1 staff, 2 public
  published boolean NOT NULL, suppressed boolean NOT NULL,
  factor real NOT NULL, len int NOT NULL,
  title_sort text COLLATE "C", identifier_sort text COLLATE "C",
  create_time timestamptz, user_mtime timestamptz, system_mtime timestamptz,
  sorts jsonb,
  vals int[] NOT NULL,
  head tsvector NOT NULL, tsv tsvector NOT NULL, seq bigint NOT NULL   -- an older write never overwrites a newer one
) WITH (toast_tuple_target = 256);
-- Vectors are compact already; heads stay in the row, where the first round of ranking reads them.
ALTER TABLE search_doc ALTER tsv SET STORAGE EXTERNAL, ALTER head SET STORAGE MAIN;
CREATE UNIQUE INDEX search_doc_id_audience_idx ON search_doc (id, audience);
CREATE INDEX search_doc_uri_idx ON search_doc (uri text_pattern_ops);
CREATE INDEX search_doc_tsv_idx ON search_doc USING gin (tsv);
CREATE INDEX search_doc_title_sort_idx ON search_doc (title_sort, no);
CREATE INDEX search_doc_user_mtime_idx ON search_doc (user_mtime, no);

CREATE TABLE search_body (no bigint PRIMARY KEY, stored json NOT NULL);
CREATE TABLE search_value (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, field text NOT NULL, value text NOT NULL, hash bytea NOT NULL, UNIQUE (field, hash)
);
CREATE TABLE search_lexeme (word text COLLATE "C" PRIMARY KEY, df int NOT NULL, stem_en text);
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX search_lexeme_word_trgm_idx ON search_lexeme USING gin (word gin_trgm_ops);
  END IF;
END $$;

-- Whether all words stand within so many places of each other. For proximity that tsquery cannot say.
CREATE FUNCTION search_near(vector tsvector, words text[], places int) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH place AS MATERIALIZED (
    SELECT lexeme, position FROM unnest(vector) AS entry (lexeme, positions, weights), unnest(positions) AS position
    WHERE lexeme = ANY (words)
  )
  SELECT EXISTS (
    SELECT FROM place AS first
    WHERE (SELECT count(DISTINCT other.lexeme) FROM place AS other
           WHERE other.position BETWEEN first.position AND first.position + places) = cardinality(words)
  )
$$;
