#!/usr/bin/env bash
# The commands of the pages do what the pages say: `npm start` and the demo in a fresh clone with an empty home, and
# those that need curl, OpenSSL, npm or Claude Code. The rest is run by the tests of tooling/e2e.
# needs: curl openssl
set -euo pipefail
npm_config_registry=$(npm config get registry)
export npm_config_registry npm_config_cache="$PROOF_DIR/npm" npm_config_update_notifier=false

if [ "$1" = prepare ]; then
  home=$PROOF_DIR/home
  mkdir "$home"
  git clone --quiet . "$home/grove"
  cd "$home/grove"
  HOME=$home PORT=0 npm start >"$PROOF_DIR/started" 2>&1 &
  start=$!
  until grep -q '^Ctrl+C stops it' "$PROOF_DIR/started"; do
    kill -0 "$start" 2>/dev/null || { cat "$PROOF_DIR/started"; exit 1; }
    sleep 0.2
  done
  HOME=$home npm run grove -- status
  kill "$start"
  wait "$start" || true
  HOME=$home npm run demo 2>&1 | tail -n 3
  cd "$OLDPWD"
  node tooling/start/build.js
  npm install --silent --no-audit --no-fund --prefix "$PROOF_DIR/client" @anthropic-ai/claude-code@2.1.330
  npm install --silent --no-audit --no-fund --global --prefix "$PROOF_DIR/warm" "$PWD/apps/device/dist/grove-device.tgz"
  exit
fi

cd tooling/e2e
PATH="$PROOF_DIR/client/node_modules/.bin:$PATH" IN_SHIP=1 node_modules/.bin/vitest run src/pages
