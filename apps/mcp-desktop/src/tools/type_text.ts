import { stat } from "node:fs/promises";
import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { delivered } from "../actions/delivery";
import { drawn } from "../actions/drawn";
import { readKeys } from "../actions/keyboard";
import { isInserted, MAX_TYPED, pressChord, typeText as typeKeys, typeParagraphs } from "../actions/keys";
import { type Located, locate, waitFor } from "../actions/locate";
import { press } from "../actions/mouse";
import { isMac } from "../actions/platform";
import { acted, settled } from "../actions/settle";
import { desktopTool, onPage } from "../call";
import { DocumentGone } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import type { Field } from "../page/field";
import { changes, dialog, optionalText, ref, selector, tacit, testId, timeoutMs, windowId } from "./inputs";

const typed = z.string().max(100_000);
/** Fields of a form that one call fills in. */
const MAX_FIELDS = 100;

const input = z.strictObject({
  text: typed.optional().describe("Or an option, or file paths, one a line"),
  ref,
  selector,
  testId,
  fields: z
    .array(z.strictObject({ ref, selector, text: typed.describe("Text") }))
    .refine(({ length }) => length > 0 && length <= MAX_FIELDS, {
      error: `must have 1 to ${MAX_FIELDS} fields`,
    })
    .optional()
    .describe("Instead: all of a form"),
  clearFirst: tacit(z.boolean(), false).describe("Replace what is there"),
  submitKey: optionalText(50).describe("Then pressed: Enter"),
  timeoutMs: timeoutMs.describe("Wait for it"),
  dialog,
  windowId,
});
type Given = z.output<typeof input>;
type Input = Given & { readonly text: string };

export const typeText = desktopTool({
  name: "type_text",
  title: "Type text",
  description:
    "Types into a field (also select, date, file) by ref, selector or testId, otherwise the focused one, or into several. Appends, or replaces a selection, unless clearFirst.",
  annotations: changes,
  input,
  run: (given, call) =>
    onPage(call, given, (page) =>
      page.inTurn(async () => {
        const { signal } = call;
        const { text, fields } = given;
        if ((text === undefined) === (fields === undefined))
          throw new ToolError("invalid_input", "Either text or fields is needed", "Give one of them.");
        await page.emulateFocus(signal);
        if (fields) return typeForm(page, given, fields, signal);
        return typeInto(page, { ...given, text: text ?? "" }, signal);
      }, call.signal),
    ),
});

/** Types into one field after the other; the submit key is pressed in the last one. */
async function typeForm(
  page: Page,
  given: Given,
  fields: NonNullable<Given["fields"]>,
  signal: AbortSignal,
): Promise<string> {
  const lines: string[] = [];
  for (const [index, { ref, selector, text }] of fields.entries()) {
    const submitKey = index === fields.length - 1 ? given.submitKey : undefined;
    try {
      lines.push(
        await typeInto(page, { ...given, ref, selector, testId: undefined, text, submitKey }, signal),
      );
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const place = `Field ${index + 1} of ${fields.length}: ${error.message}`;
      throw new ToolError(error.code, place, [error.nextStep, "Before that:", ...lines].join("\n"));
    }
  }
  return lines.join("\n");
}

/** Types into one field, and presses the submit key. */
async function typeInto(page: Page, given: Input, signal: AbortSignal): Promise<string> {
  const mac = await isMac(page, signal);
  const submit = given.submitKey === undefined ? [] : readKeys([given.submitKey], mac);
  const { frame, field } = await findField(page, given, signal);
  // The result if the page navigates before it can report how much the field holds.
  let done = `Typed into ${field.description}`;
  const type = async (patience: AbortSignal) => {
    done = await enter(page, frame, field, given, patience);
  };
  // The text is in place when the keys have been answered. Only the effects of a submit key need a wait.
  const { navigation } = page;
  const { documents } = navigation;
  const led = await acted(page, type, signal);
  if (submit.length === 0) return [`${done}.`, ...led].join("\n");
  // The key is meant for the page that received the text.
  if (navigation.documents > documents || navigation.pending)
    return [`${done}, and did not press ${given.submitKey}.`, ...led].join("\n");
  const press = async (patience: AbortSignal) => {
    const send = async () => {
      for (const chord of submit) await pressChord(page.session, chord, mac, patience);
    };
    await delivered(page, "keys", send, patience);
  };
  const ledOn = await settled(page, press, signal);
  return [`${done} and pressed ${given.submitKey}.`, ...(ledOn.length > 0 ? ledOn : led)].join("\n");
}

async function findField(
  page: Page,
  given: Input,
  signal: AbortSignal,
): Promise<{ frame: Frame; field: Field }> {
  const { ref, selector, testId } = given;
  const typing = { selectAll: given.clearFirst };
  if (ref === undefined && selector === undefined && testId === undefined) {
    for (const frame of (await page.frames.separate(signal)).toReversed()) {
      const field = await focusedIn(frame, typing.selectAll, signal);
      if (field && field.kind !== "none") return { frame, field };
    }
    throw new ToolError("no_focus", "No field has the focus", "Name one by ref, selector or testId.");
  }
  const query = { ref, selector, testId, typing };
  const target = await locate(page, query, 0, waitFor(given.timeoutMs), signal);
  let { field } = target;
  if (!field || field.kind === "none") field = await clickInto(page, target, typing.selectAll, signal);
  if (!field || field.kind === "none")
    throw new ToolError(
      "not_editable",
      `${target.description} takes no text`,
      "Name a field; click is for buttons and boxes, drag for files to drop.",
    );
  if (field.readonly)
    throw new ToolError("readonly", `${field.description} is read-only`, "Make it editable first.");
  return { frame: target.frame, field };
}

