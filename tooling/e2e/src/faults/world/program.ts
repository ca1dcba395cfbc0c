import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { isRunning } from "../../support/processes";

/** What is kept of a program's output. */
const KEPT = 2_000_000;

/** A program of Grove's in a process of its own, which can be killed, stopped in its tracks, and started again. */
export class Program {
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  /** The end of what it and its predecessors have written. */
  output = "";
  /** How many characters that was in all. */
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

  /** Starts it, and gives what it has written since whenever asked. */
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

  /** What it has written since {@link written} was `mark`, as far as that is kept. */
  outputSince(mark: number): string {
    return this.output.slice(Math.max(0, this.output.length - (this.written - mark)));
  }

  /** Ends it, and resolves when it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (!this.running) return;
    this.#child?.kill(signal);
    // One that is stopped would not hear of it.
    this.#child?.kill("SIGCONT");
    await this.#exited;
  }

  /** Holds the process still, with all its connections open. */
  pause(): void {
    process.kill(this.pid, "SIGSTOP");
  }

  /**
   * Lets it write no file beyond this many bytes, as on a full disk. Without a number, lifts that again. Only Linux can do
   * that to a running process.
   */
  limitFiles(bytes?: number): void {
    execFileSync("prlimit", ["--pid", `${this.pid}`, `--fsize=${bytes ?? "unlimited"}:`]);
  }

  resume(): void {
    if (this.running && isRunning(this.pid)) process.kill(this.pid, "SIGCONT");
  }
}
