#!/bin/sh
# Puts back what backup.sh has copied; the daemon must not run. No database is overwritten: for SQLite move judge.db, with
# the judge.db-wal and judge.db-shm beside it, out of the home first; for PostgreSQL make a new database (createdb), and
# name it in judge.ini.
#   restore.sh /var/backups/judge/20261120T040000Z /var/lib/judge
#   restore.sh /var/backups/judge/20261120T040000Z /var/lib/judge postgresql://judge@db.example.org/judge2
# Then judge recover brings the letters that came later, and judge run goes on.
set -eu
umask 077
source=$1
home=$2
mkdir -p "$home"
if [ $# -gt 2 ]; then
    database=$(echo "$3" | sed 's/^postgresql+psycopg:/postgresql:/')
    tables=$(psql -X -A -t -c "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()" "$database")
    if [ "$tables" != 0 ]; then
        echo "restore.sh: this database is not empty; make a new one (createdb) and name it in judge.ini" >&2
        exit 1
    fi
    pg_restore --no-owner --single-transaction --exit-on-error --dbname="$database" "$source/judge.dump"
else
    for file in judge.db judge.db-wal judge.db-shm; do
        if [ -e "$home/$file" ]; then
            echo "restore.sh: $home/$file exists; move it away first" >&2
            exit 1
        fi
    done
    cp "$source/judge.db" "$home/judge.db"
fi
cp "$source/secret.key" "$home/secret.key"
if [ -d "$source/variants" ]; then
    mkdir -p "$home/variants"
    cp -R "$source/variants/." "$home/variants/"
fi
echo "next: judge recover --since $(basename "$source"), before judge run"
