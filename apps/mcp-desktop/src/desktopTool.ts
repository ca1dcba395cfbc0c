import { AuthenticationRequired, defineTool, type Tool, type ToolContent, ToolError } from "@grove/mcp";
import { isTimeLimit, linkedSignal, timeoutSignal } from "@grove/signals";
import type * as z from "zod";
import {
  checkHandlesMessages,
  checkResponsive,
  PENDING_MS,
  revive,
  SILENT_MS,
  unresponsive,
  waitUntilAttached,
} from "./browser/responsiveness";
import { type DialogAnswer, nameOf } from "./cdp/dialogs";
import { DocumentGone, FrameSilent, ProtocolError } from "./cdp/errors";
import type { Page } from "./cdp/page";
import { pageCrashed } from "./cdp/windowErrors";
import type { Desktop } from "./desktop";

/** The context of a tool's handler. */
export interface Call {
  readonly desktop: Desktop;
  /** Aborted when the client cancels, when the call's time is over, and by `giveUp`. */
  readonly signal: AbortSignal;
  /** Ends the call, and everything that it waits for, with this failure. */
  giveUp(why: ToolError): void;
}

/**
 * Delays the check that aborts a call. An action that leads to a slow page reports it after five seconds, and a little
 * later on a busy machine.
 */
const ACTION_GRACE_MS = 400;

/** One or more lines of text for a model, or text and an image. */
type Answer = string | readonly ToolContent[];

/** Time that a handler may take in addition to the requested waits. */
const MARGIN_MS = 10_000;

type DesktopTool<Input extends z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Tool<Desktop>["annotations"];
  readonly input: Input;
  run(input: z.output<Input>, call: Call): Promise<Answer>;
};

/**
 * Defines a tool that answers in text made for a model. Every call ends within the `timeoutMs` of its input (5 s if it
 * has none) plus ten seconds. Secrets are removed from every text; notes about what else happened are appended.
 */
export function desktopTool<Input extends z.ZodObject>(tool: DesktopTool<Input>): Tool<Desktop> {
  return defineTool({
    ...tool,
    async run(input: z.output<Input>, context: { app: Desktop; signal: AbortSignal }) {
      const desktop = context.app;
      const { timeoutMs = 5_000 } = input as { timeoutMs?: number };
      const ending = new AbortController();
      const signal = timeoutSignal(timeoutMs + MARGIN_MS, context.signal, ending);
      const giveUp = (why: ToolError) => ending.abort(why);
      try {
        const answer = await tool.run(input, { desktop, signal, giveUp });
        const content: readonly ToolContent[] =
          typeof answer === "string" ? [{ type: "text", text: answer }] : answer;
        return withNotes(content, await desktop.takeNotes(signal)).map((entry) =>
          entry.type === "text" ? { ...entry, text: desktop.redact(entry.text) } : entry,
        );
      } catch (error) {
        throw redacted(explained(error, signal, timeoutMs + MARGIN_MS), desktop);
      }
    },
  });
}

function withNotes(content: readonly ToolContent[], notes: readonly string[]): readonly ToolContent[] {
  const [first, ...rest] = content;
  if (notes.length === 0 || first?.type !== "text") return content;
  return [{ type: "text", text: [first.text, ...notes].join("\n") }, ...rest];
}

/** Turns a failure into one that the caller can understand. */
function explained(error: unknown, signal: AbortSignal, ms: number): unknown {
  if (isTimeLimit(signal) && error === signal.reason)
    return new ToolError("timed_out", `The app did not answer within ${ms / 1000} s`, "Call again.");
  if (error instanceof FrameSilent)
    return new ToolError(
      "frame_unresponsive",
      "The frame does not answer",
      "It may be stuck in a loop; the rest of the page can be used, and a reload starts it again.",
    );
  if (error instanceof DocumentGone)
    return new ToolError(
      "page_navigated",
      "The page went to another document in the middle of the call",
      "Read it with inspect_dom, then call again.",
    );
  if (error instanceof ProtocolError)
    return new ToolError(
      "browser_refused",
      `The app's browser refused ${error.method}: ${error.reason}`,
      "Try again.",
    );
  return error;
}

