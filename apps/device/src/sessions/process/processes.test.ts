import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { SESSION_VARIABLE } from "./environment";
import { sessionProcesses } from "./processes";

it("a process is found while it becomes another program", async () => {
  const file = join(await temporaryDirectory(), "again");
  // The script replaces itself by itself without end. Each time, its environment reads as empty for a moment.
  await writeFile(file, '#!/bin/sh\nexec "$0"\n');
  await chmod(file, 0o700);
  const child = spawn(file, { env: { PATH: process.env.PATH, [SESSION_VARIABLE]: "one" } });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  for (let looks = 0; looks < 100; looks++)
    expect(await sessionProcesses({ sessionId: "one" })).toEqual([child.pid]);
});
