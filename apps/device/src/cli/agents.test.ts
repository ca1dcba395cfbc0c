import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { groveDevice } from "../testing/program";

/** A machine with these programs on its PATH, each a line of shell. */
async function machineWith(programs: Record<string, string>) {
  const root = await temporaryDirectory();
  const bin = join(root, "bin");
  await mkdir(bin);
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return { GROVE_HOME: join(root, "home"), PATH: `${bin}:/usr/bin:/bin` };
}

it("`agents` lists those on the PATH with their versions, and does not wait for slow ones", async () => {
  const env = await machineWith({ claude: 'echo "2.1.0 (Claude Code)"', codex: "exec sleep 600", other: "" });
  const { code, stdout } = await groveDevice(["agents", "--json"], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    { name: "claude", version: "2.1.0" },
    { name: "codex", version: null },
  ]);
  const words = await groveDevice(["agents"], env);
  expect(words.stdout).toBe("AGENT   VERSION\nclaude  2.1.0\ncodex   unknown\n");
});

it("doctor names them, and suggests what to do if there are none", async () => {
  const env = await machineWith({ gemini: "echo 0.9.1" });
  expect((await groveDevice(["doctor"], env)).stdout).toMatch(/^ok +agents +gemini 0\.9\.1$/m);
  const none = await groveDevice(["doctor"], await machineWith({}));
  expect(none.stdout).toMatch(/^warn +agents +none is installed.*\n +→ Install one/m);
});

it("hints use this installation's name of the command", async () => {
  const env = { ...(await machineWith({})), GROVE_COMMAND: "node /opt/main.js device" };
  const { code, stderr } = await groveDevice(["project", "list"], env);
  expect(code).toBe(1);
  expect(stderr).toContain("Run `node /opt/main.js device register` first");
});
