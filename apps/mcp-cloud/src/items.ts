import { ToolError } from "@grove/mcp";

/** One of several things that a device was asked to do at once. */
interface Item {
  readonly id?: string | undefined;
  readonly name: string | null;
  readonly error?: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * The items, of which at least one went well: each reports for itself. When none did it throws a ToolError with each
 * one's reason: `failed` says so in a sentence. Names are quoted, since others chose them.
 */
export function requireOne<T extends Item>(items: T[], failed: string, tool: string): T[] {
  const errors = items.flatMap(({ id, name, error }) =>
    error ? [{ what: name ?? id ?? "", ...error }] : [],
  );
  if (errors.length === 0 || errors.length < items.length) return items;
  const reasons = new Set(errors.map(({ reason }) => reason));
  const [reason = ""] = reasons;
  const each = errors.map(
    (error) => `${JSON.stringify(error.what)}: ${error.reason}: ${JSON.stringify(error.message)}`,
  );
  throw new ToolError(
    reasons.size === 1 ? reason : "all_failed",
    `${failed} ${each.join("; ")}`,
    `Correct what each reason names, then call ${tool} again.`,
  );
}
