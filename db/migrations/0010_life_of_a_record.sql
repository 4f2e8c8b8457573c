-- Links to and from suppressed records are marked, notifications are entries of the feed, and who edits what is kept for half a minute.

ALTER TABLE link ADD COLUMN suppressed boolean NOT NULL DEFAULT false;  -- one of its ends is a suppressed record (contract 5.2)
UPDATE link l SET suppressed = true FROM record r
  WHERE r.suppressed AND r.kind IN ('accession', 'resource', 'archival_object', 'digital_object', 'digital_object_component', 'event')
    AND ((l.source_kind = r.kind AND l.source_id = r.id) OR (l.target_kind = r.kind AND l.target_id = r.id));
-- Nearly empty: readers who may not see suppressed records ask it for each record that they read.
CREATE INDEX link_suppressed_idx ON link (source_kind, source_id) WHERE suppressed;

-- GET /notifications reads these alone, which are few among the changes.
CREATE INDEX feed_notification_idx ON feed (n) WHERE kind = 'notification';

-- Who edits what at the moment (POST /update_monitor). Lost in a crash, which is no loss.
CREATE UNLOGGED TABLE active_edit (
  uri text NOT NULL, username text NOT NULL,
  time text NOT NULL,                                                    -- as the client said it
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (uri, username)
);
