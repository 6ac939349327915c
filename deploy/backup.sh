#!/bin/sh
# A copy of a judge that can be restored as it is (restore.sh), while the daemon runs: the database as SQLite's own backup
# or pg_dump takes it, the secret key, without which generated passwords are worth nothing, and the copies of the keeper's
# own variants that games play.
#   backup.sh /var/lib/judge /var/backups/judge
#   backup.sh /var/lib/judge /var/backups/judge postgresql://judge@db.example.org/judge
# The address is that of [store] url; a password belongs in ~/.pgpass, where no list of processes shows it.
set -eu
umask 077
home=$1
made=$2/$(date -u +%Y%m%dT%H%M%SZ)
# What is not finished has another name, and goes if it cannot be finished.
target=$made.part
mkdir -p "$2"
mkdir "$target"
trap 'rm -rf "$target"' EXIT
if [ $# -gt 2 ]; then
    pg_dump --format=custom --no-owner --file="$target/judge.dump" --dbname="$(echo "$3" | sed 's/^postgresql+psycopg:/postgresql:/')"
else
    python3 - "$home/judge.db" "$target/judge.db" <<'PYTHON'
import pathlib, sqlite3, sys
there = pathlib.Path(sys.argv[1]).resolve().as_uri() + "?mode=rw"
with sqlite3.connect(there, uri=True) as source, sqlite3.connect(sys.argv[2]) as copy:
    source.backup(copy)
PYTHON
fi
cp "$home/secret.key" "$target/secret.key"
if [ -d "$home/variants" ]; then cp -R "$home/variants" "$target/variants"; fi
mv "$target" "$made"
echo "$made"
