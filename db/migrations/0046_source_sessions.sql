-- The session at a source that a migration reads with (docs/decisions/0038), apart from its job, whose row stays: it goes with the end of the job, in the
-- transaction of that, whoever ends it and how.
CREATE TABLE source_session (job_id int PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE, session text NOT NULL);
CREATE FUNCTION forget_source_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM source_session WHERE job_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER job_ended_without_session AFTER UPDATE OF status ON job FOR EACH ROW
  WHEN (NEW.type = 'migrate-from' AND NEW.status NOT IN ('queued', 'running')) EXECUTE FUNCTION forget_source_session();
