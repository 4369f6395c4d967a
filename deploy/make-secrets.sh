#!/bin/sh
# Generates the database password in a folder, unless it exists, for PostgreSQL and for the server.
set -eu
file=$1/database.password
umask 077
[ -s "$file" ] && exit 0
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$file.part"
mv "$file.part" "$file"
