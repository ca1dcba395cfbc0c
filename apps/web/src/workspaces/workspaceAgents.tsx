import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { SessionLine } from "../components/sessionLine";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/shortcuts";
import { buttonClass } from "../ui/button";
import { Problem } from "../ui/problem";
import { Section } from "../ui/section";

/** The workspace's agent sessions, newest first. */
export function WorkspaceAgents({ workspaceId }: { workspaceId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const sessions = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, limit: 20 }),
  );
  const navigate = useNavigate();
  const form = {
    to: "/o/$organization/agents/new",
    params: { organization },
    search: { workspace: workspaceId },
  } as const;
  // On the diff page, the same key asks an agent about the selected lines.
  useShortcuts({
    title: "Workspace",
    scope: "page",
    shortcuts: [{ keys: "a", title: "Start an agent in this workspace", run: () => void navigate(form) }],
  });
  const start = (
    <Link {...form} className={buttonClass("primary")}>
      <Plus aria-hidden="true" className="size-4" />
      Start an agent
    </Link>
  );
  return (
    <Section title="Agents" actions={start}>
      {sessions.error && <Problem title="Could not load the agents." error={sessions.error} />}
      {sessions.data?.length === 0 && <p className="text-muted">No agent has run here yet.</p>}
      {sessions.data && sessions.data.length > 0 && (
        <ul className="flex flex-col divide-y divide-line border-line border-y">
          {sessions.data.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <SessionLine session={session} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
