import type { CommandStatus, WorkspaceOnDevice } from "@grove/schemas";
import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  Trash2,
  TriangleAlert,
} from "lucide-react";
import type { Look, Tone } from "../ui/state";
import { pluralize } from "./pluralize";

/** The states of a workspace on screen. `loading`: its device has not answered yet; `unknown`: it cannot answer. */
export type ShownState = WorkspaceOnDevice["state"] | "deleting" | "loading" | "unknown";

const look = (icon: LucideIcon, tone: Tone, words: string): Look => ({ icon, tone, words });

export const states = {
  ready: look(CircleCheck, "good", "Ready"),
  creating: look(LoaderCircle, "calm", "Creating"),
  deleting: look(Trash2, "warn", "Deleting"),
  missing: look(TriangleAlert, "bad", "Directory missing"),
  broken: look(TriangleAlert, "bad", "Not readable by Git"),
  loading: look(CircleDashed, "calm", "Loading"),
  unknown: look(CircleHelp, "calm", "Unknown"),
} satisfies Record<ShownState, Look>;

export const commandStates = {
  queued: look(Clock, "calm", "Queued"),
  claimed: look(LoaderCircle, "calm", "Starting"),
  running: look(LoaderCircle, "calm", "In progress"),
  succeeded: look(CircleCheck, "good", "Done"),
  failed: look(CircleX, "bad", "Failed"),
  canceled: look(CircleSlash, "calm", "Canceled"),
  expired: look(CircleX, "bad", "Expired while the device was offline"),
  timed_out: look(CircleX, "bad", "Timed out"),
  lost: look(CircleDashed, "bad", "Lost by the device"),
} satisfies Record<CommandStatus, Look>;

export const isOpen = (status: CommandStatus): boolean =>
  status === "queued" || status === "claimed" || status === "running";

/** Describes a worktree relative to its base: "uncommitted changes, 2 commits ahead". Empty if unknown. */
export function changesOf(workspace: {
  dirty: boolean | null;
  ahead: number | null;
  behind: number | null;
}): string {
  const { dirty, ahead, behind } = workspace;
  if (dirty === null) return "";
  const parts = [
    dirty && "uncommitted changes",
    ahead ? `${pluralize(ahead, "commit")} ahead` : false,
    behind ? `${behind} behind` : false,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(", ") : "no changes";
}
