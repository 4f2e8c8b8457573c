-- Which form the documents of the search index have (libs/domain/search/form.ts). What was indexed until now has the first.
CREATE TABLE search_form (single boolean PRIMARY KEY DEFAULT true CHECK (single), form int NOT NULL);
INSERT INTO search_form (form) VALUES (1);
