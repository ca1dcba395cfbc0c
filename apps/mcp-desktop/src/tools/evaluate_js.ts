import { ToolError } from "@grove/mcp";
import { timeoutSignal, untilAborted } from "@grove/signals";
import type { Protocol } from "devtools-protocol";
import * as z from "zod";
import { revive, unresponsive } from "../browser/responsiveness";
import { isDocumentGoneError } from "../cdp/errors";
import type { Page } from "../cdp/page";
import { type Call, desktopTool, onPage } from "../desktopTool";
import describeValue from "../page/describeValue?script";
import { cutMarked } from "../text";
import { dialog, textWithin, timeoutMs, windowId, writeAnnotations } from "./inputs";

/** The maximum number of characters shown of a value. */
const MAX_CHARACTERS = 20_000;

/** Timeout for the page to start code whose own time is over. */
const BEGIN_MS = 1_000;

export const evaluateJs = desktopTool({
  name: "evaluate_js",
  title: "Evaluate",
  description: "Runs JavaScript in the page; returns the last value as JSON. await and return work.",
  annotations: writeAnnotations,
  input: z.strictObject({
    code: textWithin(1_000_000).describe("Expression or statements"),
    timeoutMs: timeoutMs.describe("Time limit"),
    dialog,
    windowId,
  }),
  run: (given, call) => onPage(call, given, (page) => run(page, given, call), { isBounded: true }),
});

async function run(page: Page, given: { code: string; timeoutMs: number }, call: Call): Promise<string> {
  const signal = timeoutSignal(Math.max(1, given.timeoutMs), call.signal);
  page.dialogs.act();
  // The page answers this when it gets to the code, which may be a moment after the time is over.
  const probe = page.session.send("Runtime.evaluate", { expression: "1" }, call.signal).then(
    () => true,
    () => false,
  );
  try {
    const { result, exceptionDetails } = await evaluate(page, given.code, signal);
    if (exceptionDetails) throw thrown(exceptionDetails);
    return await describe(page, result, signal);
  } catch (error) {
    if (signal.aborted && !call.signal.aborted) {
      const link = await call.desktop.link(call.signal);
      const late = timeoutSignal(BEGIN_MS, call.signal);
      if (!(await untilAborted(probe, late).catch(() => false))) throw unresponsive(page, link);
      // Code that keeps running would block the page.
      await revive(page, link, call.signal);
      throw tooLong(given.timeoutMs);
    }
    if (!isDocumentGoneError(error)) throw error;
    throw new ToolError(
      "page_navigated",
      "The page went to another document before the code had ended",
      "Its value is lost.",
    );
  }
}

async function evaluate(page: Page, code: string, signal: AbortSignal) {
  const common = { awaitPromise: true, userGesture: true, generatePreview: false };
  const result = await page.session.send(
    "Runtime.evaluate",
    { ...common, expression: code, replMode: true },
    signal,
  );
  // Outside a function, `return` is a syntax error, before anything has run.
  const syntax = result.exceptionDetails?.exception?.description ?? "";
  if (!/^SyntaxError: Illegal return/.test(syntax)) return result;
  const expression = `(async () => {${code}\n})()`;
  return page.session.send("Runtime.evaluate", { ...common, expression }, signal);
}

async function describe(
  page: Page,
  value: Protocol.Runtime.RemoteObject,
  signal: AbortSignal,
): Promise<string> {
  if (value.objectId === undefined) return capped(primitive(value));
  if (value.subtype === "promise")
    return describe(page, await settledValue(page, value.objectId, signal), signal);
  const { result } = await page.session.send(
    "Runtime.callFunctionOn",
    {
      objectId: value.objectId,
      functionDeclaration: `function (limit) { return ${describeValue}(this, limit); }`,
      arguments: [{ value: MAX_CHARACTERS }],
      returnByValue: true,
    },
    signal,
  );
  page.session.send("Runtime.releaseObject", { objectId: value.objectId }, signal).catch(() => undefined);
  return capped(String(result.value));
}

/** The evaluation itself does not await a promise that is the value of the last expression. */
async function settledValue(page: Page, promiseObjectId: string, signal: AbortSignal) {
  const { result, exceptionDetails } = await page.session.send(
    "Runtime.awaitPromise",
    { promiseObjectId },
    signal,
  );
  if (exceptionDetails) throw thrown(exceptionDetails);
  return result;
}

function primitive({ type, unserializableValue, description, value }: Protocol.Runtime.RemoteObject): string {
  if (type === "undefined") return "undefined";
  if (unserializableValue !== undefined)
    return type === "bigint" ? `${unserializableValue} (BigInt)` : unserializableValue;
  return type === "symbol" ? (description ?? "Symbol()") : JSON.stringify(value);
}

const capped = (text: string): string =>
  text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}… (truncated: ${text.length} characters; ask for a part of it)`;

function thrown({ text, exception }: Protocol.Runtime.ExceptionDetails): ToolError {
  const errorText = exception?.description ?? (exception ? primitive(exception) : text);
  const message = /^Uncaught/.test(text) && !exception ? text : errorText;
  return new ToolError("exception", cutMarked(message, 3_000), "The code threw it.");
}

const tooLong = (ms: number) =>
  new ToolError(
    "timed_out",
    `The code had not ended after ${ms} ms, and was stopped`,
    "Raise timeoutMs, or do less in one call.",
  );
