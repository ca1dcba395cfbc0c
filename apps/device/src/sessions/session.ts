import type { Screen } from "@grove/terminal";
import type { IPty } from "@lydell/node-pty";
import type { Log } from "../log";
import type { AgentActivity, AgentActivityDeps } from "./activity/agentActivity";
import { isSameChoice, pasted, requireAnswers, typedForm } from "./activity/answer";
import { choiceOn } from "./activity/choice";
import { questionTextOf } from "./activity/questionText";
import { notReady } from "./notReady";
import { PendingPrompt } from "./pendingPrompt";
import { endProcesses, type SessionMark } from "./process/processes";
import type { OutputReporter, SessionEnd } from "./reporting/outputReporter";
import { endOf } from "./sessionEnd";
import { Keyboard } from "./terminal/keyboard";
import { ScreenNumber } from "./terminal/screenNumber";
import { Tail } from "./terminal/tail";
import { takesInput } from "./terminal/terminal";
import { WaitingWatch } from "./terminal/waitingWatch";

export interface SessionIdentity {
  id: string;
  workspaceId: string;
  agent: string;
  startedAt: string;
  /** The user who started the session. */
  startedBy?: string | null | undefined;
}

export interface SessionDeps {
  identity: SessionIdentity;
  terminal: IPty;
  screen: Screen;
  /** Creates the session's reporter. */
  reporter: (screenAsOutput: () => Promise<string>) => OutputReporter;
  log: Log;
  /** The prompt, if it is typed into the terminal instead of passed as an argument. */
  typedPrompt: string | undefined;
  /** Follows what the agent does. Undefined for a plain terminal, which waits for its user most of the time. */
  activity: ((deps: Pick<AgentActivityDeps, "report" | "onChange">) => AgentActivity) | undefined;
  /** Saves the end to disk before it is reported. */
  onEnd: (end: SessionEnd) => Promise<void>;
}

