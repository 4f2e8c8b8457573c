-- Invitations: accounts that came without a password get a token, once, with which their people choose one (libs/store/access/invitations.ts).
CREATE TABLE invitation (
  user_id int PRIMARY KEY,                   -- a user has one at a time: the last
  digest bytea NOT NULL,                     -- SHA-256 of the token
  expires_at timestamptz NOT NULL
);
