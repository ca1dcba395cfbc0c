import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TestApi } from "@grove/test-api/api";
import { runProgram } from "@grove/testing/process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMachine, type Machine } from "./support/machine";

/** `.ci/ship` tries other shells, and keeps the script. */
const { INSTALL_SHELL = "sh", INSTALL_COPY } = process.env;
const shell = INSTALL_SHELL.split(" ");

let machine: Machine;
const api = new TestApi();

beforeEach(async () => {
  machine = await createMachine();
  await api.start();
});

afterEach(async () => {
  await run(["systemctl", "--user", "disable", "--now"]);
  await api.remove();
  await machine.remove();
});

/** A service manager for one unit, which runs the program of the unit file as systemd would. */
const systemctl = `#!/bin/sh
stop() { [ ! -f "$HOME/pid" ] || kill "$(cat "$HOME/pid")" 2>/dev/null; rm -f "$HOME/pid"; }
case "$2" in
  restart)
    stop
    line=$(sed -n 's/^ExecStart=://p' "$HOME/.config/systemd/user/grove-device.service")
    sh -c "exec $line" </dev/null >"$HOME/log" 2>&1 &
    echo $! >"$HOME/pid" ;;
  disable) stop ;;
esac
exit 0
`;

const run = (command: string[]) => {
  const { env, root } = machine;
  // npm's registry is out of reach, as on a machine that reaches nothing but the API.
  const PATH = `${join(root, "bin")}:${env.PATH}`;
  return runProgram(command, { env: { ...env, PATH, npm_config_offline: "true" }, cwd: root });
};

it("one line makes a machine with an empty home a device that is online; again it updates; and it leaves nothing", async () => {
  const { root, env } = machine;
  await mkdir(join(root, "bin"));
  await writeFile(join(root, "bin", "systemctl"), systemctl);
  await chmod(join(root, "bin", "systemctl"), 0o755);
  const script = await (await fetch(`${api.url}/install.sh`)).text();
  if (INSTALL_COPY) await writeFile(INSTALL_COPY, script);
  const install = (...args: string[]) => run([...shell, "-c", script, "sh", ...args]);
  const { client, organizationId } = await api.signUp();
  const devices = async () =>
    (await client.device.list.query({ organizationId })).map(({ name, status }) => [name, status]);

  const { token } = await client.device.createRegistration.mutate({ organizationId, shared: false });
  const first = await install("--token", token, "--name", "a 'b' $c");
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("This machine is online.")]);
  expect(first.stdout).toContain("runs no agents");
  expect(await devices()).toEqual([["a 'b' $c", "online"]]);

  const again = await install();
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("This machine is online.")]);
  expect(again.stdout).toContain(`registered already, at ${api.url}`);
  expect((await devices()).length).toBe(1);

  const changed = script.replace(/^sha256='/m, "sha256='0");
  expect(await run([...shell, "-c", changed])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Nothing was changed"),
  });
  expect(await install("--bare")).toMatchObject({ code: 1, stderr: expect.stringContaining("--bare") });

  expect((await install("--uninstall")).stdout).toContain("Revoke the device");
  expect(await readdir(join(env.HOME ?? "", ".local", "share"))).toEqual([]);
  expect(await readdir(join(env.HOME ?? "", ".local", "bin"))).toEqual([]);
  await expect.poll(devices, { timeout: 60_000 }).toEqual([["a 'b' $c", "offline"]]);
});
