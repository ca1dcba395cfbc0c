import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMachine, type Machine } from "./support/machine";
import { packageDirectory } from "./support/programs";
import { succeed } from "./support/run";

let machine: Machine;

beforeEach(async () => {
  machine = await createMachine();
});

afterEach(() => machine.remove());

/** Installs a package alone, from its tarball and without the network; gives its command. */
async function install(name: "@grove/device" | "@grove/mcp-cloud"): Promise<string> {
  const { env, root } = machine;
  await succeed(["npm", "pack", "--silent", "--pack-destination", root], {
    env,
    cwd: packageDirectory(name),
  });
  const tarball = (await readdir(root)).find((file) => file.endsWith(".tgz")) ?? "";
  await writeFile(join(root, "package.json"), "{}");
  await succeed(["npm", "install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], {
    env,
    cwd: root,
  });
  expect((await readdir(join(root, "node_modules", "@grove"))).length).toBe(1);
  const { bin } = JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"));
  return join(root, "node_modules", ".bin", Object.keys(bin)[0] ?? "");
}

it("the device runs from its tarball alone", async () => {
  const command = await install("@grove/device");
  expect(await succeed([command, "--version"], machine)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("mcp-cloud runs from its tarball alone", async () => {
  const command = await install("@grove/mcp-cloud");
  expect(await succeed([command, "--version"], machine)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(new StdioClientTransport({ command, cwd: dirname(command) }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("create_workspace");
  await client.close();
});
