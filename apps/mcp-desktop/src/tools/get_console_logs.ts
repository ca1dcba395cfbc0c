import { timeoutSignal, untilAborted } from "@grove/signals";
import * as z from "zod";
import { matches } from "../access/wildcard";
import { type Entry, levels } from "../cdp/consoleLog";
import { desktopTool } from "../desktopTool";
import { firstLines, pluralize } from "../text";
import { integerWithin, optionalText, readAnnotations, windowId, withDefault } from "./inputs";

/** The maximum length of the output, whatever is requested. */
const MAX_CHARACTERS = 30_000;

export const getConsoleLogs = desktopTool({
  name: "get_console_logs",
  title: "Console logs",
  description: "Lists what the page logged, errors and failed requests, newest last.",
  annotations: { ...readAnnotations, idempotentHint: false },
  input: z.strictObject({
    level: withDefault(z.enum(levels), "debug").describe("Or more severe"),
    limit: withDefault(integerWithin(1, 1_000), 50).describe("The newest 50"),
    since: integerWithin(0, Number.MAX_SAFE_INTEGER).optional().describe("After this id"),
    pattern: optionalText(500).describe("With this; * is anything"),
    clear: withDefault(z.boolean(), false).describe("Clear after"),
    windowId,
  }),
  async run({ level, limit, since = 0, pattern, clear, windowId }, { desktop, signal }) {
    const page = await desktop.page(windowId, signal);
    await desktop.checkOrigin(page, signal);
    // Earlier entries come with the connection, unless the page hangs; then the existing entries are shown.
    if (!page.crashed) await untilAborted(page.ready, timeoutSignal(2_000, signal)).catch(() => undefined);
    signal.throwIfAborted();
    const log = page.console;
    const minLevel = levels.indexOf(level);
    const found = log.entries.filter(
      (entry) =>
        entry.id > since &&
        levels.indexOf(entry.level) >= minLevel &&
        (pattern === undefined || matches(entry.text, pattern)),
    );
    const shown = newestWithinLimit(found.slice(-limit));
    const facts = [
      pluralize(found.length, "entry", "entries"),
      ...(shown.length < found.length ? [`the last ${shown.length} shown (truncated)`] : []),
      ...(log.dropped > 0 ? [`${log.dropped} older dropped`] : []),
    ];
    if (clear) log.clear();
    return [`${facts.join(", ")}.`, ...shown].join("\n");
  },
});

/** The newest lines that fit. */
const newestWithinLimit = (entries: readonly Entry[]): string[] =>
  firstLines(entries.map(lineOf).toReversed(), MAX_CHARACTERS).toReversed();

const lineOf = ({ id, time, level, text, source }: Entry): string => {
  const at = new Date(time).toISOString().slice(11, 23);
  return `${id} ${at} ${level} ${text.replace(/\n/g, "\n  ")}${source ? ` (${source})` : ""}`;
};
