import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

it.each([
  ["Ctrl+C", "SIGINT", "group"],
  ["a closed terminal", "SIGHUP", "group"],
  ["SIGTERM", "SIGTERM", "launcher"],
] as const)("a program of the device ends in its own time at %s", async (_, signal, target) => {
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
  const child = spawn(process.execPath, [launcher, "device", "--data-dir", dataDir, "start"], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const ended = once(child, "close");
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  await expect.poll(() => said.join("\n")).toContain("device agent started");
  process.kill(target === "group" ? -(child.pid ?? 0) : (child.pid ?? 0), signal);
  const [code] = await ended;
  lines.close();
  expect({ code, said: said.filter((line) => line.includes('"stopping"')).length }).toEqual({
    code: 0,
    said: 1,
  });
});
