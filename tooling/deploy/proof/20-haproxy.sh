#!/usr/bin/env bash
# Grove works through haproxy with the configuration that is shipped: events immediately, long silence, one instance killed and
# one drained under load.
# needs: haproxy openssl
set -euo pipefail
if [ "$1" = prepare ]; then
  npx --yes pnpm@12.21.0 exec turbo run build --filter=@grove/api --filter=@grove/device --filter=@grove/web >"$PROOF_DIR/build.log" 2>&1 || { tail -n 30 "$PROOF_DIR/build.log"; exit 1; }
else
  NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 tooling/deploy/node_modules/.bin/tsx tooling/deploy/src/throughProxy.ts haproxy "$PROOF_DIR"
fi
