import type { AgentSession, WorkspaceDetails } from "@grove/schemas";
import { Note } from "../../ui/note";
import { pluralize } from "../../ui/pluralize";
import { ChangedFiles } from "../view/changesAndCommits";

interface UnsavedWorkProps {
  details: WorkspaceDetails | undefined;
  sessions: readonly AgentSession[];
}

/** Lists what deleting the workspace would lose: uncommitted changes, and running agents. */
export function UnsavedWork({ details, sessions }: UnsavedWorkProps) {
  if (!details) return null;
  const { changes, changesTotal, workspace } = details;
  const ahead = workspace.ahead ?? 0;
  return (
    <>
      {changesTotal > 0 && (
        <Note look="warn" title={`${pluralize(changesTotal, "uncommitted change")}:`}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section aria-label="Changed files" tabIndex={0} className="max-h-64 w-full overflow-y-auto">
            <ChangedFiles changes={changes} total={changesTotal} />
          </section>
        </Note>
      )}
      {sessions.length > 0 && (
        <Note look="warn" title={`${pluralize(sessions.length, "agent is", "agents are")} running here.`}>
          <p>Deleting the workspace ends {sessions.length === 1 ? "it" : "them"}.</p>
        </Note>
      )}
      {ahead > 0 && (
        <Note title={`${pluralize(ahead, "commit")} ahead of the base.`}>
          <p>They stay on the branch, unless you also delete the branch.</p>
        </Note>
      )}
      {changesTotal === 0 && sessions.length === 0 && (
        <Note look="good" title="No uncommitted changes.">
          <p>The device checks again before it deletes, and refuses if commits would be lost.</p>
        </Note>
      )}
    </>
  );
}
