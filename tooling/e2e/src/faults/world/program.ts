import { execFileSync } from "node:child_process";
import { isRunning, type Started, startProgram } from "@grove/testing/process";

/** How many characters of a program's output are kept. */
const MAX_CHARACTERS = 2_000_000;

/** A program of Grove in its own process, which can be killed, suspended and started again. */
export class Program {
  #started: Started | undefined;
  /** The end of the output of this process and the earlier ones. */
  output = "";
  /** How many characters they have written altogether. */
  written = 0;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    this.command = command;
    this.env = env;
  }

  get pid(): number {
    if (!this.#started) throw new Error(`${this.command[1]} was not started.`);
    return this.#started.pid;
  }

  get running(): boolean {
    return this.#started?.running ?? false;
  }

  /** Starts the program. Returns a function that returns its output since then. */
  start(): () => string {
    if (this.running) throw new Error(`${this.command[1]} runs already.`);
    const started = startProgram(this.command, { env: this.env });
    for (const stream of [started.child.stdout, started.child.stderr])
      stream.on("data", (chunk: string) => {
        this.output = (this.output + chunk).slice(-MAX_CHARACTERS);
        this.written += chunk.length;
      });
    this.#started = started;
    return () => started.output;
  }

  /** The output since {@link written} was `mark`, as far as it is kept. */
  outputSince(mark: number): string {
    return this.output.slice(Math.max(0, this.output.length - (this.written - mark)));
  }

  /** Ends the process, and resolves when it has exited. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const ended = this.#started?.end(signal);
    // A suspended process would not get the signal.
    this.resume();
    await ended;
  }

  /** Suspends the process, with all its connections open. */
  pause(): void {
    process.kill(this.pid, "SIGSTOP");
  }

  /**
   * Keeps the process from growing any file beyond this many bytes, as on a full disk. Without a number, lifts that
   * limit. Only Linux can do that to a running process.
   */
  limitFiles(bytes?: number): void {
    try {
      execFileSync("prlimit", ["--pid", `${this.pid}`, `--fsize=${bytes ?? "unlimited"}:`]);
    } catch (error) {
      // A process that has ended has no limits.
      if (isRunning(this.pid)) throw error;
    }
  }

  resume(): void {
    if (this.running && isRunning(this.pid)) process.kill(this.pid, "SIGCONT");
  }
}
