import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describeTool } from "@grove/mcp";
import { serverEnvironment } from "@grove/testing/mcpClient";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { makeCodeCache } from "@grove/tsup/code-cache";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { program } from "../testing/client";
import { tools } from "../tools";

/** The built program, with a code cache of the Node that runs the test, which may not be the build's. */
const built = await temporaryDirectory(afterAll);
beforeAll(async () => {
  await cp(dirname(program), built, { recursive: true });
  await makeCodeCache(join(built, "program.js"), join(built, "program.cache"));
});

/** A copy that a test may damage. */
let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  await cp(built, directory, { recursive: true });
});

/** Starts the program as a client does; returns its tools, its version and what became of the cache. */
async function start() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(directory, "main.js")],
    env: serverEnvironment({ NODE_DEBUG: "code-cache", HOME: directory }),
    stderr: "pipe",
  });
  const log = text(transport.stderr as Readable);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools: listed } = await client.listTools();
  const version = client.getServerVersion()?.version;
  await client.close();
  return { listed, version, cache: /CODE-CACHE \d+: (.*)/.exec(await log)?.[1] };
}

/** Replaces text in one of the program's files. */
async function change(file: string, from: string, to: string) {
  const path = join(directory, file);
  const content = await readFile(path, "latin1");
  expect(content).toContain(from);
  await writeFile(path, content.replace(from, to), "latin1");
}

describe("a start of the built program", () => {
  it("uses the code cache, and lists what the tools' schemas describe", async () => {
    expect(await start()).toEqual({ listed: tools.map(describeTool), version: "1.0.0", cache: "used" });
  });

  it("does not reveal where it was built", async () => {
    expect((await readFile(join(directory, "program.cache"))).includes(built)).toBe(false);
  });

  const damages: Record<string, () => Promise<void>> = {
    "is missing": () => rm(join(directory, "program.cache")),
    "is empty": () => writeFile(join(directory, "program.cache"), ""),
    "is of another Node": () => change("program.cache", process.version, "v20.0.0"),
    "is cut short": async () => {
      const path = join(directory, "program.cache");
      await writeFile(path, (await readFile(path)).subarray(0, -1000));
    },
    // V8 itself would not notice, and would crash.
    "has a wrong byte": async () => {
      const path = join(directory, "program.cache");
      const content = await readFile(path);
      content.writeUInt8(content.readUInt8(content.length >> 1) ^ 0xff, content.length >> 1);
      await writeFile(path, content);
    },
  };
  it.each(Object.entries(damages))("does without a cache that %s", async (_, damage) => {
    await damage();
    expect(await start()).toEqual({ listed: tools.map(describeTool), version: "1.0.0", cache: "not used" });
  });

  it("does not use the cache of a changed program of the same length", async () => {
    await change("program.js", '"version":"1.0.0"', '"version":"9.9.9"');
    expect(await start()).toMatchObject({ version: "9.9.9", cache: "not used" });
  });

  it("makes no cache of a program that is not ASCII, since it would be read as ASCII", async () => {
    await change("program.js", '"version":"1.0.0"', '"version":"1.0.é"');
    const made = makeCodeCache(join(directory, "program.js"), join(directory, "program.cache"));
    await expect(made).rejects.toThrow("did not answer tools/list");
  });
});
