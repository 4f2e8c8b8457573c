-- What put siblings in other places lately: from it follows which positions a node had since its record was saved, so that a position that was read and comes back with a save moves nothing (decision 0006).
CREATE TABLE tree_shift (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  began timestamptz NOT NULL DEFAULT now(),                       -- the transaction: a save that moves has this as its user_mtime
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version bigint NOT NULL,                                        -- of the tree; rows of one version are never seen one without the other
  repo_id int NOT NULL, root_id int NOT NULL, list_id int NOT NULL, kind smallint NOT NULL,
  taken boolean NOT NULL,                                         -- taken out of these ranks, or else put in at them
  ids int[] NOT NULL, ranks int[] NOT NULL                        -- side by side, ranks ascending
);
CREATE INDEX tree_shift_list_idx ON tree_shift (repo_id, kind, root_id, list_id, id);
CREATE INDEX tree_shift_at_idx ON tree_shift (at);
