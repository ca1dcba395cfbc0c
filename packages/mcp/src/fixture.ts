import * as z from "zod";
import { AuthenticationRequired, ToolError } from "./errors";
import { createLogger, type Logger } from "./log";
import { createServer, describeTool, type ToolServer } from "./server";
import { defineTool, type ToolContext } from "./tool";

/** A small server for this package's tests, with one tool for each way a call can end. */

export interface Notes {
  readonly words: string[];
  /**
   * Without it, every caller is admitted.
   * @throws {AuthenticationRequired} for a caller that may not use any tool
   */
  readonly admit?: () => Promise<void>;
}

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const echo = defineTool({
  name: "echo",
  title: "Echo",
  description: "Gives back what it was given. Use it to see that the server answers.",
  annotations: { ...annotations, readOnlyHint: false },
  input: z.strictObject({
    word: z.string().min(1).max(5).describe("What to say"),
    times: z.number().int().min(0).max(3).default(1).describe("How often"),
    marks: z
      .array(z.strictObject({ sign: z.enum(["!", "?"]).describe("The mark") }))
      .max(2)
      .optional()
      .describe("Punctuation"),
  }),
  output: z.strictObject({ words: z.array(z.string()), marks: z.number().nullable() }),
  async run({ word, times, marks }, { app }: ToolContext<Notes>) {
    app.words.push(word);
    return { words: Array.from({ length: times }, () => word), marks: marks?.length ?? null };
  },
});

const show = defineTool({
  name: "show",
  title: "Show",
  description: "Answers in entries of its own.",
  annotations,
  input: z.strictObject({}),
  async run(_input, _context: ToolContext<Notes>) {
    return [
      { type: "text", text: "a picture" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ];
  },
});

const fail = defineTool({
  name: "fail",
  title: "Fail",
  description: "Fails in the way it is told.",
  annotations,
  input: z.strictObject({ how: z.enum(["told", "signed_out", "crash", "extra_key"]).describe("The way") }),
  output: z.strictObject({ ok: z.boolean() }),
  async run({ how }, _context: ToolContext<Notes>) {
    if (how === "told") throw new ToolError("not_today", 'There is no "today"', "Try tomorrow.");
    if (how === "signed_out") throw new AuthenticationRequired();
    if (how === "crash") throw new Error("secret: hunter2");
    const surprise = { ok: true, extra: 1 };
    return surprise;
  },
});

const wait = defineTool({
  name: "wait",
  title: "Wait",
  description: "Reports progress, then waits until it is canceled.",
  annotations,
  input: z.strictObject({}),
  output: z.strictObject({}),
  async run(_input, { app, log, progress, signal }: ToolContext<Notes>) {
    progress("first");
    progress("second", 0.5);
    progress("third", 0.25);
    log.info("waiting");
    // An open handle, which would keep the process alive.
    const handle = setInterval(() => undefined, 1_000);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    app.words.push("aborted");
    log.info("aborted");
    // With "stay" the handler never ends; the process must end anyway.
    if (!app.words.includes("stay")) clearInterval(handle);
    else await new Promise(() => undefined);
    signal.throwIfAborted();
    return {};
  },
});

export const fixtureTools = [echo, show, fail, wait];

export function fixtureServer(notes: Notes, log: Logger = createLogger("silent")): ToolServer {
  return createServer({
    name: "fixture",
    version: "1.2.3",
    instructions: "Say hello first.",
    tools: fixtureTools.map(describeTool),
    load: async () => ({ tools: fixtureTools, app: notes, ...(notes.admit && { admit: notes.admit }) }),
    log,
  });
}
