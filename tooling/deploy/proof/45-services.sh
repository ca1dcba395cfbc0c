#!/usr/bin/env bash
# A live systemd runs API and device: `service install` of both as services of the machine, and the line of install.sh as
# one of the user; killed, they come back. systemd is the first process of namespaces of its own, with copies of what it
# and the services write.
# needs: systemd curl
set -euo pipefail
script=$(realpath "$0")

# Run as root: what the machine and its services write is copied or empty.
boot() {
  mount --make-rprivate /
  cp "$script" "$PROOF_DIR/services.sh"
  cp -a /etc "$PROOF_DIR/etc"
  mount --bind "$PROOF_DIR/etc" /etc
  # The services do not see /tmp and homes.
  mount --types tmpfs tmpfs /mnt
  mkdir /mnt/proof
  mount --bind "$PROOF_DIR" /mnt/proof
  for directory in /run /tmp /root /var/lib; do mount --types tmpfs --options mode=755 tmpfs "$directory"; done
  chmod 1777 /tmp
  umount --recursive /sys/fs/cgroup
  mount --types cgroup2 none /sys/fs/cgroup
  # Nothing of this machine is started.
  rm -rf /etc/systemd/system
  mkdir /etc/systemd/system
  cd /etc/systemd/system
  for target in sysinit basic multi-user shutdown; do printf '[Unit]\nDefaultDependencies=no\n' >$target.target; done
  # There is no journal.
  mkdir service.d
  printf '[Service]\nStandardOutput=append:/mnt/proof/log\nStandardError=inherit\n' >service.d/log.conf
  printf '[Unit]\nRequires=multi-user.target user.service try.service\n' >proof.target
  cat >user.service <<END
[Service]
Type=notify
Delegate=yes
Environment=XDG_RUNTIME_DIR=/run/user HOME=/root SYSTEMD_UNIT_PATH=/root/.config/systemd/user:/etc/proof/user
RuntimeDirectory=user
RuntimeDirectoryMode=0700
ExecStart=/usr/lib/systemd/systemd --user
END
  cat >try.service <<END
[Unit]
After=user.service
[Service]
Type=oneshot
Environment=HOME=/root XDG_RUNTIME_DIR=/run/user PROOF_DIR=/mnt/proof PATH=/mnt/proof/global/bin:$PATH
Environment=npm_config_offline=true npm_config_update_notifier=false
ExecStart=/bin/bash -c '/mnt/proof/services.sh try >/mnt/proof/said 2>&1'
ExecStopPost=/bin/sh -c 'echo \$EXIT_STATUS >/mnt/proof/status'
END
  mkdir -p /etc/proof/user
  for target in basic default shutdown; do printf '[Unit]\nDefaultDependencies=no\n' >/etc/proof/user/$target.target; done
  # Mounts of a service's start, such as that of its credentials, reach the service.
  mount --make-rshared /
  export container=proof SYSTEMD_UNIT_PATH=/etc/systemd/system
  exec /usr/lib/systemd/systemd --system --unit=proof.target --log-level=warning --log-target=console
}

# Waits until a command succeeds.
eventually() {
  for _ in $(seq 150); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.2
  done
  echo "This did not happen: $*"
  tail -n 20 /mnt/proof/log
  return 1
}

call() { curl --silent --fail --header 'content-type: application/json' --header "authorization: Bearer ${token-}" "http://127.0.0.1:3000/api/$1" "${@:2}"; }
field() { node --print 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))'"$1"; }
registration() {
  call trpc/device.createRegistration --data "{\"organizationId\":\"$organization\",\"shared\":false}" | field .result.data.token
}
online() {
  local devices
  devices=$(call "trpc/device.list?input=%7B%22organizationId%22:%22$organization%22%7D")
  [ "$(grep -o '"status":"online"' <<<"$devices" | wc -l)" -eq "$1" ]
}
main_process() { systemctl "${@:2}" show --property=MainPID --value "$1"; }

# Kills a service. It runs again, as another process.
comes_back() {
  local before
  before=$(main_process "$@")
  kill -KILL "$before"
  # shellcheck disable=SC2317 # It is called below.
  replaced() { [ "$(main_process "$@")" != 0 ] && [ "$(main_process "$@")" != "$before" ]; }
  eventually replaced "$@"
}

try() {
  grove-api service install
  eventually curl --silent --fail http://127.0.0.1:3000/ready
  process=$(main_process grove-api)
  [ "$(stat --format=%u "/proc/$process")" != 0 ] || { echo "The API runs as root."; return 1; }
  echo "grove-api runs as $(stat --format=%u "/proc/$process"), from $(systemctl show --property=FragmentPath --value grove-api)"
  sed -i 's/^SIGN_UP=invite/SIGN_UP=first/' /etc/grove/api.env
  systemctl restart grove-api
  eventually curl --silent --fail http://127.0.0.1:3000/ready
  token=$(call auth/sign-up --data '{"email":"ada@example.com","name":"Ada","password":"correct horse battery"}' | field .token)
  organization=$(call trpc/organization.list | field '.result.data[0].id')

  export GROVE_HOME=/var/lib/grove-device
  grove-device register --api-url http://127.0.0.1:3000 --name machine --token "$(registration)"
  grove-device service install --manager systemd-system
  eventually online 1
  process=$(main_process grove-device)
  [ "$(stat --format=%u "/proc/$process")" != 0 ] || { echo "The device runs as root."; return 1; }
  unset GROVE_HOME

  curl -fsSL http://127.0.0.1:3000/install.sh | sh -s -- --name person --token "$(registration)"
  eventually online 2
  comes_back grove-api
  comes_back grove-device
  comes_back grove-device --user
  eventually online 2
  echo "API and both devices were killed, and are online again"
  curl -fsSL http://127.0.0.1:3000/install.sh | sh -s -- --uninstall
  eventually online 1
  [ "$(systemctl --user is-enabled grove-device 2>/dev/null)" != enabled ]
  systemctl stop grove-api
  echo "stopped with $(systemctl show --property=Result --value grove-api)"
}

prepare() {
  npx --yes pnpm@12.21.0 exec turbo run build --filter=@grove/api --filter=@grove/device --filter=@grove/web >"$PROOF_DIR/build.log" 2>&1 || { tail -n 30 "$PROOF_DIR/build.log"; return 1; }
  (cd apps/api && npx --yes pnpm@12.21.0 pack --out "$PROOF_DIR/grove-api.tgz" >/dev/null)
  npm install --silent --no-audit --no-fund --global --prefix "$PROOF_DIR/global" \
    "$PROOF_DIR/grove-api.tgz" "$PWD/apps/device/dist/grove-device.tgz"
}

prove() {
  if [ ! -w /sys/fs/cgroup ]; then
    echo "Only root can start a systemd."
    return 1
  fi
  unshare --mount --pid --cgroup --ipc --uts --fork --kill-child --mount-proc "$script" boot &
  machine=$!
  for _ in $(seq 1500); do
    [ -s "$PROOF_DIR/status" ] && break
    kill -0 "$machine" || break
    sleep 0.2
  done
  kill -KILL "$machine"
  cat "$PROOF_DIR/said"
  [ "$(cat "$PROOF_DIR/status")" = 0 ]
}

"$1"
