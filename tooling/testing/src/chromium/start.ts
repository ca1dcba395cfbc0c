import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Found, findChromium } from "./find";
import type { Kind } from "./present.js";

export interface Chromium {
  /** `http://127.0.0.1:<port>`, which serves `/json/version` and `/json/list`. */
  readonly url: string;
  readonly port: number;
  /** The browser's main process; a test may kill it. */
  readonly pid: number;
  /** The browser's program. */
  readonly program: Found;
  /** The directory of the browser's profile. */
  readonly profile: string;
  /** Ends the browser and removes its profile; does nothing if the browser is already gone. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Which browser; by default the machine's own if it has one. */
  readonly kind?: Kind;
  /** The debugging port; by default a free one. */
  readonly port?: number;
  /** Additional command-line switches. */
  readonly args?: readonly string[];
}

/** Timeout for the debugging port. */
const TIMEOUT_MS = 30_000;

const switches = [
  "--headless",
  // The sandbox is refused for root and in many containers. The browser shows only our own pages.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--password-store=basic",
  "--use-mock-keychain",
];

/**
 * The browser runs beside a shell that waits for a pipe held by this process. However this process ends, kill -9
 * included, the shell then kills the browser and removes its profile. Its own process group keeps a terminal's Ctrl-C
 * from killing the shell first. Chromium is killed rather than asked, since nothing in the profile is kept; the
 * socket's directory, to which the profile only links, would otherwise remain. On a busy machine its other processes
 * take seconds to notice that it has exited, and write into the profile until then.
 */
const supervisorScript = `
profile=$1; shift
exec 3<&0
"$@" 3<&- </dev/null >&2 & browser=$!
echo "$browser"
exec >/dev/null 2>&1
read -r word <&3
kill -KILL "$browser"
wait "$browser"
socket=$(readlink "$profile/SingletonSocket") && case $socket in */SingletonSocket) rm -rf "\${socket%/*}" ;; esac
attempt=0
until rm -rf "$profile" || [ "$attempt" -ge 100 ]; do attempt=$((attempt + 1)); sleep 0.2; done
`;

/**
 * Starts a headless Chromium with a debugging port and an empty profile.
 * @throws {Error} with the browser's output when it does not start
 */
export async function startChromium({ kind, port = 0, args = [] }: StartOptions = {}): Promise<Chromium> {
  const program = await findChromium(kind);
  const { path, env } = program;
  const profile = mkdtempSync(join(tmpdir(), "grove-chromium-"));
  const own = [`--remote-debugging-port=${port}`, `--user-data-dir=${profile}`];
  const shell = spawn(
    "/bin/sh",
    ["-c", supervisorScript, "grove-chromium", profile, path, ...switches, ...own, ...args, "about:blank"],
    { detached: true, env: { ...process.env, ...env } },
  );
  shell.stdin.on("error", () => undefined);
  const exited = once(shell, "exit");
  const pid = once(shell.stdout, "data").then(([line]) => Number(line));
  const stop = async () => {
    shell.ref();
    shell.stdin.end("\n");
    await exited;
  };

  let output = "";
  const address = new Promise<string | undefined>((resolve) => {
    shell.stderr.on("data", (chunk) => {
      output = (output + chunk).slice(-8_000);
      const [, listening] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
      if (listening) resolve(listening);
    });
    shell.stderr.once("close", () => resolve(undefined));
    setTimeout(() => resolve(undefined), TIMEOUT_MS).unref();
  });
  const listening = await address;
  if (listening === undefined) {
    await stop();
    throw new Error(`Chromium (${path}) did not start. Its output:\n${output}`);
  }
  // The browser does not keep this process running: if nothing else is left, both end.
  shell.unref();
  for (const stream of [shell.stdin, shell.stdout, shell.stderr])
    if (stream instanceof Socket) stream.unref();
  return {
    url: `http://127.0.0.1:${listening}`,
    port: Number(listening),
    pid: await pid,
    program,
    profile,
    stop,
  };
}