/** Undefined if its document has been replaced in the meantime. */
async function focusedIn(frame: Frame, selectAll: boolean, signal: AbortSignal): Promise<Field | undefined> {
  try {
    return await frame.call("startTyping", [undefined, selectAll], signal);
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

/** For editors that create their field where the user clicks. */
async function clickInto(
  page: Page,
  { frame, x, y }: Located,
  selectAll: boolean,
  signal: AbortSignal,
): Promise<Field | undefined> {
  await press(page, x, y, { button: "left", count: 1, modifiers: [] }, signal);
  return frame.call("startTyping", [undefined, selectAll], signal);
}

/** @returns what was done, without the full stop */
async function enter(
  page: Page,
  frame: Frame,
  field: Field,
  given: Input,
  signal: AbortSignal,
): Promise<string> {
  page.whereabouts.check();
  const { ref, description } = field;
  const { text, clearFirst } = given;
  if (field.kind === "select") {
    const chosen = await frame.call("choose", [ref, text], signal);
    if (chosen.ok) return `Chose the option in ${description}`;
    throw new ToolError(
      "no_such_option",
      `${description} has no unique option that matches the text`,
      `It has: ${chosen.options.map((option) => JSON.stringify(option)).join(", ")}.`,
    );
  }
  if (field.kind === "value") {
    if (await frame.call("setValue", [ref, text], signal)) return `Set ${description}`;
    throw new ToolError(
      "bad_value",
      `${description} does not accept the text`,
      "A date is 2026-03-31, a time 09:30, a month 2026-03, a week 2026-W14, a colour #ff8800, a range a number.",
    );
  }
  if (field.kind === "file") return chooseFiles(frame, field, text, signal);
  if (!field.hasFocus)
    throw new ToolError(
      "no_focus",
      `${description} did not take the focus`,
      "Click it, then type without naming it.",
    );
  if (field.kind === "editor" && !field.hasSelection) await selectIn(page, clearFirst, signal);
  if (text !== "") await insertText(page, frame, field, text, signal);
  else if (clearFirst)
    for (const chord of readKeys(["Delete"], false)) await pressChord(page.session, chord, false, signal);
  const typed = Array.from(text).length;
  const what =
    text === "" && clearFirst ? "Cleared" : `Typed ${typed} character${typed === 1 ? "" : "s"} into`;
  return `${what} ${description}${await differenceOf(page, frame, field, given, signal)}`;
}

async function insertText(
  page: Page,
  frame: Frame,
  field: Field,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const { ref, kind, isRegion, breaksByEnter } = field;
  const hasLines = text.includes("\n");
  // Typed lines would be indented, and brackets closed, by an editor of code.
  if (kind === "editor" && text.length > 1 && (await frame.call("paste", [ref, text], signal))) return;
  if (breaksByEnter && hasLines) return typeParagraphs(page, text, signal);
  // The browser takes minutes for thousands of lines, which the field itself inserts immediately.
  if (text.length > MAX_TYPED && (await frame.call("insert", [ref, text], signal))) return;
  const send = () => typeKeys(page.session, text, isRegion, signal);
  await (isInserted(text, isRegion) ? send() : delivered(page, "keys", send, signal));
}

/** How the text that a field holds now differs from the typed text; empty if it does not, or that cannot be seen. */
async function differenceOf(
  page: Page,
  frame: Frame,
  { ref, kind, isRegion }: Field,
  { text, clearFirst }: Input,
  signal: AbortSignal,
): Promise<string> {
  if (kind === "editor") return "";
  // An editor may render its text only with the next frame.
  if (isRegion) await drawn(page, 2, signal);
  const holds = await frame.call("holds", [ref, text, clearFirst], signal).catch(() => undefined);
  if (holds === true) return "";
  const now = await frame.call("lengthOf", [ref], signal).catch(() => undefined);
  const typed = Array.from(text).length;
  if (now === undefined) return "";
  if (holds === false)
    return ` (it now holds ${now} characters, and not ${clearFirst ? "just " : ""}that text)`;
  return now !== typed && (clearFirst || now < typed) ? ` (it now holds ${now} characters)` : "";
}

/** By keys, selects everything in an editor whose text is not in the DOM, or puts the caret at its end. */
async function selectIn(page: Page, all: boolean, signal: AbortSignal): Promise<void> {
  const mac = await isMac(page, signal);
  const keys = all ? "ControlOrMeta+A" : mac ? "Meta+ArrowDown" : "Control+End";
  for (const chord of readKeys([keys], mac)) await pressChord(page.session, chord, mac, signal);
}

async function chooseFiles(frame: Frame, { ref, description }: Field, text: string, signal: AbortSignal) {
  const files = text.split("\n").filter((line) => line !== "");
  for (const [index, file] of files.entries())
    if (!(await stat(file).catch(() => undefined))?.isFile())
      throw new ToolError(
        "no_such_file",
        `Line ${index + 1} of the text names no file on this machine`,
        "Give full paths, one per line.",
      );
  const objectId = await frame.elementOf(ref, signal);
  if (objectId === undefined)
    throw new ToolError("stale_ref", `${description} is gone`, "Get new refs from inspect_dom.");
  await frame.session.send("DOM.setFileInputFiles", { files, objectId }, signal);
  return `Chose ${files.length} file${files.length === 1 ? "" : "s"} in ${description}`;
}
