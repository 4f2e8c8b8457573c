-- Webhooks with their deliveries, and the keys by which a repeated request is known (Idempotency-Key).

-- Who is told of changes. Empty lists of `kinds`, `repositories` and `operations` mean all.
CREATE TABLE webhook (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  lock_version int NOT NULL DEFAULT 0,
  url text NOT NULL,
  secret text NOT NULL,                      -- signs deliveries; never in a reply after the hook was made
  kinds text[] NOT NULL DEFAULT '{}', repositories int[] NOT NULL DEFAULT '{}', operations text[] NOT NULL DEFAULT '{}',
  active boolean NOT NULL DEFAULT true,
  busy_until timestamptz NOT NULL DEFAULT now(), -- while later than now a worker is sending; one at a time keeps the order
  created_by text, last_modified_by text,
  create_time timestamptz NOT NULL DEFAULT now(), system_mtime timestamptz NOT NULL DEFAULT now(), user_mtime timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- One change for one hook. Written by the follower of the feed, in the transaction that moves it on.
CREATE TABLE webhook_delivery (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, -- the order of sending
  webhook_id int NOT NULL REFERENCES webhook ON DELETE CASCADE,
  n bigint,                                  -- number of the change in the feed; null: a ping
  body text NOT NULL,                        -- JSON, sent as it is
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'dead')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt timestamptz NOT NULL DEFAULT now(),
  last_attempt timestamptz,
  http_status int,                           -- of the last attempt that got a reply
  reason text,                               -- why the last attempt failed
  create_time timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX webhook_delivery_hook_idx ON webhook_delivery (webhook_id, id);
CREATE UNIQUE INDEX webhook_delivery_change_key ON webhook_delivery (webhook_id, n);
CREATE INDEX webhook_delivery_pending_idx ON webhook_delivery (webhook_id, id) WHERE status = 'pending';
CREATE INDEX webhook_delivery_time_idx ON webhook_delivery (create_time);

-- Requests that carried an Idempotency-Key, for a day. Without `status` and `job_id` the first one is still under way, or nobody knows how it ended.
CREATE TABLE idempotency_key (
  user_id int NOT NULL,
  key_hash text NOT NULL,                    -- SHA-256 of key, method and path, in hex
  body_hash text,                            -- of query and body; null: not known (multipart)
  status int, reply text,                    -- what the first request was answered
  job_id int,                                -- the job that a streamed request made
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key_hash)
);
CREATE INDEX idempotency_key_at_idx ON idempotency_key (at);
