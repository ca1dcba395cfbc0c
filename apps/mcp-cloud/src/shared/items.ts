import * as z from "zod";

/** Describes a text in tools/list with its limit, and leaves the check to the item: one wrong item refuses no other. */
export const looseText = (description: string, meta: Record<string, unknown> = {}) =>
  z
    .string()
    .describe(description)
    .meta({ maxLength: 200, ...meta });

/** Separates the items that a schema accepts from the errors of the others, each with its index in the list. */
export function checkItems<Item>(schema: z.ZodType<Item>, given: readonly unknown[]) {
  const accepted: { at: number; item: Item }[] = [];
  const refused: { at: number; error: { reason: string; message: string } }[] = [];
  for (const [at, item] of given.entries()) {
    const { data, error } = schema.safeParse(item);
    if (error) {
      const issues = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      refused.push({ at, error: { reason: "invalid_input", message: `${issues.join("; ")}.` } });
    } else accepted.push({ at, item: data as Item });
  }
  return { accepted, refused };
}

/** Puts the outcomes of the accepted items, and the refused ones, into the order of the request. */
export function inOrder<Out>(
  accepted: readonly { at: number }[],
  outcomes: readonly Out[],
  refused: readonly { at: number; outcome: Out }[],
): Out[] {
  const indexedOutcomes = outcomes.map((outcome, index) => ({ at: accepted[index]?.at ?? index, outcome }));
  return [...indexedOutcomes, ...refused].toSorted((a, b) => a.at - b.at).map(({ outcome }) => outcome);
}
