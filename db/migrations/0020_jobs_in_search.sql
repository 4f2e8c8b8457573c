-- Jobs that clients see are in the search index: every change of what is found of one makes it due, whoever writes it.
-- A fan and not a row of reindex_due: it is appended, so the transaction that ends a job waits for nobody (docs/decisions/0009).
CREATE FUNCTION make_job_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reindex_fan (lane, way, kind, ids) VALUES (0, 'ids', 'job', ARRAY[coalesce(NEW.id, OLD.id)]);
  -- The indexer listens to this channel; it would look within a second anyway.
  PERFORM pg_notify('muniment_feed', '');
  RETURN NULL;
END $$;
CREATE TRIGGER job_made_due AFTER INSERT ON job FOR EACH ROW WHEN (NEW.visible) EXECUTE FUNCTION make_job_due();
CREATE TRIGGER job_changed_due AFTER UPDATE ON job FOR EACH ROW
  WHEN ((OLD.visible OR NEW.visible) AND (OLD.status, OLD.visible, OLD.owner, OLD.repo_id, OLD.cancel_requested) IS DISTINCT FROM (NEW.status, NEW.visible, NEW.owner, NEW.repo_id, NEW.cancel_requested))
  EXECUTE FUNCTION make_job_due();
CREATE TRIGGER job_gone_due AFTER DELETE ON job FOR EACH ROW WHEN (OLD.visible) EXECUTE FUNCTION make_job_due();
