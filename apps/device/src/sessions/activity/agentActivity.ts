import { randomUUID } from "node:crypto";
import type { ActivityState, AgentAnswer } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import type { HookEvent } from "../../hooks/hookServer";
import type { InjectedHooks } from "../../hooks/inject";
import type { StateReport } from "../reporting/outputReporter";
import { ActivityTracker } from "./activityTracker";
import { ageOf, describeRequest, questionsOf } from "./describeRequest";
import type { RecordedState } from "./recordFile";

/** The moments of an agent's turn. The start of a session counts as the start of a turn. */
export type TurnMoment = "start" | "end";

export interface AgentActivityDeps {
  /** Sends the state to the API. It keeps only the newest. */
  report: (state: StateReport) => void;
  /** Called when the session may begin or stop to count as waiting for input, or `mayBeDone` may have changed. */
  onChange: () => void;
  redact: (text: string) => string;
  /** Called when a turn of the agent begins, if the agent reports that, and when it has ended. */
  onTurn: (moment: TurnMoment) => void;
  /** Whether the agent takes answers from its hook. Older ones ignore them. */
  takesAnswers: () => Promise<boolean>;
  /** The hooks with which the agent was started. */
  hooks: Pick<InjectedHooks, "answerFormat" | "holdMs"> | undefined;
}

/** A person who typed within this time counts as still at the terminal. */
const ATTENDED_MS = 10_000;

/** Return, Escape, or one character: not an arrow, which only moves the mark. */
const isAnswerKey = (text: string) => text.length === 1;

/** The state of a session's agent, its open requests, and the answers to them. */
export class AgentActivity {
  readonly #deps: AgentActivityDeps;
  readonly #tracker: ActivityTracker;
  #isDone = false;
  #isInTurn = false;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** Undefined until the agent's version is known. */
  #takesAnswers: boolean | undefined;

