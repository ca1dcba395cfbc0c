import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { isThere } from "../lib/fileSystem";
import { groveDevice } from "../testing/program";

/** A registered machine with a service manager that records its calls. */
async function setUp() {
  const directory = await temporaryDirectory();
  const bin = join(directory, "bin");
  await mkdir(bin);
  const asked = join(directory, "asked");
  for (const name of ["systemctl", "launchctl"]) {
    await writeFile(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${asked}'\n`);
    await chmod(join(bin, name), 0o755);
  }
  const home = join(directory, `my "home" 100%`);
  await mkdir(home);
  const registration = {
    apiUrl: "http://127.0.0.1:1",
    deviceKey: "grd_secret",
    deviceId: crypto.randomUUID(),
    organizationId: crypto.randomUUID(),
  };
  await writeFile(join(home, "device.json"), JSON.stringify(registration), { mode: 0o600 });
  const env = {
    GROVE_HOME: home,
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, "config"),
    PATH: `${bin}:${process.env.PATH}`,
    DEVICE_KEY: "grd_secret",
  };
  return {
    env,
    directory,
    home,
    asked: async () => (await readFile(asked, "utf8").catch(() => "")).trim().split("\n"),
  };
}

it("a systemd unit is written, started, shown, and removed again", async () => {
  const { env, asked } = await setUp();
  const unitFile = join(env.XDG_CONFIG_HOME, "systemd", "user", "grove-device.service");
  const service = async (...args: string[]) => {
    const { code, stdout, stderr } = await groveDevice(
      ["service", ...args, "--manager", "systemd", "--json"],
      env,
    );
    return { code, stderr, answer: stdout === "" ? undefined : JSON.parse(stdout) };
  };
  expect(await service("status")).toMatchObject({ code: 3, answer: { installed: false } });
  expect(await service("install")).toMatchObject({ code: 0, answer: { unitFile, installed: true } });
  expect(await asked()).toEqual([
    "systemctl --user show --property=Version",
    "systemctl --user daemon-reload",
    "systemctl --user enable grove-device.service",
    "systemctl --user restart grove-device.service",
  ]);
  const unit = await readFile(unitFile, "utf8");
  expect(unit).not.toContain("grd_");
  expect(unit).toContain(`/my \\"home\\" 100%%"`);
  expect((await service("install")).code).toBe(0);
  expect(await service("status")).toMatchObject({ code: 0, answer: { active: true } });

  await writeFile(unitFile, "[Unit]\n");
  expect(await service("install")).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
  expect((await service("install", "--force")).code).toBe(0);
  expect(await readFile(unitFile, "utf8")).toBe(unit);

  expect(await service("uninstall")).toMatchObject({ code: 0, answer: { removed: true } });
  expect((await asked()).at(-1)).toBe("systemctl --user disable --now grove-device.service");
  expect(await isThere(unitFile)).toBe(false);
  expect(await service("uninstall")).toMatchObject({ code: 0, answer: { removed: false } });
});

it("a launchd agent is installed where launchd reads it", async () => {
  const { env, directory, asked } = await setUp();
  const installed = await groveDevice(["service", "install", "--manager", "launchd"], env);
  expect([installed.code, installed.stderr]).toEqual([0, ""]);
  const plist = join(directory, "Library", "LaunchAgents", "dev.grove.device.plist");
  expect(await readFile(plist, "utf8")).toContain(`<string>${env.GROVE_HOME}</string>`);
  expect((await asked()).at(-1)).toBe(`launchctl bootstrap gui/${process.getuid?.()} ${plist}`);
});

it("without a registration or a service manager nothing is written", async () => {
  const { env } = await setUp();
  const unregistered = await groveDevice(["service", "install"], {
    ...env,
    GROVE_HOME: join(env.GROVE_HOME, "other"),
  });
  expect([unregistered.code, unregistered.stderr]).toEqual([
    1,
    expect.stringContaining("grove-device register"),
  ]);
  const bare = await groveDevice(["service", "install"], { ...env, PATH: "/nowhere" });
  expect([bare.code, bare.stderr]).toEqual([1, expect.stringContaining("grove-device start")]);
  expect(await isThere(env.XDG_CONFIG_HOME)).toBe(false);
});

it("if the manager cannot be reached, nothing is written, and the error suggests what to do", async () => {
  const { env, directory } = await setUp();
  const message = "Failed to connect to bus: No medium found";
  await writeFile(join(directory, "bin", "systemctl"), `#!/bin/sh\necho "${message}" >&2\nexit 1\n`);
  const { code, stderr } = await groveDevice(["service", "install", "--manager", "systemd"], env);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`systemd cannot be reached for this user: ${message}`),
  ]);
  expect(stderr).toContain("enable-linger");
  expect(await isThere(env.XDG_CONFIG_HOME)).toBe(false);
});

it("a service of the machine has its own user and home, and is installed with that home alone", async () => {
  const { env } = await setUp();
  const system = ["--manager", "systemd-system"];
  const { stdout } = await groveDevice(["service", "print", ...system], env);
  for (const line of [
    "DynamicUser=yes",
    `Environment="GROVE_HOME=/var/lib/grove-device"`,
    "NoNewPrivileges=yes",
  ])
    expect(stdout.split("\n")).toContain(line);
  const { code, stderr } = await groveDevice(["service", "install", ...system], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining("GROVE_HOME=/var/lib/grove-device")]);
});

it("`print` changes nothing", async () => {
  const { env, asked } = await setUp();
  for (const manager of ["systemd", "systemd-system", "launchd"]) {
    const { code, stdout } = await groveDevice(["service", "print", "--manager", manager], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining("main.js")]);
    expect(stdout).not.toContain("grd_");
  }
  expect(await asked()).toEqual([""]);
});
