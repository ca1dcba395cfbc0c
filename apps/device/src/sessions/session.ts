import { constants } from "node:os";
import type { Screen } from "@grove/terminal";
import type { IPty } from "@lydell/node-pty";
import type { Log } from "../log";
import { isSameChoice, pasted, requireAnswers, typedForm } from "./answer";
import { choiceOn } from "./choice";
import { type Flow, SharedFlow } from "./flow";
import { Keyboard } from "./keyboard";
import { endProcesses, type SessionMark } from "./processes";
import { questionTextOf } from "./questionText";
import type { Reporter, SessionEnd } from "./reporter";
import { ScreenNumber } from "./screenNumber";
import { Tail } from "./tail";
import { takesInput } from "./terminal";
import { WaitingWatch } from "./waitingWatch";

export interface SessionIdentity {
  id: string;
  workspaceId: string;
  agent: string;
  startedAt: string;
  /** The user who started it. */
  startedBy?: string | null | undefined;
}

export interface SessionDeps {
  identity: SessionIdentity;
  terminal: IPty;
  screen: Screen;
  /** Creates the session's reporter, which can pause the output. */
  reporter: (flow: Flow) => Reporter;
  log: Log;
  /** The prompt, if it is typed. */
  typed: string | undefined;
  /** Saves the end to disk before it is reported. */
  onEnd: (end: SessionEnd) => Promise<void>;
}

/** How long a prompt waits for a person to answer the choices before it, such as whether to trust the directory. */
const TYPED_WITHIN_MS = 30 * 60_000;

/** A running agent: its terminal, its output, whether it waits, and its end. */
export class Session {
  readonly identity: SessionIdentity;
  readonly pid: number;
  readonly tail: Tail;
  readonly reporter: Reporter;
  /** Resolves when all its processes have ended and its end is being reported. */
  readonly ended: Promise<SessionEnd>;
  readonly #terminal: IPty;
  readonly #log: Log;
  readonly #watch: WaitingWatch;
  readonly #keyboard = new Keyboard((text) => {
    this.#watch.touch();
    this.#number.onTyped();
    this.reporter.onTyped();
    if (!this.#gone) this.#terminal.write(text);
  });
  #typed: string | undefined;
  /** The deadline for typing the prompt; it is then dropped. */
  readonly #typedUntil = performance.now() + TYPED_WITHIN_MS;
  readonly #number = new ScreenNumber();
  /** Whether the agent's own process has exited. After that, another process may get its pid. */
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
    this.#watch = new WaitingWatch(
      this.pid,
      (waiting) => this.#onWaiting(waiting),
      () => this.#typed !== undefined,
    );
    terminal.onData((text) => this.#onOutput(text));
    this.ended = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) => {
      terminal.onExit(resolve);
    }).then(({ exitCode, signal }) => this.#onExit(exitCode, signal || undefined, onEnd));
  }

  get waitingForInput(): boolean {
    return this.#watch.waiting;
  }

  /**
   * Types text. Resolves when that is done.
   * @param screen the number of the screen that its author saw; `live` for keys of a person who watches the terminal
   * @throws {CommandFailure} `screen_changed`, `screen_not_given`, `choice_shown`: nothing was typed
   */
  type(text: string, screen: number | "live" | undefined): Promise<void> {
    if (screen === "live") return this.#keyboard.type(text);
    let before: readonly string[] = [];
    return this.#keyboard.type({
      text: async () => {
        before = await this.tail.visible();
        const number = this.#number.of(before);
        requireAnswers(text, screen, { lines: before, number, waiting: this.waitingForInput });
        return typedForm(text, this.tail.bracketedPaste);
      },
      // The key may have answered the choice, and the screen may already show the next one.
      mayReturn: async () => !choiceOn(before) || isSameChoice(before, await this.tail.visible()),
    });
  }

  /** The number of the current screen. */
  async screenNumber(): Promise<number> {
    return this.#number.of(await this.tail.visible());
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
    this.tail.add(text);
    this.reporter.output(text);
    this.#watch.touch();
  }

  #onWaiting(waiting: boolean): void {
    if (!waiting) this.reporter.waiting(undefined);
    else
      void this.#typePrompt().then(async (typed) => {
        const number = await this.screenNumber();
        if (!typed && this.#watch.waiting)
          this.reporter.waiting({ asks: questionTextOf(this.tail.lastLines()), screen: number });
      });
  }

  /**
   * Types the pending prompt, unless the program shows a choice: text would choose by accident.
   * @returns whether it was typed
   */
  async #typePrompt(): Promise<boolean> {
    const prompt = this.#typed;
    if (prompt === undefined) return false;
    if (performance.now() > this.#typedUntil) {
      this.#typed = undefined;
      this.reporter.output("[grove: the prompt was not typed: the program showed only choices]\r\n");
      return false;
    }
    await this.#keyboard.type({
      text: async () => {
        if (choiceOn(await this.tail.visible()) || this.#typed === undefined) return undefined;
        this.#typed = undefined;
        return `${pasted(prompt, this.tail.bracketedPaste)}\r`;
      },
    });
    return this.#typed === undefined;
  }

  async #onExit(
    exitCode: number,
    signal: number | undefined,
    onEnd: SessionDeps["onEnd"],
  ): Promise<SessionEnd> {
    this.#gone = true;
    this.#watch.close();
    const { id } = this.identity;
    // Ends processes that the agent left running: they would be invisible, and the workspace could not be removed.
    const gone = await endProcesses({ sessionId: id }).catch(() => false);
    await this.tail.close();
    if (!gone) this.#log.error({ sessionId: id }, "processes of an ended agent session could not be ended");
    const end = endOf(exitCode, signal, this.#endedFromOutside);
    await onEnd(end).catch((error) =>
      this.#log.error({ err: error, sessionId: id }, "the end of an agent session could not be recorded"),
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
