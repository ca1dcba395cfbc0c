import { Link, useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { useShortcuts } from "../shortcuts/shortcuts";

const tabClass =
  "-mb-px border-transparent border-b-2 px-3 py-2 text-muted transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink";

export function WorkspaceTabs({ workspaceId }: { workspaceId: string }) {
  const { slug: organization } = useOrganization();
  const params = { organization, workspaceId };
  const navigate = useNavigate();
  useShortcuts({
    title: "Workspace",
    scope: "page",
    shortcuts: [
      {
        keys: "d",
        title: "Show the diff",
        run: () => void navigate({ to: "/o/$organization/workspaces/$workspaceId/diff", params }),
      },
    ],
  });
  return (
    <nav aria-label="Workspace" className="flex gap-1 border-line border-b">
      <Link
        to="/o/$organization/workspaces/$workspaceId"
        params={params}
        activeOptions={{ exact: true }}
        className={tabClass}
      >
        Overview
      </Link>
      <Link
        to="/o/$organization/workspaces/$workspaceId/diff"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
        className={tabClass}
      >
        Diff
      </Link>
    </nav>
  );
}
