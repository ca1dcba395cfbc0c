import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../freePort.js";

/** `environment`: of NATS_TEST_URL. `machine`: nats-server in PATH. `ours`: a small server of this package. */
export type NatsSource = "environment" | "machine" | "ours";

export interface NatsOptions {
  /** Starts a server even if NATS_TEST_URL is set, for tests that end it or give it rights. */
  fresh?: boolean;
  /** Uses this source and no other. */
  source?: NatsSource;
  /** A token in place of a name and a password. */
  token?: string;
  /** Its certificate for `localhost` and the key, as PEM. Without it, there is no TLS. */
  tls?: { key: string; cert: string };
  /** The subjects that its one user may publish to and subscribe to; by default all. */
  publish?: readonly string[];
  subscribe?: readonly string[];
}

export interface NatsServer {
  /** With the name and the password, or the token. */
  readonly url: string;
  readonly source: NatsSource;
  /** Of the server; absent if it is NATS_TEST_URL's. */
  readonly pid?: number;
  /** Starts it again on the same port, after it was killed. */
  restart(): Promise<void>;
  /** Ends it; does nothing to NATS_TEST_URL's. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** The path of nats-server, which Debian keeps where only root looks. */
export function natsBinary(): string | undefined {
  const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return directories
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, "nats-server"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The kinds of server that this machine can start. */
export const natsSources = (): NatsSource[] => (natsBinary() === undefined ? ["ours"] : ["machine", "ours"]);

/**
 * Finds or starts a NATS server: that of NATS_TEST_URL, otherwise nats-server in PATH, otherwise a small one of this
 * package. A started server listens on 127.0.0.1 and ends with this process, however that ends.
 * @throws {Error} with its output when it does not start
 */
export async function startNats({
  fresh,
  source,
  token,
  tls,
  publish,
  subscribe,
}: NatsOptions = {}): Promise<NatsServer> {
  const given = process.env.NATS_TEST_URL;
  if (given && !fresh && !source) {
    const nothing = async () => {};
    return { url: given, source: "environment", restart: nothing, stop: nothing };
  }
  const binary = source === "ours" ? undefined : natsBinary();
  const root = mkdtempSync(join(tmpdir(), "grove-nats-"));
  const user = token === undefined ? { user: "grove", password: "not a secret" } : undefined;
  const port = await freePort();
  const command = binary
    ? [binary, "--config", join(root, "nats.conf")]
    : [
        process.execPath,
        fileURLToPath(new URL("server.js", import.meta.url)),
        JSON.stringify({ port, ...user, token, tls, publish, subscribe }),
      ];
  const permissions = { ...(publish && { publish }), ...(subscribe && { subscribe }) };
  const files = { cert_file: join(root, "cert.pem"), key_file: join(root, "key.pem") };
  const settings = {
    listen: `127.0.0.1:${port}`,
    authorization: user ? { users: [{ ...user, permissions }] } : { token },
    ...(tls && { tls: files }),
  };
  // Its language has JSON in it, without the outermost braces.
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  writeFileSync(join(root, "nats.conf"), lines.join(""));
  if (tls) writeFileSync(files.cert_file, tls.cert);
  if (tls) writeFileSync(files.key_file, tls.key);
  let server = await launch(command);
  return {
    url: `${tls ? "tls" : "nats"}://${user ? `${user.user}:${encodeURIComponent(user.password)}` : encodeURIComponent(token ?? "")}@${tls ? "localhost" : "127.0.0.1"}:${port}`,
    source: binary ? "machine" : "ours",
    get pid() {
      return server.pid;
    },
    restart: async () => {
      await server.stop();
      server = await launch(command);
    },
    stop: async () => {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/**
 * The shell ends the server when the pipe ends that this process holds, even if this process was killed. Only the
 * server holds stderr: when that ends, the server has ended.
 */
const KEEPER = `
exec 3<&0
"$@" 3<&- </dev/null >&2 & server=$!
echo "$server"
exec >/dev/null 2>&1
read -r word <&3
kill -KILL "$server"
`;

async function launch(command: readonly string[]): Promise<{ pid: number; stop(): Promise<void> }> {
  const shell = spawn("/bin/sh", ["-c", KEEPER, "grove-nats", ...command], {
    detached: true,
  });
  shell.stdin.on("error", () => {});
  const gone = once(shell.stderr, "close");
  const pid = once(shell.stdout, "data").then(([line]) => Number(line));
  let output = "";
  const ready = new Promise<boolean>((resolve) => {
    shell.stderr.on("data", (chunk) => {
      output = (output + chunk).slice(-8_000);
      if (output.includes("Server is ready")) resolve(true);
    });
    void gone.then(() => resolve(false));
    setTimeout(() => resolve(false), PATIENCE_MS).unref();
  });
  const streams = [shell.stdin, shell.stdout, shell.stderr].filter((stream) => stream instanceof Socket);
  const stop = async () => {
    for (const kept of [shell, ...streams]) kept.ref();
    shell.stdin.end();
    await gone;
  };
  if (!(await ready)) {
    await stop();
    throw new Error(`${command[0]} did not start. Its output:\n${output}`);
  }
  for (const kept of [shell, ...streams]) kept.unref();
  return { pid: await pid, stop };
}
