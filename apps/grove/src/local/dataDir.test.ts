import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@grove/schemas";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it } from "vitest";
import { UserError } from "../errors";
import { openDataDir } from "./dataDir";

const mode = async (path: string) => (await stat(path)).mode & 0o777;

describe("openDataDir", () => {
  it("makes a directory that only its owner can access, and closes one that was open to all", async () => {
    const root = join(await temporaryDirectory(), "a", "b");
    expect(await mode((await openDataDir(root)).root)).toBe(0o700);
    await chmod(root, 0o755);
    await openDataDir(root);
    expect(await mode(root)).toBe(0o700);
  });

  it("changes no mode that keeps others out: file systems without modes refuse any change", async () => {
    const root = await temporaryDirectory();
    await openDataDir(root);
    await chmod(root, 0o1700);
    await openDataDir(root);
    expect((await stat(root)).mode & 0o7777).toBe(0o1700);
  });

  it("names a directory that it cannot use, and states what to do", async () => {
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    await expect(openDataDir(file)).rejects.toThrow(
      new RegExp(`^Cannot use ${file} for data: .* Choose another with --data-dir\\.$`),
    );
  });
});

describe("its files", () => {
  it("are undefined, then hold what was written, readable only by their owner", async () => {
    const dir = await openDataDir(await temporaryDirectory());
    expect(await dir.owner.read()).toBeUndefined();
    await dir.owner.write({ email: "a@b.example", password: "one" });
    await dir.owner.write({ email: "a@b.example", password: "two" });
    expect(await dir.owner.read()).toEqual({ email: "a@b.example", password: "two" });
    expect(await mode(dir.owner.path)).toBe(0o600);
    expect((await readdir(dir.root)).sort()).toEqual(["logs", "owner.json"]);
  });

  it("leave no draft behind when they cannot be written", async () => {
    const dir = await openDataDir(await temporaryDirectory());
    await mkdir(dir.owner.path);
    await expect(dir.owner.write({ email: "", password: "" })).rejects.toThrow();
    expect((await readdir(dir.root)).sort()).toEqual(["logs", "owner.json"]);
  });

  it.each(['{"email": "a@b.example", "password": 7', '{"email": "a@b.example", "password": 7}', "secret"])(
    "are refused when damaged, without showing any of their content",
    async (content) => {
      const dir = await openDataDir(await temporaryDirectory());
      await writeFile(dir.owner.path, content);
      const error = await dir.owner.read().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UserError);
      const message = messageOf(error);
      expect(message).toContain(`${dir.owner.path} cannot be read: `);
      // The random part of the path may contain a 7.
      expect(message.replace(dir.owner.path, "")).not.toMatch(/secret|a@b|7/);
    },
  );
});
