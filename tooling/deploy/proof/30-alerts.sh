#!/usr/bin/env bash
# Prometheus accepts the alert rules, and each alert fires in its fault and not before. Only promtool is taken from the
# package, so that no server is started.
set -euo pipefail
tool="$PROOF_DIR/usr/bin/promtool"

if [ "$1" = prepare ]; then
  # As root, apt downloads as another user, who may not write there.
  (cd "$PROOF_DIR" && apt-get download -qq -o APT::Sandbox::User=root prometheus && dpkg-deb --extract prometheus_*.deb .)
  exit
fi

cd tooling/deploy/observe
"$tool" check rules alerts.yml
"$tool" test rules alerts.test.yml
