import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it } from "vitest";
import { LogFile } from "./logFile";

describe("LogFile", () => {
  it("appends to the file, which only its owner can read", async () => {
    const path = join(await temporaryDirectory(), "x.log");
    for (const line of ["one", "two"]) {
      const log = new LogFile(path);
      log.write(line);
      log.close();
    }
    expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("keeps the latest lines, within twice its limit", async () => {
    const path = join(await temporaryDirectory(), "x.log");
    const log = new LogFile(path, 100);
    for (let n = 0; n < 1_000; n++) log.write(`line ${n}`);
    log.close();
    const [older, newer] = await Promise.all([readFile(`${path}.1`, "utf8"), readFile(path, "utf8")]);
    expect(older.length + newer.length).toBeLessThan(250);
    expect((older + newer).trimEnd().split("\n").slice(-5)).toEqual(
      [995, 996, 997, 998, 999].map((n) => `line ${n}`),
    );
  });
});
