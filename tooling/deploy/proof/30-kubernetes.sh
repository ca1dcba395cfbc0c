#!/usr/bin/env bash
# kustomize makes of each overlay what the repository has as its snapshot; `30-kubernetes.sh update` writes it again.
set -euo pipefail
here=$PWD/tooling/deploy/kubernetes
scratch=${PROOF_DIR:-$(mktemp -d)}
if [ "$1" = prepare ]; then
  # Some machines have a kubectl of another package, with which Debian's cannot be installed.
  command -v kubectl >/dev/null || apt-get install -y -qq --no-install-recommends kubernetes-client >/dev/null
  exit
fi

cp -r "$here"/{base,small,production} "$scratch"
mkdir -p "$scratch/small/secrets"
for name in credentials-key database-url postgres-password; do printf 'not a secret' >"$scratch/small/secrets/$name"; done
# kustomize 2, in the kubectl of Debian 12, has the same under older names.
if ! kubectl version --client 2>/dev/null | grep -q 'Kustomize Version: v[5-9]'; then
  sed -i 's/^resources:$/bases:/; s/^  - \.\.\/base$/&\nresources:/; s/^patches:$/patchesStrategicMerge:/; s/^  - path: /  - /' \
    "$scratch"/{small,production}/kustomization.yaml
fi
for overlay in small production; do
  # Versions make different hashes of the same contents.
  kubectl kustomize "$scratch/$overlay" | sed -E 's/: (grove|postgres)-[a-z0-9]{10}$/: \1-HASH/' >"$scratch/$overlay.yaml"
  if [ "$1" = update ]; then cp "$scratch/$overlay.yaml" "$here/snapshots/$overlay.snapshot"; fi
  diff --unified "$here/snapshots/$overlay.snapshot" "$scratch/$overlay.yaml"
  echo "$overlay: $(grep -c '^kind:' "$scratch/$overlay.yaml") objects"
done
