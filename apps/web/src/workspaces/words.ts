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
import { count } from "./count";

/** All states that a workspace can be shown in. `asked`: its device is about to say; `unknown`: it does not. */
export type ShownState = WorkspaceOnDevice["state"] | "deleting" | "asked" | "unknown";

const look = (icon: LucideIcon, tone: Tone, words: string): Look => ({ icon, tone, words });

export const states = {
  ready: look(CircleCheck, "good", "Ready"),
  creating: look(LoaderCircle, "calm", "Being made"),
  deleting: look(Trash2, "warn", "Being deleted"),
  missing: look(TriangleAlert, "bad", "Its directory is gone"),
  broken: look(TriangleAlert, "bad", "Git cannot read it"),
  asked: look(CircleDashed, "calm", "Asking its device"),
  unknown: look(CircleHelp, "calm", "Not known"),
} satisfies Record<ShownState, Look>;

export const commandStates = {
  queued: look(Clock, "calm", "Waits for the device"),
  claimed: look(LoaderCircle, "calm", "Begins"),
  running: look(LoaderCircle, "calm", "In progress"),
  succeeded: look(CircleCheck, "good", "Done"),
  failed: look(CircleX, "bad", "Failed"),
  canceled: look(CircleSlash, "calm", "Canceled"),
  expired: look(CircleX, "bad", "The device did not come back in time"),
  timed_out: look(CircleX, "bad", "Took too long"),
  lost: look(CircleDashed, "bad", "The device lost it"),
} satisfies Record<CommandStatus, Look>;

export const isOpen = (status: CommandStatus): boolean =>
  status === "queued" || status === "claimed" || status === "running";

/** The changes of a worktree beyond its base: "uncommitted changes, 2 commits ahead". Empty if nothing is known. */
export function changesOf(workspace: {
  dirty: boolean | null;
  ahead: number | null;
  behind: number | null;
}): string {
  const { dirty, ahead, behind } = workspace;
  if (dirty === null) return "";
  const parts = [
    dirty && "uncommitted changes",
    ahead ? `${count(ahead, "commit")} ahead` : false,
    behind ? `${behind} behind` : false,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(", ") : "no changes";
}
