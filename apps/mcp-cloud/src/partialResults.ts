import { ToolError } from "@grove/mcp";

/** One of several items of a single request to a device. */
export interface Item {
  readonly id?: string | undefined;
  readonly name: string | null;
  readonly error?: { readonly reason: string; readonly message: string } | undefined;
}

/** The tools that work on several items, and the message if all items failed. */
const noneOf = {
  create_workspace: "No workspace was created.",
  delete_workspace: "No workspace was deleted.",
  update_workspace: "No workspace was renamed.",
};
type ItemTool = keyof typeof noneOf;
export const isItemTool = (tool: string): tool is ItemTool => Object.hasOwn(noneOf, tool);

/**
 * Returns the items, each with its own outcome, if at least one succeeded. If all failed, it throws a ToolError with
 * each one's reason. Names are quoted, since others chose them.
 */
export function requireOne<T extends Item>(items: T[], tool: ItemTool): T[] {
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
    `${noneOf[tool]} ${each.join("; ")}`,
    reasons.size === 1 && reason === "workspace_not_found"
      ? "list_workspaces shows the existing ones."
      : `Correct what each reason names, then call ${tool} again.`,
  );
}
