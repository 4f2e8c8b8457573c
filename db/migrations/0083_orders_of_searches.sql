-- Searches follow these orders among very many documents (docs/decisions/0032, 9), as they follow those of titles and of the time of change. Few documents have an identifier to be ordered by.
CREATE INDEX search_doc_create_time_idx ON search_doc (create_time, no);
CREATE INDEX search_doc_identifier_sort_idx ON search_doc (identifier_sort, no) WHERE identifier_sort IS NOT NULL;
