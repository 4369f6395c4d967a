#!/bin/sh
# Generates the database password in a folder unless it exists: in one file for PostgreSQL and in one for its clients.
set -eu
folder=$1
umask 077
[ -s "$folder/pgpass" ] && exit 0
if [ ! -s "$folder/database.password" ]; then
  head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$folder/database.password.part"
  mv "$folder/database.password.part" "$folder/database.password"
fi
printf '*:*:*:signalbox:%s\n' "$(cat "$folder/database.password")" > "$folder/pgpass.part"
mv "$folder/pgpass.part" "$folder/pgpass"
