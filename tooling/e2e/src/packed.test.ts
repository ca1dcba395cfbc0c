import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { startMcpServer } from "@grove/testing/mcpClient";
import { succeed } from "@grove/testing/process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMachine, type Machine } from "./support/machine";
import { packageDirectory } from "./support/programs";

let machine: Machine;

beforeEach(async () => {
  machine = await createMachine();
});

afterEach(() => machine.remove());

/** Packs the package in a directory; returns the path of the tarball. */
async function pack(directory: string): Promise<string> {
  const { env, root } = machine;
  const options = { env, cwd: directory };
  const said = await succeed(["npm", "pack", "--silent", "--pack-destination", root], options);
  return `./${said.trim()}`;
}

/**
 * Installs a package from its tarball and the given dependencies, without the network. Returns the path of its command.
 */
async function install(
  name: "@grove/device" | "@grove/mcp-cloud",
  ...dependencies: string[]
): Promise<string> {
  const { env, root } = machine;
  const tarballs = [await pack(packageDirectory(name))];
  for (const directory of dependencies) tarballs.push(await pack(directory));
  await writeFile(join(root, "package.json"), "{}");
  await succeed(["npm", "install", "--offline", "--no-audit", "--no-fund", ...tarballs], { env, cwd: root });
  expect((await readdir(join(root, "node_modules", "@grove"))).length).toBe(1);
  const { bin } = JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"));
  return join(root, "node_modules", ".bin", Object.keys(bin)[0] ?? "");
}

/** The directory in which a dependency of a package is installed. */
const installed = (by: string, name: string): string =>
  dirname(createRequire(join(by, "package.json")).resolve(`${name}/package.json`));

it("the device agent runs from its tarball and the terminal module's", async () => {
  const terminal = installed(packageDirectory("@grove/device"), "@lydell/node-pty");
  const binary = installed(terminal, `@lydell/node-pty-${process.platform}-${process.arch}`);
  const command = await install("@grove/device", terminal, binary);
  expect(await succeed([command, "--version"], machine)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("mcp-cloud runs from its tarball alone", async () => {
  const command = await install("@grove/mcp-cloud");
  expect(await succeed([command, "--version"], machine)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const client = await startMcpServer({ command, cwd: dirname(command) });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("create_workspace");
  await client.close();
});
