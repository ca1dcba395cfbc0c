import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it } from "vitest";
import { ProgramLog } from "./programLog";

const lines = [
  '{"level":30,"msg":"listening","url":"http://127.0.0.1:1"}',
  '{"level":40,"msg":"slow"}',
  '{"level":50,"msg":"lost","err":{"message":"disk full","stack":"Error: disk full\\n at x"}}',
  "not JSON",
  "{not JSON either",
];

async function add(verbose: boolean) {
  const path = join(await temporaryDirectory(), "x.log");
  const shown: string[] = [];
  const log = new ProgramLog({ name: "api", path, verbose, show: (text) => shown.push(text) });
  const records = lines.map((line) => log.add(line));
  log.close();
  return { records, shown, file: await readFile(path, "utf8") };
}

describe("ProgramLog", () => {
  it("keeps everything, and shows the important lines in short", async () => {
    const { records, shown, file } = await add(false);
    expect(file).toBe(lines.map((line) => `${line}\n`).join(""));
    expect(shown).toEqual(["api: slow", "api: lost (disk full)"]);
    expect(records.map((record) => record?.msg)).toEqual(["listening", "slow", "lost", undefined, undefined]);
    expect(records[0]?.url).toBe("http://127.0.0.1:1");
  });

  it("shows everything when asked to", async () => {
    expect((await add(true)).shown).toEqual(lines.map((line) => `api | ${line}`));
  });
});
