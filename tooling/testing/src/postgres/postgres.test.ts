import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import pg from "pg";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { isRunning } from "../process";
import { embeddedBinaries, machineBinaries } from "./binaries.js";
import { createDatabase, startPostgres } from "./index.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

const here = {
  machine: machineBinaries(),
  embedded: await embeddedBinaries(),
};
const sources = (["machine", "embedded"] as const).filter((source) => here[source]);

async function start(options: Parameters<typeof startPostgres>[0]) {
  const server = await startPostgres(options);
  onTestFinished(() => server.stop());
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

it("has a source on this machine", () => {
  expect(sources).not.toEqual([]);
});

it.each(sources)("starts the %s server, and leaves nothing of it", async (source) => {
  const server = await startPostgres({ source });
  expect(server.source).toBe(source);
  expect(await query(server.url, "select current_user, current_database(), inet_server_addr()")).toEqual([
    { current_user: "postgres", current_database: "postgres", inet_server_addr: "127.0.0.1" },
  ]);
  expect(await query(server.url, "show fsync")).toEqual([{ fsync: "off" }]);
  await server.stop();
  expect(existsSync(server.dir ?? "")).toBe(false);
  expect(isRunning(server.pid ?? 0)).toBe(false);
});

it("takes settings, which override the fast defaults", async () => {
  const { url } = await start({ fresh: true, settings: { fsync: "on", work_mem: "5MB" } });
  expect(await query(url, "show fsync")).toEqual([{ fsync: "on" }]);
  expect(await query(url, "show work_mem")).toEqual([{ work_mem: "5MB" }]);
});

it("comes back after a kill, with its data, on the same port", async () => {
  const server = await start({ fresh: true });
  await query(server.url, "create table kept (id int)");
  const { pid = 0 } = server;
  process.kill(pid, "SIGKILL");
  await server.restart?.();
  expect(server.pid).not.toBe(pid);
  expect(await query(server.url, "select * from kept")).toEqual([]);
});

it("shows the server's output when it does not start", async () => {
  const starting = startPostgres({ fresh: true, settings: { no_such_setting: "1" } });
  await expect(starting).rejects.toThrow('unrecognized configuration parameter "no_such_setting"');
});

it("uses the server of TEST_DATABASE_URL, and does not stop it", async () => {
  const { url } = await start({ fresh: true });
  vi.stubEnv("TEST_DATABASE_URL", url);
  const given = await startPostgres();
  expect(given).toMatchObject({ url, source: "environment" });
  await given.stop();
  await query(url, "select 1");
  expect((await start({ fresh: true })).url).not.toBe(url);
});

it("makes databases, also from a template, and drops them despite connections", async () => {
  const { url } = await start({ fresh: true });
  const first = await createDatabase(url);
  await query(first.url, "create table copied (id int)");
  const second = await createDatabase(url, { template: new URL(first.url).pathname.slice(1) });
  const client = new pg.Client(second.url);
  client.on("error", () => {});
  await client.connect();
  expect((await client.query("select * from copied")).rows).toEqual([]);
  for (const { drop } of [first, second, first]) await drop();
  await expect(query(second.url, "select 1")).rejects.toThrow("does not exist");
});

it.each(["SIGKILL", "SIGINT", "exit"] as const)("ends with the process that started it: %s", async (end) => {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL("./index.js", import.meta.url).href)});
    const { pid, dir } = await startPostgres({ fresh: true });
    console.log(JSON.stringify({ pid, dir }));
    ${end === "exit" ? "" : "setInterval(() => {}, 1000);"}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { pid, dir } = JSON.parse(String(line));
  if (end !== "exit") child.kill(end);
  await expect.poll(() => existsSync(dirname(dir)), { timeout: 30_000 }).toBe(false);
  expect(isRunning(pid)).toBe(false);
});

// The server runs as another user, who cannot see into root's directories; PostgreSQL refuses to run as root.
it.runIf(process.getuid?.() === 0 && here.embedded)("runs binaries that only root can read", async () => {
  const closed = mkdtempSync(join(tmpdir(), "grove-closed-"));
  onTestFinished(() => rmSync(closed, { recursive: true }));
  cpSync(dirname(here.embedded ?? ""), closed, { recursive: true, verbatimSymlinks: true });
  vi.stubEnv("PATH", join(closed, "bin") + delimiter + process.env.PATH);
  expect(machineBinaries()).toBe(join(closed, "bin"));
  const { url, pid } = await start({ source: "machine" });
  await query(url, "select 1");
  expect(readFileSync(`/proc/${pid}/status`, "utf8")).not.toMatch(/^Uid:\s0\s/m);
});
