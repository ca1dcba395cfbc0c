import { GroveError } from "@grove/auth";

/** The kinds of items that clients name by their id, in the error's `details.missing`. */
type Kind =
  | "agent request"
  | "agent session"
  | "change"
  | "command"
  | "comment"
  | "device"
  | "project"
  | "task"
  | "workspace";

/** The error for an item that does not exist, or that the caller may not see. */
export const notFound = (missing: Kind, id: string) =>
  new GroveError("NOT_FOUND", `There is no ${missing} ${id}.`, { details: { missing } });
