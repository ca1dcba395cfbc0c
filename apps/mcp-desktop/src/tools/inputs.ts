import * as z from "zod";
import { DEFAULT_ELEMENT_WAIT_MS } from "../actions/elementWait";

/** Inputs that several tools share. */

/**
 * A text of bounded length. The bounds are not in tools/list: they would cost a model tokens and be of no use to it.
 */
export const textWithin = (max: number, min = 1) =>
  z.string().refine(({ length }) => length >= min && length <= max, {
    error: `must have ${min} to ${max} characters`,
  });

/** An optional text. Models fill in optional fields, so an empty text counts as left out. */
export const optionalText = (max: number) =>
  textWithin(max, 0)
    .transform((given) => given || undefined)
    .optional();

/** An input with an obvious default, which is therefore not in tools/list. */
export const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.optional().transform((given) => given ?? value);

/** An integer within bounds. Like defaults, the bounds are left out of tools/list. */
export const integerWithin = (min: number, max: number) =>
  z
    .number()
    .int()
    .refine((number) => number >= min && number <= max, {
      error: `must be ${min} to ${max}`,
    });

export const ref = optionalText(20).describe("From inspect_dom");
export const selector = optionalText(2_000).describe("CSS");
export const testId = optionalText(500).describe("data-testid");

export const windowId = optionalText(20).describe("Window");

/** For a tool that may open a dialog: how to answer it, and which window to work on. Few need an answer to a prompt. */
export const dialog = z.enum(["accept", "dismiss"]).optional().describe("For dialogs");
export const windowInputs = {
  dialog,
  promptText: textWithin(5_000, 0).optional().describe("For a prompt"),
  windowId,
};

export const timeoutMs = withDefault(integerWithin(0, 30_000), DEFAULT_ELEMENT_WAIT_MS);

export const writeAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
export const readAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
