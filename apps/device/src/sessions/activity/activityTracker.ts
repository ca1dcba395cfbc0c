import type { ActivitySource, ActivityState } from "@grove/schemas";
import type { FailureHookInput, HookInput } from "../../hooks/event";
import { kindOf, titleOf } from "./describeRequest";
import { parseClaudeLimitEnd, validLimitEnd } from "./limitEnd";
import { type OpenRequest, OpenRequests } from "./openRequests";
import type { RecordedState } from "./recordFile";

/** The state of a session's agent. */
export interface CurrentActivity {
  state: ActivityState;
  source: ActivitySource;
  /** Milliseconds since 1970. */
  since: number;
  detail?: string | undefined;
  /** When the usage limit ends, in milliseconds since 1970, if the agent has reported that. */
  limitedUntil?: number | undefined;
}

type Settled = Omit<CurrentActivity, "source">;

/**
 * An agent that its hooks report as working may be silent while it thinks. After this it probably waits for an answer.
 */
const SILENT_MS = 30_000;
/** A turn that ended this long ago is no longer announced as done. */
const IDLE_AFTER_MS = 30 * 60_000;

/**
 * Follows what an agent does: by the events of its hooks if it has sent any, otherwise by whether its terminal seems to
 * wait. Hooks run side by side, so their events arrive in any order; the time at which each began orders them.
 */
export class ActivityTracker {
  readonly requests = new OpenRequests();
  readonly #onChange: () => void;
  readonly #now: () => number;
  #current: CurrentActivity;
  /** The state apart from open requests and guesses. */
  #turn: Settled;
  /** When the turn began or ended. Events that began earlier belong to the turn before. */
  #turnAt = 0;
  #hasHooks = false;
  /** Whether the agent's record is followed, which has no requests. */
  #hasRecord = false;
  #mayBeDone = false;
  #isWaiting = false;
  /** Whether the terminal waits at a choice, such as the agent's question whether a tool may run. */
  #isAtChoice = false;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the silence of a working agent has lasted {@link SILENT_MS}. */
  #isSilent = false;

  /** @param expectsHooks whether the agent was started with hooks */
  constructor(onChange: () => void, expectsHooks: boolean, now: () => number = Date.now) {
    this.#onChange = onChange;
    this.#now = now;
    this.#turn = { state: expectsHooks ? "starting" : "working", since: now() };
    this.#current = { ...this.#turn, source: "screen" };
  }

  get current(): CurrentActivity {
    return this.#current;
  }

  /** False while the agent reports that it is working or starting. `terminal/waitingWatch.ts` measures the silence. */
  get mayWait(): boolean {
    return this.#current.state !== "working" && this.#current.state !== "starting";
  }

