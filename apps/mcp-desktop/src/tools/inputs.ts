import * as z from "zod";

/** Inputs that several tools share. */

/**
 * A text of bounded length. The bounds are not in tools/list: they would cost a model tokens and be of no use to it.
 */
export const text = (most: number, least = 1) =>
  z.string().refine(({ length }) => length >= least && length <= most, {
    error: `must have ${least} to ${most} characters`,
  });

/** An optional text. Models fill in optional fields, so an empty text counts as left out. */
export const optionalText = (most: number) =>
  text(most, 0)
    .transform((given) => given || undefined)
    .optional();

/** An input with an obvious default, which is therefore not in tools/list. */
export const tacit = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.optional().transform((given) => given ?? value);

/** A whole number within bounds, which are not in tools/list either. */
export const whole = (least: number, most: number) =>
  z
    .number()
    .int()
    .refine((number) => number >= least && number <= most, {
      error: `must be ${least} to ${most}`,
    });

export const ref = optionalText(20).describe("From inspect_dom");
export const selector = optionalText(2_000).describe("CSS");
export const testId = optionalText(500).describe("data-testid");

export const windowId = optionalText(20).describe("Window");

/** For a tool that may open a dialog: how to answer it, and which window to work on. Few need an answer to a prompt. */
export const dialog = z.enum(["accept", "dismiss"]).optional().describe("For dialogs");
export const onWindow = {
  dialog,
  promptText: text(5_000, 0).optional().describe("For a prompt"),
  windowId,
};

/** How long tools wait for an element by default. */
export const ELEMENT_MS = 5_000;
export const timeoutMs = tacit(whole(0, 30_000), ELEMENT_MS);

export const changes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
export const looks = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
