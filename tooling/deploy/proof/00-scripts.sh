#!/usr/bin/env bash
# Every shell script of the repository is free of the mistakes that shellcheck finds.
# needs: shellcheck
set -euo pipefail
[ "$1" = prove ] || exit 0

# By their first line, since those of .ci have no ending.
mapfile -t scripts < <(git grep -nE '^#!.*\b(ba|da)?sh$' | sed -n "s/:1:.*//p")
echo "${#scripts[@]} scripts: ${scripts[*]}"
shellcheck "${scripts[@]}"
