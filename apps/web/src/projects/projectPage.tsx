import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button, buttonClass } from "../ui/button";
import { Copy } from "../ui/copy";
import { Facts } from "../ui/facts";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { RepositoryName } from "./repositoryName";
import { TasksTab } from "./tasksTab";
import { WorkspacesTab } from "./workspacesTab";

const parts = {
  edit: async () => (await import("./editProject")).EditProject,
  delete: async () => (await import("./deleteProject")).DeleteProject,
  secrets: async () => (await import("./secrets")).Secrets,
};
const EditProject = lazily(parts.edit);
const DeleteProject = lazily(parts.delete);
const Secrets = lazily(parts.secrets);

const route = getRouteApi("/signed-in/o/$organization/projects/$project");

/** A project's repository, workspaces, tasks and secrets. */
export function ProjectPage() {
  const { id: organizationId, slug: organization, role } = useOrganization();
  const { project: word } = route.useParams();
  const { tab } = route.useSearch();
  const [open, setOpen] = useState<"edit" | "delete">();
  const { data: project, error } = useQuery({
    ...queries.project.get.queryOptions({ organizationId, id: word }),
    // While a deletion navigates away, a refetch would show "not found".
    enabled: open !== "delete",
  });
  const onClose = () => setOpen(undefined);
  const edit = () => setOpen("edit");
  useShortcuts({ title: "Project", scope: "page", shortcuts: [{ keys: "e", title: "Edit", run: edit }] });
  useEffect(() => {
    // Preloads the tabs and dialogs.
    for (const load of Object.values(parts)) load().catch(() => undefined);
  }, []);
  // The loader has put it into the cache.
  if (!project) return null;
  const name = `${project.repoOwner}/${project.repoName}`;
  return (
    <Page
      title={project.name}
      actions={
        <>
          <Button onClick={edit}>Edit</Button>
          <Button reason={role === "member" ? onlyAdmins : undefined} onClick={() => setOpen("delete")}>
            Delete
          </Button>
          <Link
            to="/o/$organization/workspaces/new"
            params={{ organization }}
            search={{ project: project.id }}
            className={buttonClass("primary")}
          >
            <Plus aria-hidden="true" className="size-4" />
            New workspace
          </Link>
        </>
      }
    >
      {error && (
        <div className="mb-6">
          <Problem title="Could not load the project. It may have been deleted." error={error} />
        </div>
      )}
      <Facts
        facts={[
          ["Repository", <RepositoryName key="repository" url={project.repoUrl} name={name} />],
          [
            "Address",
            <span key="address" className="flex items-start gap-1">
              <VisibleName className="wrap-anywhere min-w-0 font-mono text-sm">{project.repoUrl}</VisibleName>
              <span className="-my-1.5 flex">
                <Copy text={project.repoUrl} label="Copy the address" />
              </span>
            </span>,
          ],
          [
            "Default branch",
            <VisibleName key="branch" className="font-mono text-sm">
              {project.defaultBranch}
            </VisibleName>,
          ],
          ["Added", <Time key="added" at={project.createdAt} />],
        ]}
      />
      <nav aria-label="About this project" className="mt-8 mb-4 flex gap-1 border-line border-b">
        <Tab title="Workspaces" tab={undefined} isCurrent={tab === undefined} />
        <Tab title="Tasks" tab="tasks" isCurrent={tab === "tasks"} />
        <Tab title="Secrets" tab="secrets" isCurrent={tab === "secrets"} />
      </nav>
      {tab === undefined && <WorkspacesTab projectId={project.id} />}
      {tab === "tasks" && <TasksTab projectId={project.id} />}
      <Suspense>{tab === "secrets" && <Secrets project={project} />}</Suspense>
      <Suspense fallback={<HoldKeys />}>
        {open === "edit" && <EditProject project={project} onClose={onClose} />}
        {open === "delete" && <DeleteProject project={project} onClose={onClose} />}
      </Suspense>
    </Page>
  );
}

const onlyAdmins = "Only admins and owners delete projects.";

interface TabProps {
  title: string;
  tab: "tasks" | "secrets" | undefined;
  isCurrent: boolean;
}

const Tab = ({ title, tab, isCurrent }: TabProps) => (
  <Link
    from="/o/$organization/projects/$project"
    to="."
    search={{ tab }}
    aria-current={isCurrent ? "page" : undefined}
    activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
    className="-mb-px border-transparent border-b-2 px-3 py-2 text-muted transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
  >
    {title}
  </Link>
);
