import type { Socket } from "node:net";
import { setImmediate as pendingReads } from "node:timers/promises";
import { timeoutSignal } from "@grove/signals";
import { GAVE_UP_LINE, PRINTED_LINE, SIGN_OF_LIFE_MS } from "./lines";

/** How long the helper may take to print an answer on a busy machine. */
const PRINT_MS = 10_000;

/**
 * How a hook ended. `gave_up`: this process was silent for too long, and the agent's own prompt is still open.
 * `closed`: released here, or ended by the agent, whose own prompt was answered.
 */
type HookEnd = "printed" | "gave_up" | "closed";

/** A hook that waits for the answer to a permission request, while the agent also shows its own prompt. */
export class HeldHook {
  readonly ended: Promise<HookEnd>;
  readonly #socket: Socket;
  readonly #signs: NodeJS.Timeout;

  constructor(socket: Socket) {
    this.#socket = socket;
    // A failed write discards unread input. The hook's last line is therefore read before each write.
    this.#signs = setInterval(() => setImmediate(() => socket.write("\n")), SIGN_OF_LIFE_MS);
    let lastLine = "";
    socket.on("data", (text) => {
      lastLine += text;
    });
    this.ended = new Promise((resolve) => {
      socket.on("close", () => {
        clearInterval(this.#signs);
        resolve(lastLine === PRINTED_LINE ? "printed" : lastLine === GAVE_UP_LINE ? "gave_up" : "closed");
      });
    });
    socket.write("\n");
  }

  /**
   * Lets the hook print a text as its answer, and end.
   * @returns `not_printed`: certainly not; `unknown`: the hook ended, or was too slow, after it was sent the answer
   */
  async answer(output: string): Promise<"printed" | "not_printed" | "unknown"> {
    // The hook waits for nothing else, so it needs no more signs of life.
    clearInterval(this.#signs);
    await pendingReads();
    if (this.#socket.destroyed) return "not_printed";
    this.#socket.write(`${JSON.stringify(output)}\n`);
    timeoutSignal(PRINT_MS).addEventListener("abort", () => this.#socket.destroy(), { once: true });
    const end = await this.ended;
    if (end === "printed") return end;
    return end === "gave_up" ? "not_printed" : "unknown";
  }

  /** Lets the hook end without an answer: the agent's own prompt decides. */
  release(): void {
    this.#socket.destroy();
  }
}
