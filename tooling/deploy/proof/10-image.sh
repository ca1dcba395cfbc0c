#!/usr/bin/env bash
# The image is built and runs without a network: not as root, on a root file system that nothing writes to. The base
# images are stand-ins with this machine's Node; whether the real ones can be fetched, only a machine with a registry
# shows.
# needs: buildah openssl busybox
set -euo pipefail
registry=$PROOF_DIR/npm
# Overlays copy nothing, but need root and a file system that is no overlay itself.
driver=overlay
[ "$(id -u) $(stat --file-system --format=%T "$PROOF_DIR")" = "0 ext2/ext3" ] || driver=vfs
buildah() { command buildah --root "$PROOF_DIR/images" --runroot "$PROOF_DIR/run" --storage-driver "$driver" "$@"; }

prepare() {
  npx --yes pnpm@12.21.0 exec turbo run build --filter=@grove/api --filter=@grove/device --filter=@grove/web >"$PROOF_DIR/build.log" 2>&1 || { tail -n 30 "$PROOF_DIR/build.log"; return 1; }
  (cd apps/api && npx --yes pnpm@12.21.0 pack --out "$PROOF_DIR/grove-api.tgz" >/dev/null)
  # npm finds in its cache what it installs in the image.
  mkdir "$PROOF_DIR/warm"
  npm install --cache "$registry" --prefix "$PROOF_DIR/warm" --omit=dev --ignore-scripts --no-audit --no-fund \
    --loglevel=error "$PROOF_DIR/grove-api.tgz"
}

# The libraries that a program loads.
libraries() { ldd "$1" | grep -o '/[^ ]*'; }

# Copies a program with its libraries.
bring() {
  local file
  for file in "$1" $(libraries "$1"); do cp --dereference --parents "$file" "$2"; done
}

# An image with Node, npm and a shell, under the names that the Dockerfile takes.
stand_in() {
  local root=$PROOF_DIR/base node npm program file
  node=$(realpath "$(command -v node)")
  npm=$(realpath "$(command -v npm)")
  mkdir -p "$root"/{bin,tmp,etc,nodejs/bin,usr/bin,usr/local/bin,usr/local/lib,var/lib,root}
  chmod 1777 "$root/tmp"
  bring "$node" "$root"
  bring "$(command -v busybox)" "$root"
  bring "$(realpath "$(command -v install)")" "$root"
  # The real images have all of glibc.
  find "$PROOF_DIR/warm" -name '*.node' | while read -r node_module; do
    for file in $(libraries "$node_module"); do cp --dereference --parents "$file" "$root"; done
  done
  ln -sf "$node" "$root/usr/local/bin/node"
  ln -sf "$node" "$root/nodejs/bin/node"
  cp -r "$(dirname "$(dirname "$npm")")" "$root/usr/local/lib/npm"
  ln -sf ../lib/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  for program in sh env; do ln -sf "$(command -v busybox)" "$root/bin/$program"; ln -sf "$(command -v busybox)" "$root/usr/bin/$program"; done
  printf 'root:x:0:0::/root:/bin/sh\nnonroot:x:65532:65532::/:/bin/false\n' >"$root/etc/passwd"
  local container
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$root" / >/dev/null
  buildah config --env PATH=/usr/local/bin:/usr/bin:/bin "$container"
  buildah commit --quiet --rm "$container" localhost/stand-in >/dev/null
}

build() {
  mkdir "$PROOF_DIR/context"
  cp "$PROOF_DIR/grove-api.tgz" "$PROOF_DIR/context"
  buildah build --quiet --isolation chroot --pull-never --format docker --file Dockerfile --target "$1" --tag "grove:$1" \
    --build-arg NODE=localhost/stand-in --build-arg DISTROLESS=localhost/stand-in --build-arg SOURCE=tarball --build-arg TARGETARCH="$(dpkg --print-architecture)" \
    --volume "$registry:/root/.npm" "$PROOF_DIR/context" >/dev/null
  rm -r "$PROOF_DIR/context"
}

# The root file system of an image, which nothing can write to, as `docker run --read-only --tmpfs /tmp` has it.
mount_read_only() {
  local container root=$PROOF_DIR/root
  container=$(buildah from --pull-never "$1")
  mkdir "$root"
  mount --bind "$(buildah mount "$container")" "$root"
  mount --options remount,bind,ro "$root"
  mount --types tmpfs --options mode=1777 tmpfs "$root/tmp"
  mount --types tmpfs --options mode=0700,uid=65532,gid=65532 tmpfs "$root/var/lib/grove"
}

prove() {
  stand_in
  SECONDS=0
  build run
  echo "built in $SECONDS s"
  mount_read_only localhost/grove:run
  buildah inspect --type image localhost/grove:run >"$PROOF_DIR/image.json"
  du --summarize --block-size=1M "$PROOF_DIR/root/app" | awk '{ print "Grove and what it needs: " $1 " MiB" }'
  tooling/deploy/node_modules/.bin/tsx tooling/deploy/src/runImage.ts "$PROOF_DIR/root" "$PROOF_DIR/image.json"
}

"$1"
