#!/bin/bash
# A replica for reads: copies the primary where it has nothing yet, and follows it from then on. What the copy began and did not finish is removed.
# PRIMARY: the primary's name and port; further arguments are PostgreSQL's.
set -euo pipefail
host=${PRIMARY%:*} port=${PRIMARY##*:}
if [ ! -e "$PGDATA/standby.signal" ]; then
  [ ! -e "$PGDATA/PG_VERSION" ] || { echo "$PGDATA has a database that is no replica: it is left alone" >&2; exit 1; }
  PGPASSWORD=$(cat /run/secrets/replication_password)
  export PGPASSWORD
  copy=$PGDATA.copy
  until rm -rf "$copy" && mkdir -m 700 -p "$copy" &&
    # The slot keeps what this replica has not fetched yet; it is there already where it was begun before.
    { psql -qAt -h "$host" -p "$port" -U replicator -d "dbname=postgres replication=true" \
      -c 'CREATE_REPLICATION_SLOT replica PHYSICAL RESERVE_WAL' > /dev/null 2>&1 || true; } &&
    pg_basebackup -h "$host" -p "$port" -U replicator -D "$copy" -S replica -R -X stream -c fast; do
    echo 'the primary cannot be copied yet' >&2
    sleep 2
  done
  rm -rf "$PGDATA"
  mv "$copy" "$PGDATA"
  unset PGPASSWORD
fi
# The primary's vacuum leaves what long reads here need; what would hold replay up longer than a second is canceled, and the primary answers it.
exec postgres -D "$PGDATA" -c hot_standby_feedback=on -c max_standby_streaming_delay=1s "$@"
