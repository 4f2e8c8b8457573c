-- Bodies of search documents are compressed where they stand. Some 4 KB each, they stood one to a page of 8 KB: 780 MB for 100,000 components, which
-- are 174 MB now. It costs 14 microseconds a document to write, and reading the same (docs/decisions/0009). Documents that are there are compressed when they
-- are written again; a reindexing (POST /system/reindex) does so with all.
ALTER TABLE search_body ALTER stored SET STORAGE MAIN;
ALTER TABLE search_body SET (toast_tuple_target = 1024);
DO $$
BEGIN
  -- One that is being made beside it.
  IF to_regclass('beside.search_body') IS NOT NULL THEN
    ALTER TABLE beside.search_body ALTER stored SET STORAGE MAIN;
    ALTER TABLE beside.search_body SET (toast_tuple_target = 1024);
  END IF;
END $$;
