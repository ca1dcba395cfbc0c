#!/usr/bin/env bash
# A million rows go out of PostgreSQL into a file, into either engine and out again, equal to the byte. ROWS sets
# another number.
set -euo pipefail
[ "$1" = prove ] || exit 0

cd packages/db
node_modules/.bin/tsx src/backup/testing/million.ts "${ROWS:-1000000}"
