import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { TestApi } from "@grove/test-api/api";
import { startMcpServer } from "@grove/testing/mcpClient";
import { startProgram, succeed } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { repository, scope, toPublished } from "../manifest.mjs";
import { published } from "../published.js";
import { packAll, packDependencies, type Tarball } from "./tarballs";

const MEGABYTE = 1_000_000;
const attw = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");

let root: string;
let tarballs: Map<string, Tarball>;

beforeAll(async () => {
  root = await temporaryDirectory(afterAll);
  await mkdir(join(root, "tarballs"));
  await mkdir(join(root, "home"));
  tarballs = await packAll(published, join(root, "tarballs"));
});

const of = (folder: string): Tarball => {
  const tarball = tarballs.get(folder);
  if (!tarball) throw new Error(`${folder} is not packed.`);
  return tarball;
};
/** A user's environment, with an empty home. */
const environment = () => ({
  PATH: process.env.PATH ?? "",
  HOME: join(root, "home"),
  npm_config_update_notifier: "false",
});

/** The tarballs of a package and of what npm installs beside it. */
const whatIsInstalled = async (folder: string): Promise<string[]> => [
  of(folder).path,
  ...(await packDependencies(folder, of(folder), join(root, "tarballs"))),
];

/** Installs a package with npm alone, without the network, into an empty project. Returns the project. */
async function install(folder: string): Promise<string> {
  const project = join(root, folder.replace("/", "-"));
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  const args = ["install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  await succeed(["npm", ...args, ...(await whatIsInstalled(folder))], { env: environment(), cwd: project });
  return project;
}

/** The bytes of all files below a directory. */
async function size(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((sum, file) => sum + file.size, 0);
}

describe.each(published)("%s", (folder) => {
  it("has in its manifest the fields that a registry shows, and none of the repository's own", () => {
    const { manifest, files } = of(folder);
    expect(manifest).toMatchObject({
      name: expect.stringMatching(new RegExp(`^${scope}/[\\w-]+$`)),
      description: expect.stringMatching(/.{20}/),
      keywords: expect.arrayContaining(["grove"]),
      license: "MIT",
      engines: { node: ">=20.19" },
      publishConfig: { access: "public" },
    });
    expect(manifest.repository === undefined).toBe(repository === undefined);
    expect(manifest).not.toHaveProperty("devDependencies");
    expect(manifest).not.toHaveProperty("scripts");
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:/);
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE"]));
  });

  it("contains each file that it names, and no source", () => {
    const { manifest, files } = of(folder);
    const named = [...Object.values(manifest.bin ?? {}), ...Object.values(manifest.exports ?? {})].flatMap(
      (target) => (typeof target === "string" ? [target] : Object.values(target)),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const file of named) expect(files).toContain(file.replace(/^\.\//, ""));
    expect(files.filter((file) => /(?<!\.d)\.[mc]?tsx?$|\.map$|\.test\.|(^|\/)\.(?!\/)/.test(file))).toEqual(
      [],
    );
  });

  it("has nothing that publint or attw report", async () => {
    const { path } = of(folder);
    const tarball = await readFile(path);
    const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer } });
    expect(messages).toEqual([]);
    if (!folder.startsWith("packages/")) return;
    const { bin } = JSON.parse(await readFile(attw, "utf8"));
    const command = [join(attw, "..", bin.attw), path, "--profile", "esm-only", "--format", "json"];
    const { analysis } = JSON.parse(await succeed([process.execPath, ...command], { env: environment() }));
    const problems: { resolutionKind?: string }[] = analysis.problems;
    // The packages are ES modules alone, for Nodes that load these with `require` too; node10 knows no exports.
    expect(problems.filter(({ resolutionKind = "" }) => !/^node10$|-cjs$/.test(resolutionKind))).toEqual([]);
  });
});

it("has another scope and the repository's address everywhere in a manifest, once these are decided", () => {
  const at = { scope: "@acme", repository: "https://github.com/acme/grove" };
  expect(toPublished({ name: "@grove/mcp-cloud", version: "1.0.0", scripts: {} }, at)).toEqual({
    name: "@acme/mcp-cloud",
    version: "1.0.0",
    mcpName: "io.github.acme/mcp-cloud",
    publishConfig: { access: "public" },
    repository: { type: "git", url: "git+https://github.com/acme/grove.git", directory: "apps/mcp-cloud" },
    homepage: "https://github.com/acme/grove#readme",
    bugs: "https://github.com/acme/grove/issues",
  });
  expect(toPublished({ name: "@grove/client" }, at)).not.toHaveProperty("mcpName");
});

