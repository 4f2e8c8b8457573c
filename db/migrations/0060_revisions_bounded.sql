-- The first of three steps that part `revision` by the numbers of its rows (docs/decisions/0050). The check says up to which number the table that is there will hold all: at least
-- a million more than now. It is not yet proved, so that nothing is read while nobody may write.
DO $$ BEGIN
  EXECUTE format('ALTER TABLE revision ADD CONSTRAINT revision_part CHECK (n < %s) NOT VALID',
    ((SELECT last_value FROM revision_n_seq) + 1000000) / 10000000 * 10000000 + 10000000);
END $$;