/** A running agent: its terminal, its output, whether it waits, and its end. */
export class Session {
  readonly identity: SessionIdentity;
  readonly pid: number;
  readonly tail: Tail;
  readonly reporter: OutputReporter;
  /** Resolves when all processes of the session have ended and its end is being reported. */
  readonly ended: Promise<SessionEnd>;
  readonly #terminal: IPty;
  readonly #log: Log;
  readonly #watch: WaitingWatch;
  readonly #keyboard = new Keyboard((text) => {
    this.#watch.touch();
    this.#number.onTyped();
    this.reporter.onTyped();
    if (!this.#hasExited) this.#terminal.write(text);
  });
  readonly activity: AgentActivity | undefined;
  readonly #prompt: PendingPrompt;
  readonly #number = new ScreenNumber();
  /** Whether the agent's own process has exited. After that, another process may get its pid. */
  #hasExited = false;
  #endedFromOutside: "stopped" | "interrupted" | undefined;

  constructor({ identity, terminal, screen, reporter, log, typedPrompt, activity, onEnd }: SessionDeps) {
    this.identity = identity;
    this.pid = terminal.pid;
    this.#terminal = terminal;
    this.#log = log;
    this.tail = new Tail(screen, terminal);
    this.reporter = reporter(() => this.tail.asOutput());
    this.#prompt = new PendingPrompt(typedPrompt, {
      keyboard: this.#keyboard,
      tail: this.tail,
      onDropped: (notice) => this.reporter.output(notice),
    });
    this.#watch = new WaitingWatch(
      this.pid,
      (waiting) => this.#onWaiting(waiting),
      () => {
        if (this.#prompt.isPending) return "prompt";
        return this.activity?.mayBeDone ? "turn_end" : "any_time";
      },
    );
    this.activity = activity?.({
      report: (state) => this.reporter.state(state),
      onChange: () => {
        this.#watch.checkAgain();
        void this.#reportWaiting();
      },
    });
    terminal.onData((text) => this.#onOutput(text));
    this.ended = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) => {
      terminal.onExit(resolve);
    }).then(({ exitCode, signal }) => this.#onExit(exitCode, signal || undefined, onEnd));
  }

  /** Whether the terminal seems to wait, and the agent does not report that it works. */
  get waitingForInput(): boolean {
    return this.#watch.waiting && this.activity?.mayWait !== false;
  }

  /**
   * Types text. Resolves when that is done.
   * @param screen the number of the screen that its author saw; `live` for keys of a person who watches the terminal
   * @throws {CommandFailure} `screen_changed`, `screen_not_given`, `choice_shown`: nothing was typed
   */
  type(text: string, screen: number | "live" | undefined): Promise<void> {
    if (screen === "live") {
      this.activity?.onTyped(text);
      return this.#keyboard.type(text);
    }
    let before: readonly string[] = [];
    return this.#keyboard.type({
      text: async () => {
        before = await this.tail.upToDate();
        const number = this.#number.of(before);
        requireAnswers(text, screen, { lines: before, number, waiting: this.#watch.waiting });
        return typedForm(text, this.tail.bracketedPaste);
      },
      // The key may have answered the choice, and the screen may already show the next one.
      mayReturn: async () => !choiceOn(before) || isSameChoice(before, await this.tail.visible()),
    });
  }

  /**
   * Gives the agent a prompt as one paste and Return, if it has nothing to do at that moment.
   * @throws {CommandFailure} `agent_working`, `agent_needs_input`, `not_an_agent`, `session_ended`: nothing was typed
   */
  givePrompt(prompt: string): Promise<void> {
    return this.#keyboard.type({
      text: async () => {
        const isAtChoice = choiceOn(await this.tail.upToDate()) !== undefined;
        this.requireReady();
        if (isAtChoice) throw notReady("needs_answer");
        return `${pasted(prompt, this.tail.bracketedPaste)}\r`;
      },
    });
  }

  /** @throws {CommandFailure} as {@link givePrompt} */
  requireReady(): void {
    if (this.#hasExited) throw notReady("ended");
    const state = this.activity?.state ?? "none";
    if (state !== "idle" && state !== "done") throw notReady(state);
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
    const allEnded = await endProcesses(this.#mark, graceMs);
    if (allEnded) await this.ended;
    return allEnded;
  }

  get #mark(): SessionMark {
    return { sessionId: this.identity.id, leader: this.#hasExited ? undefined : this.pid };
  }

  #onOutput(text: string): void {
    this.tail.add(text);
    this.reporter.output(text);
    this.#watch.touch();
  }

  #onWaiting(waiting: boolean): void {
    if (!waiting) {
      this.activity?.onScreen(false);
      void this.#reportWaiting();
    } else
      void this.#prompt.type().then(async (isTyped) => {
        const isAtChoice = choiceOn(await this.tail.visible()) !== undefined;
        // A choice is shown before the prompt can be typed, such as whether to trust the directory.
        if (!isTyped && this.#watch.waiting) this.activity?.onScreen(true, isAtChoice);
        return this.#reportWaiting();
      });
  }

  /** Reports whether the session waits for input. A plain terminal never does. */
  async #reportWaiting(): Promise<void> {
    const isWaiting = () => this.waitingForInput && !this.#prompt.isBeingTyped && this.activity !== undefined;
    if (!isWaiting()) return this.reporter.waiting(undefined);
    const screen = await this.screenNumber();
    if (isWaiting()) this.reporter.waiting({ questionText: questionTextOf(this.tail.lastLines()), screen });
  }

  async #onExit(
    exitCode: number,
    signal: number | undefined,
    onEnd: SessionDeps["onEnd"],
  ): Promise<SessionEnd> {
    this.#hasExited = true;
    this.#watch.close();
    this.activity?.close();
    const { id } = this.identity;
    // Ends processes that the agent left running: they would be invisible, and the workspace could not be removed.
    const allEnded = await endProcesses({ sessionId: id }).catch(() => false);
    await this.reporter.catchUp();
    await this.tail.close();
    if (!allEnded)
      this.#log.error({ sessionId: id }, "processes of an ended agent session could not be ended");
    const end = endOf(exitCode, signal, this.#endedFromOutside);
    await onEnd(end).catch((error) =>
      this.#log.error({ err: error, sessionId: id }, "the end of an agent session could not be recorded"),
    );
    this.reporter.end(end);
    this.#log.info({ sessionId: id, agent: this.identity.agent, ...end }, "agent session ended");
    return end;
  }
}
