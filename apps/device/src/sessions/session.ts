import { constants } from "node:os";
import type { Screen } from "@grove/terminal";
import type { IPty } from "@lydell/node-pty";
import type { Log } from "../log";
import { asksOf } from "./asksText";
import { type Flow, SharedFlow } from "./flow";
import { Keyboard } from "./keyboard";
import { typedPrompt } from "./launch";
import { endProcesses, type SessionMark } from "./processes";
import type { Reporter, SessionEnd } from "./reporter";
import { Tail } from "./tail";
import { takesInput } from "./terminal";
import { WaitingWatch } from "./waitingWatch";

export interface SessionIdentity {
  id: string;
  workspaceId: string;
  agent: string;
  startedAt: string;
  /** The user who asked for it. */
  startedBy?: string | null | undefined;
}

export interface SessionDeps {
  identity: SessionIdentity;
  terminal: IPty;
  screen: Screen;
  /** Creates the session's reporter, given a way to hold up the output. */
  reporter: (flow: Flow) => Reporter;
  log: Log;
  /** The prompt, if it is typed. */
  typed: string | undefined;
  /** Saves the end to disk before it is reported. */
  onEnd: (end: SessionEnd) => Promise<void>;
}

/** A running agent: its terminal, its output, whether it waits, and its end. */
export class Session {
  readonly identity: SessionIdentity;
  readonly pid: number;
  readonly tail: Tail;
  readonly reporter: Reporter;
  /** Resolves when none of its processes runs any longer and its end is on its way to the cloud. */
  readonly ended: Promise<SessionEnd>;
  readonly #terminal: IPty;
  readonly #log: Log;
  readonly #watch: WaitingWatch;
  readonly #keyboard = new Keyboard((text) => {
    this.#watch.touch();
    this.reporter.typed();
    if (!this.#gone) this.#terminal.write(text);
  });
  #typed: string | undefined;
  #bracketedPaste = false;
  /** Whether the agent's own process is gone. After that, another process may get its number. */
  #gone = false;
  #endedFromOutside: "stopped" | "interrupted" | undefined;

  constructor({ identity, terminal, screen, reporter, log, typed, onEnd }: SessionDeps) {
    const flow = new SharedFlow(terminal);
    this.identity = identity;
    this.pid = terminal.pid;
    this.#terminal = terminal;
    this.#log = log;
    this.#typed = typed;
    this.tail = new Tail(screen, flow.share());
    this.reporter = reporter(flow.share());
    this.#watch = new WaitingWatch(this.pid, (waiting) => this.#onWaiting(waiting), typed !== undefined);
    terminal.onData((text) => this.#onOutput(text));
    this.ended = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) => {
      terminal.onExit(resolve);
    }).then(({ exitCode, signal }) => this.#onExit(exitCode, signal || undefined, onEnd));
  }

  get waitingForInput(): boolean {
    return this.#watch.waiting;
  }

  /** Resolves when the text has been typed. */
  type(text: string): Promise<void> {
    return this.#keyboard.type(text);
  }

  /** @returns false if the program does not read its input */
  get takesInput(): boolean {
    return takesInput(this.#terminal);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.tail.resize(columns, rows);
  }

  /**
   * Ends all processes of the session.
   * @returns whether none is left; if so, `ended` has resolved
   */
  async end(why: "stopped" | "interrupted", graceMs?: number): Promise<boolean> {
    this.#endedFromOutside ??= why;
    this.#terminal.resume();
    const gone = await endProcesses(this.#mark, graceMs);
    if (gone) await this.ended;
    return gone;
  }

  get #mark(): SessionMark {
    return { sessionId: this.identity.id, leader: this.#gone ? undefined : this.pid };
  }

  #onOutput(text: string): void {
    if (text.includes("\x1b[?2004"))
      this.#bracketedPaste = text.lastIndexOf("\x1b[?2004h") > text.lastIndexOf("\x1b[?2004l");
    this.tail.add(text);
    this.reporter.output(text);
    this.#watch.touch();
  }

  #onWaiting(waiting: boolean): void {
    if (waiting && this.#typed !== undefined) {
      const prompt = typedPrompt(this.#typed, this.#bracketedPaste);
      this.#typed = undefined;
      void this.type(prompt);
    } else this.reporter.waiting(waiting ? asksOf(this.tail.lastLines()) : undefined);
  }

  async #onExit(
    exitCode: number,
    signal: number | undefined,
    onEnd: SessionDeps["onEnd"],
  ): Promise<SessionEnd> {
    this.#gone = true;
    this.#watch.close();
    const { id } = this.identity;
    // Processes that it left running end with it. Nobody would see them, and the workspace could not be removed.
    const gone = await endProcesses({ sessionId: id }).catch(() => false);
    await this.tail.close();
    if (!gone) this.#log.error({ sessionId: id }, "processes of an ended agent session could not be ended");
    const end = endOf(exitCode, signal, this.#endedFromOutside);
    await onEnd(end).catch((error) =>
      this.#log.error({ err: error, sessionId: id }, "the end of an agent session could not be written down"),
    );
    this.reporter.end(end);
    this.#log.info({ sessionId: id, agent: this.identity.agent, ...end }, "agent session ended");
    return end;
  }
}

function endOf(
  exitCode: number,
  signal: number | undefined,
  endedFromOutside: "stopped" | "interrupted" | undefined,
): SessionEnd {
  const own = signal === undefined ? { exitCode } : {};
  if (endedFromOutside === "stopped") return { status: "stopped", ...own };
  if (endedFromOutside === "interrupted") return { status: "failed", ...own, error: interrupted };
  if (signal === undefined) return { status: "exited", exitCode };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? signal;
  return {
    status: "failed",
    error: { reason: "killed", message: `The agent was ended by the signal ${name}.` },
  };
}

/** The error of a session that ended with the device agent. */
export const interrupted = {
  reason: "interrupted",
  message: "The device agent on this machine ended, and the agent session with it.",
};
