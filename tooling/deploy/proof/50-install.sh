#!/usr/bin/env bash
# One line makes a machine with an empty home a device, in the small shells that machines have, with nothing in reach
# but the API.
# needs: busybox dash shellcheck
set -euo pipefail
if [ "$1" = prepare ]; then
  npx --yes pnpm@12.21.0 exec turbo run build --filter=@grove/api --filter=@grove/device --filter=@grove/web \
    >"$PROOF_DIR/build.log" 2>&1 || { tail -n 30 "$PROOF_DIR/build.log"; exit 1; }
  exit
fi

cd tooling/e2e
for shell in dash "busybox sh"; do
  echo "in $shell"
  INSTALL_SHELL=$shell INSTALL_COPY=$PROOF_DIR/install.sh node_modules/.bin/vitest run src/install.test.ts
done
shellcheck --shell=sh "$PROOF_DIR/install.sh"
