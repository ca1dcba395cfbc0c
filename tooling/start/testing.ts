import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { onTestFinished } from "vitest";

/** A stand-in for npx. It records its arguments, and behaves as an environment variable demands. */
const npx = `#!${process.execPath}
const { spawn } = require("node:child_process");
const { appendFileSync } = require("node:fs");
const args = process.argv.slice(2).join(" ");
appendFileSync("calls", args + "\\n");
appendFileSync("node", process.env.NODE_VERSION + "\\n");
console.log("noise of " + args);
if (process.env.FAILS && args.includes(process.env.FAILS)) process.exit(7);
if (process.env.HANGS && args.includes(process.env.HANGS)) {
  const child = spawn("sleep", ["600"], { stdio: "inherit" });
  appendFileSync("pid", String(child.pid));
  setInterval(() => {}, 1_000);
}
`;

const launcher = `console.log("launched with", process.argv.slice(2).join(" "));`;

/** A copy of these commands in a repository of its own, with the launcher and npx replaced; removed after the test. */
export async function createClone({ git = true } = {}) {
  const root = await temporaryDirectory();
  const commands = join(root, "tooling/start");
  const bin = join(root, "bin");
  const dist = join(root, "apps/grove/dist");
  await Promise.all([commands, bin, dist].map((path) => mkdir(path, { recursive: true })));
  for (const name of await readdir(import.meta.dirname))
    if (name.endsWith(".js")) await cp(join(import.meta.dirname, name), join(commands, name));
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await writeFile(join(dist, "main.js"), launcher);
  await writeFile(join(bin, "package.json"), '{ "type": "commonjs" }');
  await writeFile(join(bin, "npx"), npx);
  await chmod(join(bin, "npx"), 0o755);
  for (const name of git ? ["sleep", "git"] : ["sleep"])
    await symlink(await findProgram(name), join(bin, name));
  return {
    /** Runs `node tooling/start/<file> <args>` with these variables. */
    start(file: string, args: string[] = [], env: Record<string, string> = {}) {
      return startProgram([process.execPath, join(commands, file), ...args], {
        cwd: tmpdir(),
        env: { PATH: bin, ...env },
        endAfter: onTestFinished,
      });
    },
    /** The arguments of each run of npx. */
    calls: async () => (await read("calls")).trim().split("\n"),
    /** The NODE_VERSION of each run of npx. */
    nodes: async () => (await read("node")).trim().split("\n"),
    /** The process id of the program that npx has started and waits for; undefined if there is none. */
    hanging: async () => Number(await read("pid")) || undefined,
  };

  function read(name: string): Promise<string> {
    return readFile(join(root, name), "utf8").catch(() => "");
  }
}

async function findProgram(name: string): Promise<string> {
  for (const directory of (process.env.PATH ?? "").split(":"))
    if (directory && (await readdir(directory).catch((): string[] => [])).includes(name))
      return join(directory, name);
  throw new Error(`There is no ${name} here.`);
}
