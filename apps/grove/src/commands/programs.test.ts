import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";

const launcher = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

it.each([
  ["Ctrl+C", "SIGINT", "group"],
  ["a closed terminal", "SIGHUP", "group"],
  ["SIGTERM", "SIGTERM", "launcher"],
] as const)("a program of the device ends by itself after %s", async (_, signal, target) => {
  const dataDir = await temporaryDirectory();
  const device = {
    apiUrl: "http://127.0.0.1:1",
    deviceKey: "grd_secret",
    deviceId: crypto.randomUUID(),
    organizationId: crypto.randomUUID(),
  };
  await mkdir(join(dataDir, "device"), { mode: 0o700 });
  await writeFile(join(dataDir, "device", "device.json"), JSON.stringify(device), { mode: 0o600 });
  // In a process group of its own, as in a terminal.
  const program = startProgram([process.execPath, launcher, "device", "--data-dir", dataDir, "start"], {
    env: { PATH: process.env.PATH },
    detached: true,
    endAfter: onTestFinished,
  });
  await program.waitForLine("device agent started");
  process.kill(target === "group" ? -program.pid : program.pid, signal);
  const { code, stderr } = await program.ended;
  expect({ code, stops: stderr.match(/"stopping"/g)?.length }).toEqual({ code: 0, stops: 1 });
});

it("marks hidden characters for people, and leaves JSON as it is", async () => {
  const dataDir = join(await temporaryDirectory(), "a\u202eb\u200bc");
  const run = (...args: string[]) =>
    startProgram([process.execPath, launcher, ...args, "--data-dir", dataDir], {
      env: { PATH: process.env.PATH },
      endAfter: onTestFinished,
    }).ended;
  expect((await run("status")).stdout).toContain("a⟨RLO⟩b⟨ZWSP⟩c. Start it with");
  expect(JSON.parse((await run("status", "--json")).stdout)).toEqual({ running: false, dataDir });
  expect((await run("link")).stderr).toContain("a⟨RLO⟩b⟨ZWSP⟩c. Start it first");
});
