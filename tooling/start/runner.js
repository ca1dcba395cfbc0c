import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Failed, Stopped } from "./main.js";
import { showProgress } from "./progress.js";

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How long a program may take to end before it is killed. */
const GRACE_MS = 5_000;
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * The progress that is shown while a program is running.
 * @typedef {object} Shown
 * @property {string} doing `Installing`
 * @property {string} done `Installed`
 * @property {(output: string) => string | undefined} detail how far it is, read from all its output
 */

/**
 * Runs programs one after another, and ends the current one when the user stops the command. Each program has its own
 * process group, so that only this runner passes Ctrl+C on, to the program and to everything that it has started.
 */
export function createRunner() {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let running;
  let stopping = false;
  const signalGroup = (/** @type {NodeJS.Signals} */ signal) => {
    try {
      if (running && running.pid !== undefined) process.kill(-running.pid, signal);
    } catch {
      // The program has just ended.
    }
  };
  const stop = () => {
    // On SIGTERM, turbo would leave its children running. A second signal kills immediately.
    signalGroup(stopping ? "SIGKILL" : "SIGINT");
    stopping = true;
    setTimeout(() => signalGroup("SIGKILL"), GRACE_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, stop);

  return {
    /**
     * Runs a program to its end. With `shown`, its output is held back and printed only if it fails.
     * @param {string[]} command
     * @param {{ env?: Record<string, string>, shown?: Shown }} [options]
     * @throws {Failed} with the program's output, if it fails
     * @throws {Stopped} if the user has stopped the command
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
        // "close" also waits for the output of the programs that it has started.
        child.once("close", resolve);
      }).catch((error) => {
        throw new Failed(`Could not run ${file}: ${error.message}`);
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

    /** Leaves signals to the program that runs next. */
    release() {
      if (stopping) throw new Stopped();
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}

/** @typedef {ReturnType<typeof createRunner>} Runner */
