import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { isRunning } from "../../support/processes";

/** How many characters of a program's output are kept. */
const KEPT = 2_000_000;

/** A program of Grove in its own process, which can be killed, suspended and started again. */
export class Program {
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  /** The end of the output of this process and the earlier ones. */
  output = "";
  /** How many characters they have written altogether. */
  written = 0;

  constructor(
    readonly command: readonly string[],
    readonly env: NodeJS.ProcessEnv,
  ) {}

  get pid(): number {
    const { pid } = this.#child ?? {};
    if (pid === undefined) throw new Error(`${this.command[1]} was not started.`);
    return pid;
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the program. Returns a function that returns its output since then. */
  start(): () => string {
    if (this.running) throw new Error(`${this.command[1]} runs already.`);
    const [file = "", ...args] = this.command;
    const child = spawn(file, args, { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        said = (said + chunk).slice(-KEPT);
        this.output = (this.output + chunk).slice(-KEPT);
        this.written += chunk.length;
      });
    this.#child = child;
    this.#exited = once(child, "exit");
    return () => said;
  }

  /** The output since {@link written} was `mark`, as far as it is kept. */
  outputSince(mark: number): string {
    return this.output.slice(Math.max(0, this.output.length - (this.written - mark)));
  }

  /** Ends the process, and resolves when it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (!this.running) return;
    this.#child?.kill(signal);
    // A suspended process would not get the signal.
    this.#child?.kill("SIGCONT");
    await this.#exited;
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
    execFileSync("prlimit", ["--pid", `${this.pid}`, `--fsize=${bytes ?? "unlimited"}:`]);
  }

  resume(): void {
    if (this.running && isRunning(this.pid)) process.kill(this.pid, "SIGCONT");
  }
}