  constructor(deps: AgentActivityDeps) {
    this.#deps = deps;
    this.#tracker = new ActivityTracker(() => this.#report(), deps.hooks !== undefined);
    this.#report();
    void deps.takesAnswers().then((takes) => {
      this.#takesAnswers = takes;
      if (takes) this.#report();
      else for (const { id } of this.#tracker.requests.all) this.#tracker.onUnanswerable(id);
    });
  }

  /** Whether the session may count as waiting for input. */
  get mayWait(): boolean {
    return this.#tracker.mayWait;
  }

  /** Whether the turn is done if the terminal waits. */
  get mayBeDone(): boolean {
    return this.#tracker.mayBeDone;
  }

  get state(): ActivityState {
    return this.#tracker.current.state;
  }

  /** Call it when the terminal begins to wait for input, by its silence, and when it no longer does. */
  onScreen(isWaiting: boolean, isAtChoice = false): void {
    this.#tracker.onScreen(isWaiting, isAtChoice);
  }

  onRecord(state: RecordedState, limitedUntil?: number): void {
    this.#tracker.onRecord(state, limitedUntil);
    this.#deps.onChange();
  }

  onHook({ at, input, held }: HookEvent): void {
    if (input.hook_event_name !== "PermissionRequest" || !held) {
      this.#tracker.onHook(input, at);
      return;
    }
    const id = randomUUID();
    // A hook of a subagent in the background would hold up its work, since no prompt is shown beside it.
    const mayHold =
      input.agent_id === undefined &&
      input.is_answerable !== false &&
      this.#takesAnswers !== false &&
      !this.#isAttended;
    if (!mayHold) held.release();
    this.#tracker.onRequest({ id, asked: input, askedAt: at, held: mayHold ? held : undefined });
    if (!mayHold) return;
    const { holdMs } = this.#deps.hooks ?? {};
    const timer = holdMs && setTimeout(() => this.#tracker.onUnanswerable(id), holdMs);
    void held.ended.then(() => clearTimeout(timer));
    void held.ended.then((end) => {
      // The request was released before it ended.
      if (this.#tracker.requests.find(id)?.held !== held) return;
      if (end === "gave_up") this.#tracker.onUnanswerable(id);
      else this.#tracker.onSettled(id);
    });
  }

  /**
   * Call it when a person has typed in the terminal. An agent that shows no prompt of its own while its hook runs gets
   * the request back; the next key that can answer its prompt counts as the answer.
   */
  onTyped(text: string): void {
    if (this.#deps.hooks?.holdMs === undefined) return;
    this.#typedAt = performance.now();
    for (const { id, held } of this.#tracker.requests.all)
      if (held) this.#tracker.onUnanswerable(id);
      else if (isAnswerKey(text)) this.#tracker.onSettled(id);
  }

  /** Whether a person uses the terminal of an agent that would show no prompt there. */
  get #isAttended(): boolean {
    return this.#deps.hooks?.holdMs !== undefined && performance.now() - this.#typedAt < ATTENDED_MS;
  }

  /**
   * Answers an open request.
   * @throws {CommandFailure} `request_gone`: nothing was answered; `answer_unconfirmed`: perhaps it was
   */
  async answer(requestId: string, answer: AgentAnswer): Promise<void> {
    const request = this.#tracker.requests.find(requestId);
    if (!request?.held) throw requestGone();
    const questions = questionsOf(request.asked).map(({ question }) => question);
    const output = this.#deps.hooks?.answerFormat(answer, request.asked, questions);
    if (output === undefined) throw requestGone();
    const outcome = await request.held.answer(output);
    if (outcome === "not_printed") throw requestGone();
    if (outcome === "unknown")
      throw new CommandFailure(
        "answer_unconfirmed",
        "The agent's hook ended before it confirmed the answer, so the agent may or may not have it. Read its screen.",
      );
  }

  /**
   * Leaves an open request to the agent's own prompt.
   * @throws {CommandFailure} `request_gone`
   */
  release(requestId: string): void {
    if (!this.#tracker.requests.find(requestId)) throw requestGone();
    this.#tracker.onUnanswerable(requestId);
  }

  close(): void {
    this.#tracker.close();
  }

  #report(): void {
    const { redact, report, onChange, onTurn } = this.#deps;
    const { state, source, since, detail, limitedUntil } = this.#tracker.current;
    const now = Date.now();
    report({
      state,
      source,
      ageMs: ageOf(since, now),
      ...(detail !== undefined && { detail: redact(detail) }),
      ...(limitedUntil !== undefined && { limitedUntil: new Date(limitedUntil).toISOString() }),
      requests: this.#tracker.requests.all.map((request) => ({
        ...describeRequest(request, redact, now),
        // Older versions ignore answers, so none is offered until the version is known.
        ...(this.#takesAnswers !== true && { isAnswerable: false }),
      })),
    });
    onChange();
    const wasDone = this.#isDone;
    this.#isDone = state === "done";
    if (this.#isDone && !wasDone) onTurn("end");
    // By its screen, an agent that has paused would seem to begin another turn.
    if (source === "screen") return;
    const wasInTurn = this.#isInTurn;
    this.#isInTurn = isInTurn(state) ?? wasInTurn;
    if (this.#isInTurn && !wasInTurn) onTurn("start");
  }
}

/** Whether an agent is in a turn. Undefined at a usage limit, which may interrupt one. */
function isInTurn(state: ActivityState): boolean | undefined {
  if (state === "limited") return undefined;
  return state === "working" || state === "needs_permission" || state === "needs_answer";
}

/** @throws {CommandFailure} `request_gone` for a session without a coding agent, which has no requests */
export function requireActivity({ activity }: { activity: AgentActivity | undefined }): AgentActivity {
  if (activity) return activity;
  throw requestGone();
}

const requestGone = () =>
  new CommandFailure(
    "request_gone",
    "The agent no longer waits for this answer: its own prompt was answered, or it ended. Read its screen.",
  );
