import { stat } from "node:fs/promises";
import { ToolError } from "@grove/mcp";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import type { Field } from "../page/typing/field";
import { pluralize } from "../text";
import { awaitFrames } from "./awaitFrames";
import { sendInput } from "./delivery";
import { readKeys } from "./keyboard";
import { isInserted, MAX_TYPED, pressChord, typeText as typeKeys, typeParagraphs } from "./keys";
import { isMac } from "./platform";

/** The text to put into a field. */
export interface TextInput {
  readonly text: string;
  readonly clearFirst: boolean;
}

/** @returns what was done, without the full stop */
export async function enterText(
  page: Page,
  frame: Frame,
  field: Field,
  given: TextInput,
  signal: AbortSignal,
): Promise<string> {
  page.topFrameUrl.check();
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
      "Click it, then call type_text without ref, selector or testId.",
    );
  if (field.kind === "editor" && !field.hasSelection) await selectIn(page, clearFirst, signal);
  if (text !== "") await insertText(page, frame, field, text, signal);
  else if (clearFirst)
    for (const chord of readKeys(["Delete"], false)) await pressChord(page.session, chord, false, signal);
  const typed = Array.from(text).length;
  const actionText = text === "" && clearFirst ? "Cleared" : `Typed ${pluralize(typed, "character")} into`;
  return `${actionText} ${description}${await differenceOf(page, frame, field, given, signal)}`;
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
  await (isInserted(text, isRegion) ? send() : sendInput(page, "keys", send, signal));
}

/** How the text that a field holds now differs from the typed text; empty if it does not, or that cannot be seen. */
async function differenceOf(
  page: Page,
  frame: Frame,
  { ref, kind, isRegion }: Field,
  { text, clearFirst }: TextInput,
  signal: AbortSignal,
): Promise<string> {
  if (kind === "editor") return "";
  // An editor may render its text only with the next frame.
  if (isRegion) await awaitFrames(page, 2, signal);
  const holdsText = await frame.call("holdsText", [ref, text, clearFirst], signal).catch(() => undefined);
  if (holdsText === true) return "";
  const length = await frame.call("lengthOf", [ref], signal).catch(() => undefined);
  const typed = Array.from(text).length;
  if (length === undefined) return "";
  if (holdsText === false)
    return ` (it now holds ${length} characters, and not ${clearFirst ? "just " : ""}that text)`;
  return length !== typed && (clearFirst || length < typed) ? ` (it now holds ${length} characters)` : "";
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
    throw new ToolError("stale_ref", `${description} no longer exists`, "Get new refs from inspect_dom.");
  await frame.session.send("DOM.setFileInputFiles", { files, objectId }, signal);
  return `Chose ${pluralize(files.length, "file")} in ${description}`;
}
