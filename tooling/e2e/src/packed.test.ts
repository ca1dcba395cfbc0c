import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { TestApi } from "@grove/test-api/api";
import { startMcpServer } from "@grove/testing/mcpClient";
import { succeed } from "@grove/testing/process";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
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

/** Installs a package from these tarballs, without the network. Returns the path of its command. */
async function install(name: "@grove/device" | "@grove/mcp-cloud", tarballs: string[]): Promise<string> {
  const { env, root } = machine;
  await writeFile(join(root, "package.json"), "{}");
  await succeed(["npm", "install", "--offline", "--no-audit", "--no-fund", ...tarballs], { env, cwd: root });
  expect((await readdir(join(root, "node_modules", "@grove"))).length).toBe(1);
  const { bin } = JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"));
  return join(root, "node_modules", ".bin", Object.keys(bin)[0] ?? "");
}

/** The directory in which a dependency of a package is installed. */
const installed = (by: string, name: string): string =>
  dirname(createRequire(join(by, "package.json")).resolve(`${name}/package.json`));

/** Starts the API from its tarball, which lies outside the clone. */
async function startPackedApi(): Promise<TestApi> {
  const { env, root } = machine;
  const directory = packageDirectory("@grove/api");
  const tarball = await pack(directory);
  expect((await readdir(join(directory, "dist"))).sort()).toEqual(["main.js", "thread.js"]);
  await mkdir(join(root, "api"));
  await succeed(["tar", "-xzf", tarball, "-C", "api", "--strip-components", "1"], { env, cwd: root });
  // npm would install these.
  await symlink(join(directory, "node_modules"), join(root, "api", "node_modules"));
  const api = new TestApi({}, { path: join(root, "api", "dist", "main.js") });
  onTestFinished(() => api.remove());
  await api.start();
  return api;
}

it("the API serves the console from its tarball, and the device agent, which runs from that and the terminal module", async () => {
  const { url } = await startPackedApi();
  const page = await fetch(`${url}/sign-in`, { headers: { accept: "text/html" } });
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  const loaded = await fetch(url + script, { headers: { "accept-encoding": "br" } });
  expect([loaded.status, loaded.headers.get("content-encoding")]).toEqual([200, "br"]);

  const download = await fetch(`${url}/download/grove-device.tgz`);
  await writeFile(join(machine.root, "grove-device.tgz"), new Uint8Array(await download.arrayBuffer()));
  const terminal = installed(packageDirectory("@grove/device"), "@lydell/node-pty");
  const binary = installed(terminal, `@lydell/node-pty-${process.platform}-${process.arch}`);
  const modules = await Promise.all([terminal, binary].map(pack));
  const command = await install("@grove/device", ["./grove-device.tgz", ...modules]);
  expect(await succeed([command, "--version"], machine)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("mcp-cloud runs from its tarball alone", async () => {
  const command = await install("@grove/mcp-cloud", [await pack(packageDirectory("@grove/mcp-cloud"))]);
  expect(await succeed([command, "--version"], machine)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const client = await startMcpServer({ command, cwd: dirname(command) });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("create_workspace");
  await client.close();
});
