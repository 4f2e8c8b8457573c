-- One search document serves staff and the public where nothing of an archival object is hidden (audience 3).
ALTER TABLE search_doc DROP CONSTRAINT search_doc_audience_check, ADD CONSTRAINT search_doc_audience_check CHECK (audience IN (0, 1, 2, 3)) NOT VALID;
