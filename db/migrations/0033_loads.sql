-- Loads of records as they are in another service (docs/decisions/0027): what came then has versions without a history before them.
CREATE TABLE load (at timestamptz NOT NULL DEFAULT now(), actor text, records int NOT NULL, n int PRIMARY KEY GENERATED ALWAYS AS IDENTITY);
