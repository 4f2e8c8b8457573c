#!/bin/sh
# Makes a Debian 13 in a folder, with PostgreSQL 17, Patroni, etcd and haproxy, for test/fault/failover.test.ts. As root, on a Debian with debootstrap; some 700 MB.
#   sh test/fault/failover/make-root.sh /var/tmp/patroni-root
#   MUNIMENT_PATRONI_ROOT=/var/tmp/patroni-root npx vitest run test/fault/failover.test.ts
set -eu
root=${1:?Usage: make-root.sh FOLDER}
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase trixie "$root"
# Nothing starts by itself in there, and no cluster is made.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/etc/postgresql-common"
echo 'create_main_cluster = false' > "$root/etc/postgresql-common/createcluster.conf"
# A mount of its own, which is gone when the installation ends.
unshare --mount sh -eu -c '
  mount -t proc proc "$1/proc"
  DEBIAN_FRONTEND=noninteractive chroot "$1" apt-get update
  DEBIAN_FRONTEND=noninteractive chroot "$1" apt-get install -y --no-install-recommends postgresql-17 patroni python3-etcd etcd-server haproxy
' make-root "$root"
chmod 1777 "$root/dev/shm"
