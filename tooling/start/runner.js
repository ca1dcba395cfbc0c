import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Failed, Stopped } from "./main.js";
import { showProgress } from "./progress.js";

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How long a program may take to end when it is asked to, before it is killed. */
const GRACE_MS = 5_000;
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * What is shown while a program runs.
 * @typedef {object} Shown
 * @property {string} doing `Installing`
 * @property {string} done `Installed`
 * @property {(output: string) => string | undefined} detail how far it is, from all that it has printed
 */

/**
 * Runs programs one after another, and ends the one that runs when the user asks for the end. A program runs in a process
 * group of its own: a Ctrl+C reaches it only from here, and then all that it has started.
 */
export function createRunner() {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let running;
  let stopping = false;
  const signalGroup = (/** @type {NodeJS.Signals} */ signal) => {
    try {
      if (running && running.pid !== undefined) process.kill(-running.pid, signal);
    } catch {
      // It has just ended.
    }
  };
  const stop = () => {
    // At SIGTERM, turbo would leave behind what it has started. Asked again, nobody waits for it.
    signalGroup(stopping ? "SIGKILL" : "SIGINT");
    stopping = true;
    setTimeout(() => signalGroup("SIGKILL"), GRACE_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, stop);

  return {
    /**
     * Runs a program to its end. With `shown`, what it prints is kept back, and printed only when it fails.
     * @param {string[]} command
     * @param {{ env?: Record<string, string>, shown?: Shown }} [options]
     * @throws {Failed} with the program's output, when it fails
     * @throws {Stopped} when the user asked for the end
     */
    async run(command, { env, shown } = {}) {
      if (stopping) throw new Stopped();
      const [file = "", ...args] = command;
      const output = shown ? "pipe" : "inherit";
      const child = spawn(file, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ["ignore", output, output],
        detached: true,
      });
      running = child;
      let printed = "";
      const progress = shown && showProgress(shown.doing);
      for (const stream of [child.stdout, child.stderr])
        if (stream)
          stream.setEncoding("utf8").on("data", (chunk) => {
            printed += chunk;
            if (shown && progress) progress.update(shown.detail(printed));
          });
      /** @type {number | null} */
      const code = await new Promise((resolve, reject) => {
        child.once("error", reject);
        // Its output ends when the last of what it has started has ended.
        child.once("close", resolve);
      }).catch((error) => {
        throw new Failed(`${file} cannot be run: ${error.message}`);
      });
      running = undefined;
      if (progress) progress.end(code === 0 && !stopping && shown ? shown.done : undefined);
      if (stopping) throw new Stopped();
      if (code !== 0)
        throw new Failed(
          shown ? `${printed.trim()}\n\n${shown.doing} failed.` : "",
          code === null ? 1 : code,
        );
    },

    /** Leaves signals to what comes next. */
    release() {
      if (stopping) throw new Stopped();
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}

/** @typedef {ReturnType<typeof createRunner>} Runner */
