-- Records that came with a load, and when: the next one tells by it which of them somebody has changed here since, and which were made here (decision 0028).
CREATE TABLE loaded (kind text NOT NULL, id int NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (kind, id));
