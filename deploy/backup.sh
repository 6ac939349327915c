#!/bin/sh
# A copy of a judge's home that can be restored as it is, while the daemon runs: the database as SQLite's own
# backup takes it, the secret key, without which generated passwords are worth nothing, and the copies of the keeper's
# own variants that games play.
#   backup.sh /var/lib/judge /var/backups/judge
set -eu
umask 077
home=$1
target=$2/$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$target"
python3 - "$home/judge.db" "$target/judge.db" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as source, sqlite3.connect(sys.argv[2]) as copy:
    source.backup(copy)
PYTHON
cp "$home/secret.key" "$target/secret.key"
if [ -d "$home/variants" ]; then cp -R "$home/variants" "$target/variants"; fi
echo "$target"
