/** The parts of the script that differ between servers. */
export interface Installation {
  /** The API address that the device agent will use. */
  address: string;
  /** The version of this release. */
  version: string;
  /** The SHA-256 of the packed device agent, in hexadecimal digits. */
  sha256: string;
  /** The oldest version of Node that runs it, such as `20.19`. */
  minNode: string;
}

/** Quotes a word for a POSIX shell, which reads back the same word. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * The script that makes a machine a device, for any POSIX sh. It installs the device agent for this user, registers the
 * machine and starts a service. At its top is what differs between servers, quoted.
 */
export const installScript = ({ address, version, sha256, minNode }: Installation): string =>
  `#!/bin/sh
address=${quoted(address)}
version=${quoted(version)}
sha256=${quoted(sha256)}
min_node=${quoted(minNode)}
${body}`;

// The script has no braces after a dollar sign, which would end the template here. All of it is read before any of it
// runs: a download that breaks off does nothing. Programs do not get its stdin, which may be the script itself.
const body = String.raw`
set -e

usage() {
  cat <<END
Installs grove-device for this user, connects this machine, and starts it with the session. It needs no sudo.
Run again, it updates the agent.

  curl -fsSL $address/install.sh | sh -s -- [options]

  --token <token>  register by this one-time token of the console, without a code to approve
  --name <name>    the device's name (default: the host name)
  --foreground     run the agent here instead of as a service: for containers
  --uninstall      remove the agent and its service; projects and worktrees stay
END
}

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# Whether a version, such as the one in "git version 2.39.5", is at least another one.
at_least() {
  node -e 'const [given, minimum] = process.argv.slice(1).map((text) => /\d+\.\d+/.exec(text)?.[0].split(".").map(Number) ?? [0, 0]);
process.exit(given[0] > minimum[0] || (given[0] === minimum[0] && given[1] >= minimum[1]) ? 0 : 1)' "$1" "$2"
}

check_machine() {
  has node || fail "Node $min_node or newer is needed, with npm: install it from https://nodejs.org, and run this command again."
  at_least "$(node --version)" "$min_node" ||
    fail "Node $min_node or newer is needed; $(command -v node) is $(node --version). Update it, and run this command again."
  has git || fail "git 2.31 or newer is needed: install it, and run this command again."
  at_least "$(git --version)" 2.31 || fail "git 2.31 or newer is needed; this is $(git --version)."
}

download() {
  if has curl; then curl -fsSL --retry 2 --connect-timeout 10 -o "$2" "$1"
  elif has wget; then wget -q -O "$2" "$1"
  else node -e 'fetch(process.argv[1]).then(async (answer) => {
if (!answer.ok) throw new Error(answer.status);
require("node:fs").writeFileSync(process.argv[2], Buffer.from(await answer.arrayBuffer()));
}).catch((error) => { console.error(error.message); process.exit(1); })' "$1" "$2"
  fi || fail "$1 cannot be downloaded."
}

# Installs into a new directory, which then takes the place of the old one.
install_agent() {
  mkdir -p "$base" "$bin"
  work=$(mktemp -d "$base/new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  say "Installing grove-device $version from $address"
  download "$address/download/grove-device.tgz" "$work/grove-device.tgz"
  actual=$(node -e 'const { createHash } = require("node:crypto"); const { readFileSync } = require("node:fs");
process.stdout.write(createHash("sha256").update(readFileSync(process.argv[1])).digest("hex"))' "$work/grove-device.tgz")
  [ "$actual" = "$sha256" ] ||
    fail "Checksum mismatch: the download has SHA-256 $actual, expected $sha256. Nothing was changed. Run this line again. If the mismatch persists, a proxy may be modifying downloads."
  mkdir "$work/app"
  printf '{"private":true}\n' >"$work/app/package.json"
  # npm brings the terminal module. It gives up soon when its registry is out of reach.
  if ! has npm || ! npm install --prefix "$work/app" --no-audit --no-fund --no-update-notifier --ignore-scripts \
    --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=10000 \
    "$work/grove-device.tgz" </dev/null >"$work/npm.log" 2>&1; then
    rm -rf "$work/app/node_modules"
    mkdir -p "$work/app/node_modules/@grove"
    tar -xzf "$work/grove-device.tgz" -C "$work"
    mv "$work/package" "$work/app/node_modules/@grove/device"
    [ ! -f "$work/npm.log" ] || head -n 5 "$work/npm.log" >&2
    say "Warning: npm could not install the terminal module, so this machine makes worktrees, but runs no agents."
    say "Run this line again when npm and its registry can be reached."
  fi
  chmod +x "$work/app/node_modules/@grove/device/dist/main.js"
  rm -rf "$base/old"
  [ ! -d "$base/app" ] || mv "$base/app" "$base/old"
  mv "$work/app" "$base/app"
  rm -rf "$base/old" "$work"
  ln -sf "$device" "$bin/grove-device"
}

register_machine() {
  status=$("$device" status --json </dev/null) || true
  at=$(node -p 'JSON.parse(process.argv[1]).apiUrl ?? ""' "$status")
  if [ "$at" != "" ]; then
    say "This machine is registered already, at $at."
    [ "$at" = "$address" ] || say "To move it here: grove-device service uninstall && grove-device register --force --api-url $address"
    return
  fi
  set -- register --api-url "$address"
  [ "$token" = "" ] || set -- "$@" --token "$token"
  [ "$name" = "" ] || set -- "$@" --name "$name"
  "$device" "$@" </dev/null
}

start_service() {
  "$device" service install --force </dev/null ||
    fail "The agent is installed and registered, but no service runs it. Start it: $bin/grove-device start"
  tries=0
  until "$device" status </dev/null >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || fail "The agent was started, but is not connected yet. Ask it why: $bin/grove-device doctor"
    sleep 1
  done
  say "This machine is online."
}

uninstall() {
  [ ! -f "$device" ] || "$device" service uninstall </dev/null ||
    say "The service could not be removed. If one runs, stop it."
  [ "$(readlink "$bin/grove-device")" != "$device" ] || rm "$bin/grove-device"
  rm -rf "$base"
  say "grove-device is removed. Its registration, projects and worktrees stay in $home."
  say "Revoke the device in the console: $address"
}

main() {
  token='' name='' todo=service
  while [ $# -gt 0 ]; do
    case $1 in
      --token | --name)
        [ $# -gt 1 ] || fail "$1 needs a value."
        case $1 in --token) token=$2 ;; *) name=$2 ;; esac
        shift 2
        ;;
      --foreground) todo=foreground; shift ;;
      --uninstall) todo=uninstall; shift ;;
      --help | -h) usage; exit 0 ;;
      *) fail "There is no option $1. Run it with --help to see what it takes." ;;
    esac
  done
  [ "$HOME" != "" ] || fail "HOME is not set. Set it to this user's directory, and run this command again."
  base=$HOME/.local/share/grove-device
  bin=$HOME/.local/bin
  device=$base/app/node_modules/@grove/device/dist/main.js
  home=$GROVE_HOME
  [ "$home" != "" ] || home=$HOME/.grove
  if [ "$todo" = uninstall ]; then uninstall; exit 0; fi
  check_machine
  install_agent
  register_machine
  case ":$PATH:" in
    *":$bin:"*) ;;
    *) say "The program is $bin/grove-device; $bin is not on your PATH." ;;
  esac
  [ "$todo" != foreground ] || exec "$device" start </dev/null
  start_service
}

main "$@"
`;