  /** Whether the turn is done if the terminal waits. */
  get mayBeDone(): boolean {
    return this.#mayBeDone && !this.#hasHooks;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Call it when the terminal begins to wait for input, by its silence, and when it no longer does. */
  onScreen(isWaiting: boolean, isAtChoice = false): void {
    this.#isWaiting = isWaiting;
    this.#isAtChoice = isAtChoice;
    this.#isSilent = false;
    if (this.#isAtPrompt && this.mayBeDone) this.onRecord("done");
    else this.#update(this.#now());
  }

  onHook(input: HookInput, at: number): void {
    this.#hasHooks = true;
    if (at < this.#turnAt) return;
    const openBefore = this.requests.all.length;
    const settle = (turn: Omit<Settled, "since">) => {
      this.#turnAt = at;
      this.requests.clearUntil(at);
      this.#turn = { ...turn, since: at };
    };
    switch (input.hook_event_name) {
      case "SessionStart":
        if (this.#turn.state === "starting") settle({ state: "idle" });
        break;
      case "UserPromptSubmit":
        settle({ state: "working" });
        break;
      case "PostToolUse":
      case "PostToolUseFailure":
        this.requests.settle(input, at);
        this.#work(at);
        break;
      case "PreToolUse":
        this.#work(at);
        break;
      case "Stop":
        // A subagent's end does not end the turn. A turn with background tasks continues.
        if (input.agent_id !== undefined) break;
        settle({ state: input.background_tasks?.length ? "working" : "done" });
        break;
      case "StopFailure":
        if (input.agent_id === undefined) settle(failureOf(input));
        break;
      case "PermissionRequest":
      case "Notification":
        break;
    }
    this.#update(at, this.requests.all.length !== openBefore);
  }

  /** Handles a state from the agent's record. Ignored if the agent has hooks: they report more precisely. */
  onRecord(recorded: RecordedState, limitedUntil?: number): void {
    if (this.#hasHooks) return;
    const at = this.#now();
    this.#hasRecord = true;
    this.#mayBeDone = recorded === "perhaps_done" && !this.#isAtPrompt;
    const state = recorded !== "perhaps_done" ? recorded : this.#isAtPrompt ? "done" : "working";
    // An agent that is still working keeps the `since` of its first report.
    if (state !== "working" || this.#turn.state !== "working")
      this.#turn = { state, since: at, limitedUntil };
    this.#update(at);
  }

  get #isAtPrompt(): boolean {
    return this.#isWaiting && !this.#isAtChoice;
  }

  onRequest(request: OpenRequest): void {
    this.#hasHooks = true;
    // The turn has ended since the request. The hook of an open request would still be held.
    if (!request.held && request.askedAt < this.#turnAt) return;
    this.requests.add(request);
    this.#update(request.askedAt, true);
  }

  /** Call it when a request was answered. */
  onSettled(id: string): void {
    if (!this.requests.find(id)) return;
    this.requests.delete(id);
    this.#update(this.#now(), true);
  }

  /** Call it when a request can only be answered in the terminal. */
  onUnanswerable(id: string): void {
    const request = this.requests.find(id);
    if (!request?.held) return;
    const { held } = request;
    request.held = undefined;
    held.release();
    this.#update(this.#now(), true);
  }

  /** Marks the agent as working. Events older than the turn's state never come here: `onHook` drops them. */
  #work(at: number): void {
    if (this.#turn.state !== "working") this.#turn = { state: "working", since: at };
  }

  #update(at: number, haveRequestsChanged = false): void {
    clearTimeout(this.#timer);
    const next = this.#next(at);
    const { state, source, detail, limitedUntil } = this.#current;
    const isSame =
      next.state === state &&
      next.source === source &&
      next.detail === detail &&
      next.limitedUntil === limitedUntil;
    if (!isSame) this.#current = next;
    if (!isSame || haveRequestsChanged) this.#onChange();
    this.#schedule();
  }

  #next(at: number): CurrentActivity {
    const request = this.requests.newest;
    if (request) {
      const state = kindOf(request.asked) === "question" ? "needs_answer" : "needs_permission";
      return { state, source: "hook", since: request.askedAt, detail: titleOf(request.asked) };
    }
    const guess = (state: ActivityState): CurrentActivity =>
      this.#current.state === state && this.#current.source === "screen"
        ? this.#current
        : { state, source: "screen", since: at };
    if (!this.#hasHooks && (!this.#hasRecord || (this.#turn.state === "working" && this.#isWaiting)))
      return guess(this.#isWaiting ? "needs_answer" : "working");
    if (this.#turn.state === "working" && this.#isSilent) return guess("needs_answer");
    return { ...this.#turn, source: this.#hasHooks ? "hook" : "record" };
  }

  /** Schedules the next change that needs no event: a silent agent waits for input, a finished one becomes idle. */
  #schedule(): void {
    if (this.#hasHooks && this.#turn.state === "working" && this.#isWaiting && !this.#isSilent)
      this.#after(SILENT_MS, () => {
        this.#isSilent = true;
      });
    else if (this.#turn.state === "done")
      this.#after(IDLE_AFTER_MS, () => {
        // Keeps `since`: a user who saw the turn end has seen this state, too.
        this.#turn = { state: "idle", since: this.#turn.since };
      });
  }

  #after(ms: number, change: () => void): void {
    this.#timer = setTimeout(() => {
      change();
      this.#update(this.#now());
    }, ms).unref();
  }
}

/** The kinds of errors with which a turn ends (https://code.claude.com/docs/en/hooks#stopfailure). */
const LIMITS = ["rate_limit", "billing_error"];

function failureOf({ error, error_details, limited_until }: FailureHookInput): Omit<Settled, "since"> {
  if (error === undefined || !LIMITS.includes(error)) return { state: "failed", detail: error };
  const limitedUntil = validLimitEnd(limited_until ?? parseClaudeLimitEnd(error_details));
  return { state: "limited", detail: error, limitedUntil };
}
