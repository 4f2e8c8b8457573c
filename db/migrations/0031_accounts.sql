-- Accounts: failed logins are counted for all processes together, sessions end some time after they began, and an audit log tells who did what.

-- Failed logins of a window that began at `since` (libs/store/access/login-limit.ts). Lost in a crash, which is no loss.
CREATE UNLOGGED TABLE login_failure (
  scope text NOT NULL CHECK (scope IN ('address', 'known', 'pair', 'user')),
  subject bytea NOT NULL,                    -- SHA-256 of the user name, the address, or both
  since timestamptz NOT NULL, failures int NOT NULL,
  PRIMARY KEY (scope, subject)
) WITH (fillfactor = 70);
-- Where users have logged in from: what others fail at holds up nobody there.
CREATE TABLE login_place (
  subject bytea PRIMARY KEY,                 -- SHA-256 of user name and address
  last_login timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE audit_entry (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(),
  event text NOT NULL,
  actor text,                                -- user name; null: nobody, or the service itself
  address text, request_id text,
  subject text,                              -- uri of what it was done to
  details json NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entry_at_idx ON audit_entry (at);
CREATE INDEX audit_entry_actor_idx ON audit_entry (actor, id);
CREATE INDEX audit_entry_subject_idx ON audit_entry (subject, id);
-- Entries are written, read and, when they are old enough, removed; nothing in the service changes one.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'entries of the audit log are not changed'; END $$;
CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
