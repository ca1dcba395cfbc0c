#!/usr/bin/env bash
# The units that API and device print hold nothing that systemd does not know, and expose little of the machine.
# needs: systemd
set -euo pipefail
if [ "$1" = prepare ]; then
  npx --yes pnpm@12.21.0 exec turbo run build --filter=@grove/api --filter=@grove/device >"$PROOF_DIR/build.log" 2>&1 ||
    { tail -n 30 "$PROOF_DIR/build.log"; exit 1; }
  exit
fi

cd "$PROOF_DIR"
programs=$OLDPWD/apps
mkdir system user
node "$programs/api/dist/main.js" service print >system/grove-api.service
node "$programs/device/dist/main.js" service print --manager systemd-system >system/grove-device.service
GROVE_HOME=/tmp/home node "$programs/device/dist/main.js" service print --manager systemd >user/grove-device.service
systemd-analyze verify --man=no system/*.service
XDG_RUNTIME_DIR=$PROOF_DIR systemd-analyze verify --man=no --user user/*.service
for unit in system/*.service; do
  # In tenths: at most 2.0.
  systemd-analyze security --offline=true --threshold=20 --no-pager "$unit" | tail -n 1
done
