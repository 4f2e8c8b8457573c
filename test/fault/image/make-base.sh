#!/bin/sh
# Makes a Debian 13 with Node 24 and npm in a folder: the base of deploy/Containerfile for test/fault/image.test.ts. As root, on a Debian with debootstrap, after `npm ci`; some 270 MB.
#   sh test/fault/image/make-base.sh /var/tmp/image-base
#   MUNIMENT_IMAGE_BASE=/var/tmp/image-base npx vitest run test/fault/image.test.ts
set -eu
root=${1:?Usage: make-base.sh FOLDER}
project=$(cd "$(dirname "$0")/../../.." && pwd)
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase --include=libatomic1 trixie "$root"
# The Node that the project brings, and the npm of this machine.
install -m 755 "$project/node_modules/node/bin/node" "$root/usr/local/bin/node"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules"
rm -rf "$root/usr/local/lib/node_modules/npm"
cp -a "$npm" "$root/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
rm -rf "$root/var/cache/apt/archives" "$root/var/lib/apt/lists"
chroot "$root" npm --version
