import type { AgentSession, WorkspaceDetails } from "@grove/schemas";
import { Note } from "../ui/note";
import { count } from "./count";
import { ChangedFiles } from "./workHere";

interface UnsavedProps {
  details: WorkspaceDetails | undefined;
  sessions: readonly AgentSession[];
}

/** The work that would be lost with a workspace: changed files, and agents that still run there. */
export function Unsaved({ details, sessions }: UnsavedProps) {
  if (!details) return null;
  const { changes, changesTotal, workspace } = details;
  const ahead = workspace.ahead ?? 0;
  return (
    <>
      {changesTotal > 0 && (
        <Note look="warn" title={`${count(changesTotal, "change is", "changes are")} not committed:`}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section aria-label="Changed files" tabIndex={0} className="max-h-64 w-full overflow-y-auto">
            <ChangedFiles changes={changes} total={changesTotal} />
          </section>
        </Note>
      )}
      {sessions.length > 0 && (
        <Note look="warn" title={`${count(sessions.length, "agent works", "agents work")} here.`}>
          <p>Deleting the workspace ends {sessions.length === 1 ? "it" : "them"}.</p>
        </Note>
      )}
      {ahead > 0 && (
        <Note title={`${count(ahead, "commit is", "commits are")} beyond the base.`}>
          <p>They stay on the branch, unless you delete that, too.</p>
        </Note>
      )}
      {changesTotal === 0 && sessions.length === 0 && (
        <Note look="good" title="Nothing in it is uncommitted.">
          <p>The device checks once more, and keeps it if commits would be lost.</p>
        </Note>
      )}
    </>
  );
}
