-- Renamings of a value of a controlled list that are under way in steps (docs/decisions/0046), by the number of their job: records may have either text until the transaction that gives the value its new one,
-- or until all have the old one back. The list does not go meanwhile, so nothing cascades.
CREATE TABLE renaming_begun (
  id int PRIMARY KEY, enumeration_id int NOT NULL UNIQUE REFERENCES enumeration, value_id int NOT NULL,
  value text NOT NULL, new_value text NOT NULL, actor text, at timestamptz NOT NULL DEFAULT now()
);
