import type { WorkspaceOnDevice } from "@grove/schemas";
import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  LoaderCircle,
  type LucideIcon,
  Trash2,
  TriangleAlert,
} from "lucide-react";
import { pluralize } from "../ui/pluralize";
import type { StateStyle, Tone } from "../ui/stateLabel";

/** The states of a workspace on screen. `loading`: its device has not answered yet; `unknown`: it cannot answer. */
export type ShownState = WorkspaceOnDevice["state"] | "deleting" | "loading" | "unknown";

const style = (icon: LucideIcon, tone: Tone, label: string): StateStyle => ({ icon, tone, label });

export const states = {
  ready: style(CircleCheck, "good", "Ready"),
  creating: style(LoaderCircle, "calm", "Creating"),
  deleting: style(Trash2, "warn", "Deleting"),
  missing: style(TriangleAlert, "bad", "Directory missing"),
  broken: style(TriangleAlert, "bad", "Not readable by Git"),
  loading: style(CircleDashed, "calm", "Loading"),
  unknown: style(CircleHelp, "calm", "Unknown"),
} satisfies Record<ShownState, StateStyle>;

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
