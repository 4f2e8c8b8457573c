-- The second step (0060): reads the table once, beside all who read and write it.
ALTER TABLE revision VALIDATE CONSTRAINT revision_part;
