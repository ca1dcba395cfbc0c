import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { openHome } from "../../home/home";
import { removeLeftScripts } from "./repositoryScript";

it("scripts of killed processes are removed, those of other running processes are not", async () => {
  const home = await openHome(join(await temporaryDirectory(), "home"));
  const alive = spawn("sleep", ["600"]);
  onTestFinished(() => void alive.kill("SIGKILL"));
  const dead = spawn("true");
  await once(dead, "exit");
  const names = [`${dead.pid}.x`, `${process.pid}.x`, `${alive.pid}.x`];
  for (const name of names) await mkdir(join(home.scriptsDir, name));
  await removeLeftScripts(home);
  expect(await readdir(home.scriptsDir)).toEqual([`${alive.pid}.x`]);
});
