#!/bin/bash
# Who may copy and follow the database. The image of PostgreSQL runs it once, on a new database (docker-entrypoint-initdb.d). On one that was made without it:
#   docker compose -p muniment exec -u postgres postgres bash /docker-entrypoint-initdb.d/primary.sh
set -euo pipefail
psql --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/replication_password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
DROP ROLE IF EXISTS replicator;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
SQL
line='host replication replicator all scram-sha-256'
grep -qxF "$line" "$PGDATA/pg_hba.conf" || echo "$line" >> "$PGDATA/pg_hba.conf"
psql -qAt -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c 'SELECT pg_reload_conf()' > /dev/null
