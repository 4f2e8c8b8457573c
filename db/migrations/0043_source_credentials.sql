-- Hashes of passwords that users had in the service they came from (bcrypt), kept apart from our own: good for one login, which stores our own in their place.
CREATE TABLE source_credential (user_id int PRIMARY KEY, password_hash text NOT NULL, taken_at timestamptz NOT NULL DEFAULT now());
