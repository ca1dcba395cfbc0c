#!/usr/bin/env bash
# Publishes all packages to a registry on loopback, and runs Grove from there by npx in an empty directory with an empty
# home. Then installs and runs each package on the Nodes of NODES. TARBALLS names the files to
# prove; without it, they are packed from this clone.
set -euo pipefail
NODES=${NODES-20 22 24}
tools="$PROOF_DIR/tools"
tarballs="${TARBALLS:-$PROOF_DIR/tarballs}"
scope=$(node --input-type=module --eval 'import { scope } from "./tooling/release/manifest.mjs"; console.log(scope)')

if [ "$1" = prepare ]; then
  # Verdaccio needs a newer Node than Grove does. It asks for a tag of node-fetch, which not every mirror has.
  mkdir "$tools"
  echo '{ "overrides": { "node-fetch": "2.7.0" } }' >"$tools/package.json"
  npm install --silent --no-audit --no-fund --prefix "$tools" verdaccio@6.10.4 node@24
  for version in $NODES; do
    npm install --silent --no-audit --no-fund --prefix "$PROOF_DIR/node$version" "node@$version"
  done
  if [ -z "${TARBALLS-}" ]; then
    node tooling/start/build.js
    mkdir "$tarballs"
    node tooling/release/pack.js "$tarballs"
  fi
  # Native modules, and what the client's README names: without a network there is no other registry.
  npm install --silent --no-audit --no-fund --prefix "$PROOF_DIR/others" "$tarballs/${scope#@}"-grove-*.tgz \
    "$tarballs/${scope#@}"-client-*.tgz "$tarballs/${scope#@}"-schemas-*.tgz @trpc/client @trpc/server
  rm -rf "$PROOF_DIR/others/node_modules/$scope"
  exit
fi

registry=http://127.0.0.1:4873/
cat >"$PROOF_DIR/verdaccio.yaml" <<EOF
storage: $PROOF_DIR/storage
max_body_size: 100mb
packages:
  "**": { access: \$all, publish: \$all }
log: { type: stdout, format: pretty, level: warn }
EOF
"$tools/node_modules/.bin/node" "$tools/node_modules/verdaccio/bin/verdaccio" \
  --config "$PROOF_DIR/verdaccio.yaml" --listen 127.0.0.1:4873 &
export HOME="$PROOF_DIR/home" npm_config_registry=$registry npm_config_update_notifier=false
mkdir "$HOME"
echo "//127.0.0.1:4873/:_authToken=none" >"$HOME/.npmrc"
for _ in $(seq 100); do
  npm ping --silent >/dev/null 2>&1 && break
  sleep 0.2
done

for directory in "$PROOF_DIR"/others/node_modules/{@*/*,[!@.]*}/; do
  # It would name the public registry.
  npm pkg delete --prefix "$directory" publishConfig
  npm publish --silent --ignore-scripts --access public "$directory"
done
for tarball in "$tarballs"/*.tgz; do npm publish --silent --access public "$tarball"; done

# A changed file under a published version is refused.
if npm publish --silent --access public "$tarball" 2>/dev/null; then
  echo "A version was published twice."
  exit 1
fi

# Starts Grove by a command, with the data of this directory, until it is online.
starts() {
  local grove
  rm -f started
  "$@" start --json --port 0 >started &
  grove=$!
  until [ -s started ]; do kill -0 "$grove" || return; sleep 0.1; done
  grep -o '"status":"online"' started
  "$@" status >summary
  kill "$grove"
  wait "$grove" || true
}

# The launcher of a stranger: an empty directory, an empty home.
export HOME="$PROOF_DIR/stranger"
mkdir -p "$HOME" "$PROOF_DIR/empty"
cd "$PROOF_DIR/empty"
starts npx --yes "$scope/grove"

# Each package in an empty project, as its README says.
for node in $NODES; do
  mkdir "$PROOF_DIR/project$node"
  cd "$PROOF_DIR/project$node"
  (
    PATH="$PROOF_DIR/node$node/node_modules/.bin:$PATH"
    echo "Node $(node --version)"
    echo '{ "type": "module" }' >package.json
    npm install --no-audit --no-fund "$scope"/{grove,api,device,mcp-cloud,mcp-desktop}
    npm install --silent --no-audit --no-fund "$scope/schemas" "$scope/client" @trpc/client @trpc/server
    for program in grove grove-api grove-device grove-mcp-cloud grove-mcp-desktop; do
      echo "$program $(npx --no-install "$program" --version)"
      npx --no-install "$program" --help >/dev/null
    done
    node --input-type=module --eval "
      const { createClient } = await import('$scope/client');
      const { taskCreateInput } = await import('$scope/schemas');
      if (!createClient({ apiUrl: 'http://127.0.0.1:1' }) || taskCreateInput.safeParse({}).success) process.exit(1);"
    starts npx --no-install grove
  )
done
