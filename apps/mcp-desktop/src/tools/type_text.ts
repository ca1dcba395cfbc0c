import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { actAndAwaitFrame, actAndAwaitNavigation } from "../actions/actAndWait";
import { sendInput } from "../actions/delivery";
import { waitFor } from "../actions/elementWait";
import { enterText } from "../actions/enterText";
import { readKeys } from "../actions/keyboard";
import { pressChord } from "../actions/keys";
import { type Located, locate } from "../actions/locate";
import { press } from "../actions/mouse";
import { isMac } from "../actions/platform";
import { DocumentGone } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { desktopTool, onPage } from "../desktopTool";
import type { Field } from "../page/typing/field";
import {
  dialog,
  optionalText,
  ref,
  selector,
  testId,
  timeoutMs,
  windowId,
  withDefault,
  writeAnnotations,
} from "./inputs";

const typedText = z.string().max(100_000);
/** Fields of a form that one call fills in. */
const MAX_FIELDS = 100;

const input = z.strictObject({
  text: typedText.optional().describe("Or an option, or file paths, one a line"),
  ref,
  selector,
  testId,
  fields: z
    .array(z.strictObject({ ref, selector, text: typedText.describe("Text") }))
    .refine(({ length }) => length > 0 && length <= MAX_FIELDS, {
      error: `must have 1 to ${MAX_FIELDS} fields`,
    })
    .optional()
    .describe("Instead: all of a form"),
  clearFirst: withDefault(z.boolean(), false).describe("Replace the field's text"),
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
  annotations: writeAnnotations,
  input,
  run: (given, call) =>
    onPage(call, given, (page) =>
      page.runExclusive(async () => {
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
      const fieldText = `Field ${index + 1} of ${fields.length}: ${error.message}`;
      throw new ToolError(error.code, fieldText, [error.nextStep, "Before that:", ...lines].join("\n"));
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
  let doneText = `Typed into ${field.description}`;
  const type = async (timeout: AbortSignal) => {
    doneText = await enterText(page, frame, field, given, timeout);
  };
  // The text is in place once Chromium has acknowledged the keys. Only the effects of a submit key need a wait.
  const { navigation } = page;
  const { documents } = navigation;
  const typingNavigation = await actAndAwaitNavigation(page, type, signal);
  if (submit.length === 0) return [`${doneText}.`, ...typingNavigation].join("\n");
  // The key is meant for the page that received the text.
  if (navigation.documents > documents || navigation.pending)
    return [`${doneText}, and did not press ${given.submitKey}.`, ...typingNavigation].join("\n");
  const pressSubmit = async (timeout: AbortSignal) => {
    const send = async () => {
      for (const chord of submit) await pressChord(page.session, chord, mac, timeout);
    };
    await sendInput(page, "keys", send, timeout);
  };
  const submitNavigation = await actAndAwaitFrame(page, pressSubmit, signal);
  return [
    `${doneText} and pressed ${given.submitKey}.`,
    ...(submitNavigation.length > 0 ? submitNavigation : typingNavigation),
  ].join("\n");
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