// The launcher is run by npx, below.
it.each(published.filter((folder) => folder !== "apps/grove"))(
  "installs %s with npm alone, and runs it",
  async (folder) => {
    const project = await install(folder);
    const { name, bin = {} } = of(folder).manifest;
    for (const command of Object.keys(bin)) {
      const run = (argument: string) =>
        succeed([join(project, "node_modules/.bin", command), argument], {
          env: environment(),
          cwd: project,
        });
      expect(await run("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(await run("--help")).toContain(command);
    }
    if (Object.keys(bin).length === 0)
      await succeed(
        [process.execPath, "-e", `await import(${JSON.stringify(name)})`, "--input-type=module"],
        {
          env: environment(),
          cwd: project,
        },
      );
  },
);

it("runs the API from its package of at most 45 MB, with the console, sign-in, metrics and the device agent", async () => {
  const modules = join(root, "apps-api/node_modules");
  const megabytes = (await size(modules)) / MEGABYTE;
  expect(megabytes, "the size of the API in MB").toBeLessThan(45);

  // The API's new database comes from the template beside it.
  await rm(join(modules, scope, "api/dist/initdb.wasm"));
  const METRICS_TOKEN = "a token of the metrics";
  const api = new TestApi({ METRICS_TOKEN }, { path: join(modules, scope, "api/dist/main.js") });
  onTestFinished(() => api.remove());
  await api.start();
  const page = await fetch(`${api.url}/sign-in`, { headers: { accept: "text/html" } });
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  const loaded = await fetch(api.url + script, { headers: { "accept-encoding": "br" } });
  expect([loaded.status, loaded.headers.get("content-encoding")]).toEqual([200, "br"]);
  const person = await api.signUp();
  expect(await person.client.organization.list.query()).toHaveLength(1);
  const metrics = await fetch(`${api.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  expect(await metrics.text()).toContain("grove_");
  const download = await fetch(`${api.url}/download/grove-device.tgz`);
  expect((await download.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
});

it("lists the tools of mcp-cloud from its package alone", async () => {
  const command = join(root, "apps-mcp-cloud/node_modules/.bin/grove-mcp-cloud");
  const client = await startMcpServer({ command, cwd: root }, onTestFinished);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("create_workspace");
});

it("runs all of Grove by npx in an empty directory, without a connection to anywhere but this machine", async () => {
  const directory = join(root, "empty directory é");
  const home = join(directory, "home");
  await mkdir(home, { recursive: true });
  const connections = join(root, "connections");
  const preload = `--import ${new URL("./connections.js", import.meta.url).href}`;
  const env = { ...environment(), HOME: home, NODE_OPTIONS: preload, CONNECTIONS: connections };
  const packages = (await whatIsInstalled("apps/grove")).flatMap((file) => ["--package", file]);
  const start = ["grove", "start", "--json", "--port", "0"];
  const grove = startProgram(["npx", "--yes", "--offline", ...packages, ...start], {
    env,
    cwd: directory,
    detached: true,
  });
  onTestFinished(() => void (grove.running && process.kill(-grove.pid, "SIGKILL")));
  const { apiUrl, device, dataDir, mcpServers } = JSON.parse(await grove.waitForLine('"apiUrl"'));
  expect(device.status).toBe("online");
  expect(dataDir).toBe(join(await realpath(directory), ".grove"));
  expect((await fetch(`${apiUrl}/sign-in`, { headers: { accept: "text/html" } })).status).toBe(200);
  const { command, args } = mcpServers.grove;
  const client = await startMcpServer({ command, args, env }, onTestFinished);
  const listed = await client.callTool({ name: "list_devices", arguments: {} });
  expect(JSON.stringify(listed)).toContain(device.id);
  await client.close();
  // Only npx gets the signal, as from a supervisor. npx does not stop the programs that it has started.
  grove.child.kill("SIGTERM");
  expect((await grove.ended).stderr).toContain("Stopping");
  await expect(fetch(apiUrl)).rejects.toThrow();

  // The launcher, the device agent and mcp-cloud have all called the API, so the record works.
  const made = (await readFile(connections, "utf8")).trim().split("\n");
  expect([...new Set(made)].sort()).toEqual(["127.0.0.1"]);
});
