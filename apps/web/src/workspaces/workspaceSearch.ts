import { pickTexts } from "../lib/pickTexts";

/** The state of a workspace's page. */
export interface WorkspaceSearch {
  /** The id of a session. */
  tab?: string;
  /** The side that is shown alone. Below 1 280 px, `changes` shows the right side instead of a tab. */
  only?: "terminals" | "changes";
  /** The content of the right side. Without it, the page shows the changes. */
  side?: "files" | "overview";
  /** The open file, as a path within the worktree. */
  file?: string;
  /** The line of the open file to show. */
  line?: number;
  /** `seen`, `turn`, `head`, or the commit of a restore point. Without it, the base. */
  against?: string;
  space?: "ignore";
}

const textsOf = pickTexts("tab", "against");

/** Parses the search parameters of a workspace's page. */
export const workspaceSearch = (given: Record<string, unknown>): WorkspaceSearch => {
  const { only, side, file, line, space } = given;
  return {
    ...textsOf(given),
    ...((only === "terminals" || only === "changes") && { only }),
    ...((side === "files" || side === "overview") && { side }),
    // The router parses a name such as `2026` as a number.
    ...(file !== undefined && { file: String(file) }),
    ...(typeof line === "number" && line > 0 && { line }),
    ...(space === "ignore" && { space }),
  };
};