function redacted(error: unknown, desktop: Desktop): unknown {
  if (!(error instanceof ToolError) || error instanceof AuthenticationRequired) return error;
  return new ToolError(error.code, desktop.redact(error.message), desktop.redact(error.nextStep));
}

interface PageInput extends DialogAnswer {
  readonly windowId?: string | undefined;
}

/**
 * Works on a window. Refuses one that has crashed, is off the allowed origins, or has an open dialog. Reports the
 * dialogs and windows that opened during the call.
 * @param isBounded whether the work ends by itself even if the page navigates
 */
export async function onPage<T>(
  { desktop, signal, giveUp }: Call,
  input: PageInput,
  work: (page: Page) => Promise<T>,
  { revives = false, isBounded = false } = {},
): Promise<T> {
  const page = await desktop.page(input.windowId, signal);
  const link = await desktop.link(signal);
  if (!revives) {
    if (page.crashed) throw pageCrashed(page.windowId);
    await desktop.checkOrigin(page, signal);
  }
  requireNoDialog(page, input);
  const dialogs = page.dialogs.begin(input);
  const finished = new AbortController();
  const giveUpUnless = (answering: Promise<void>) =>
    answering.catch((error: unknown) => {
      if (!finished.signal.aborted && error instanceof ToolError) giveUp(error);
    });
  /** Gives the call up if the page stops answering. */
  const check = () =>
    giveUpUnless(checkResponsive(page, link, linkedSignal(signal, finished), ACTION_GRACE_MS));
  const checkUnlessRevived = () => {
    if (!revives) void check();
  };
  const stops = [link.onPrint(checkUnlessRevived), link.onDialog(checkUnlessRevived)];
  try {
    if (revives) await revive(page, link, signal);
    if (!page.crashed) await waitUntilAttached(page, link, signal);
    if (!revives) await checkResponsive(page, link, signal);
    if (!revives) void giveUpUnless(checkHandlesMessages(page, link, linkedSignal(signal, finished)));
    if (!revives && !isBounded) watchNavigation(page, check, finished.signal).catch(() => undefined);
    const result = await work(page);
    page.isSilent = false;
    await dialogs.expected();
    return result;
  } catch (error) {
    // A call that was given up reports the reason, not the error of one of its waits.
    const reason = signal.reason instanceof ToolError ? signal.reason : error;
    const failure = isTimeLimit(signal) && error === signal.reason ? unresponsive(page, link) : reason;
    if (!(failure instanceof ToolError)) throw failure;
    throw new ToolError(failure.code, failure.message, [failure.nextStep, ...dialogs.take()].join(" "));
  } finally {
    finished.abort();
    for (const stop of stops) stop();
    desktop.note(...dialogs.take(), ...page.notes.splice(0));
    dialogs.end((note) => desktop.note(note));
  }
}

/**
 * Calls `check` when the page begins to navigate, and once more if it still navigates: the browser holds messages back
 * only after a moment, so the first check may pass.
 */
async function watchNavigation(page: Page, check: () => Promise<void>, finished: AbortSignal): Promise<void> {
  const { navigation } = page;
  while (!finished.aborted) {
    await navigation.until(() => navigation.pending !== undefined, finished);
    await check();
    await navigation
      .until(() => navigation.pending === undefined, timeoutSignal(PENDING_MS - SILENT_MS, finished))
      .catch(() => undefined);
  }
}

function requireNoDialog(page: Page, { dialog }: DialogAnswer): void {
  const { open } = page.dialogs;
  if (!open || dialog !== undefined) return;
  throw new ToolError(
    "dialog_open",
    `${nameOf(open)} is open, and the page waits for it`,
    `Answer it: inspect_dom({"dialog":"accept"}) or "dismiss"${open.type === "prompt" ? ", with its answer as promptText" : ""}.`,
  );
}
