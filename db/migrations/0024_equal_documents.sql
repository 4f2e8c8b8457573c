-- What a document was written from, so that making it anew leaves one alone that would be the same; empty: nobody knows.
ALTER TABLE search_doc ADD digest text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE search_doc ALTER digest SET STORAGE PLAIN;
-- Digests of another edition are of no account: raising it has every document written again.
ALTER TABLE search_form ADD edition int NOT NULL DEFAULT 0;
