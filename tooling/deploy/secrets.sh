#!/bin/sh
# Makes the secrets of compose.yaml and of the overlay `small`, in secrets/ of the current directory or in the one given.
# What is there already stays as it is.
set -eu
directory=${1:-secrets}
umask 022
# Others cannot enter. The files are readable, since containers mount them one by one, under users of their own.
mkdir -p "$directory"
chmod 700 "$directory"

random() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
make() {
  [ -s "$directory/$1" ] && return
  printf '%s' "$2" >"$directory/$1"
  echo "made $directory/$1"
}

# Letters and digits alone, since the password stands in an address, too.
make postgres-password "$(random 48 | tr -dc 'a-zA-Z0-9')"
make database-url "postgres://grove:$(cat "$directory/postgres-password")@postgres:5432/grove"
make credentials-key "1:$(random 32)"
echo "Keep a copy of $directory/credentials-key elsewhere: without it stored secrets are lost."
