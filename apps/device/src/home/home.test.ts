import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { beforeEach, expect, it } from "vitest";
import { readIfThere, writeFileAtomic } from "../lib/fileSystem";
import { openHome } from "./home";

let dir: string;
beforeEach(async () => {
  dir = await temporaryDirectory();
});

const mode = async (path: string) => (await stat(path)).mode & 0o777;

it("a home and its contents are accessible only to their owner", async () => {
  const home = await openHome(join(dir, "deep", "home"));
  for (const path of [home.root, home.lockDir, home.worktreesDir]) expect(await mode(path)).toBe(0o700);
  await writeFileAtomic(home.deviceFile, "{}");
  expect(await mode(home.deviceFile)).toBe(0o600);
  await openHome(home.root);
});

it("a file is replaced as a whole, and nothing half-written stays", async () => {
  const file = join(dir, "file");
  await Promise.all(Array.from({ length: 20 }, (_, n) => writeFileAtomic(file, `${n}`.repeat(5000))));
  expect(await readFile(file, "utf8")).toMatch(/^(\d+?)\1*$/);
  await expect(writeFileAtomic(join(dir, "missing", "file"), "x")).rejects.toThrow("ENOENT");
  expect(await readdir(dir)).toEqual(["file"]);
});

it("a missing file is undefined", async () => {
  expect(await readIfThere(join(dir, "nothing"))).toBeUndefined();
  await expect(readIfThere(dir)).rejects.toThrow("EISDIR");
});
