-- Stems of the words of the search index, for searches that name a language (docs/decisions/0016). The stems of a word in all languages are
-- entries of one index: it is filled here for the words that are there, kept by PostgreSQL for those to come, and has no state of its own.

-- Words with a Latin letter are stemmed by the languages written so, all others by the rest; Serbian is written both ways. Stop words of a
-- language have no stem in it (null).
CREATE FUNCTION search_stems(word text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF word ~ '[a-z]' THEN
    RETURN ARRAY[
      (pg_catalog.ts_lexize('pg_catalog.basque_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.catalan_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.danish_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.dutch_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.english_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.finnish_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.french_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.german_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.hungarian_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.indonesian_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.irish_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.italian_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.lithuanian_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.norwegian_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.portuguese_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.romanian_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.serbian_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.spanish_stem', word))[1],
      (pg_catalog.ts_lexize('pg_catalog.swedish_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.turkish_stem', word))[1]];
  END IF;
  RETURN ARRAY[
    (pg_catalog.ts_lexize('pg_catalog.arabic_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.armenian_stem', word))[1],
    (pg_catalog.ts_lexize('pg_catalog.greek_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.hindi_stem', word))[1],
    (pg_catalog.ts_lexize('pg_catalog.nepali_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.russian_stem', word))[1],
    (pg_catalog.ts_lexize('pg_catalog.serbian_stem', word))[1], (pg_catalog.ts_lexize('pg_catalog.tamil_stem', word))[1],
    (pg_catalog.ts_lexize('pg_catalog.yiddish_stem', word))[1]];
END
$$;

-- Words of letters alone: the others have no forms (libs/domain/search/stemming.ts), and are most of the list. Without a pending list, which each
-- look-up would read through: 5 ms after an import, where a look-up takes 0.02.
CREATE INDEX search_lexeme_stems_idx ON search_lexeme USING gin (search_stems(word)) WITH (fastupdate = off) WHERE position('=' IN word) = 0 AND word !~ '[0-9]';

-- Was never filled.
ALTER TABLE search_lexeme DROP COLUMN stem_en;
