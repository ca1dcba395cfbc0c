import type { Project } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { PageTabs } from "../components/pageTabs";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { lazily } from "../lib/browser/lazily";
import { repositoryLabel } from "../lib/repositoryLabel";
import { HoldKeys } from "../shortcuts/holdKeys";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button, buttonClass } from "../ui/button";
import { CopyButton } from "../ui/copyButton";
import { DescriptionList } from "../ui/descriptionList";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { GateOnFinishSetting } from "./gateOnFinishSetting";
import { ProjectWorkspacesTab } from "./projectWorkspacesTab";
import { RepositoryName } from "./repositoryName";
import { RestorePointsSetting } from "./restorePointsSetting";
import { TasksTab } from "./tasksTab";

const lazyParts = {
  edit: async () => (await import("./editProjectDialog")).EditProjectDialog,
  delete: async () => (await import("./deleteProjectDialog")).DeleteProjectDialog,
  tab: async () => (await import("./lazyTab")).LazyTab,
};
const EditProjectDialog = lazily(lazyParts.edit);
const DeleteProjectDialog = lazily(lazyParts.delete);
const LazyTab = lazily(lazyParts.tab);

const route = getRouteApi("/signed-in/o/$organization/projects/$project");

/** A project's repository, workspaces, tasks, secrets and setup scripts. */
export function ProjectPage() {
  const { id: organizationId, slug: organization, role } = useOrganization();
  const { project: idOrSlug } = route.useParams();
  const { tab } = route.useSearch();
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const { data: project, error } = useQuery({
    ...queries.project.get.queryOptions({ organizationId, id: idOrSlug }),
    // While a deletion navigates away, a refetch would show "not found".
    enabled: dialog !== "delete",
  });
  const onClose = () => setDialog(undefined);
  const openEditDialog = () => setDialog("edit");
  useShortcuts({
    title: "Project",
    scope: "page",
    shortcuts: [{ keys: "e", title: "Edit", run: openEditDialog }],
  });
  useEffect(() => {
    // Preloads the tabs and dialogs.
    for (const load of Object.values(lazyParts)) load().catch(() => undefined);
  }, []);
  // The loader has put it into the cache.
  if (!project) return null;
  return (
    <Page
      title={project.name}
      actions={
        <>
          <Button onClick={openEditDialog}>Edit</Button>
          <Button reason={role === "member" ? onlyAdmins : undefined} onClick={() => setDialog("delete")}>
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
      <ProjectFacts project={project} />
      <ProjectTabs current={tab} />
      {tab === undefined && <ProjectWorkspacesTab projectId={project.id} />}
      {tab === "tasks" && <TasksTab projectId={project.id} />}
      <Suspense>
        {(tab === "secrets" || tab === "scripts") && <LazyTab tab={tab} project={project} />}
      </Suspense>
      <Suspense fallback={<HoldKeys />}>
        {dialog === "edit" && <EditProjectDialog project={project} onClose={onClose} />}
        {dialog === "delete" && <DeleteProjectDialog project={project} onClose={onClose} />}
      </Suspense>
    </Page>
  );
}

const onlyAdmins = "Only admins and owners can delete projects.";

function ProjectFacts({ project }: { project: Project }) {
  return (
    <DescriptionList
      facts={[
        [
          "Repository",
          <RepositoryName key="repository" url={project.repoUrl} name={repositoryLabel(project)} />,
        ],
        [
          "Address",
          <span key="address" className="flex items-start gap-1">
            <VisibleName className="wrap-anywhere min-w-0 font-mono text-sm">{project.repoUrl}</VisibleName>
            <span className="-my-1.5 flex">
              <CopyButton text={project.repoUrl} label="Copy the clone URL" />
            </span>
          </span>,
        ],
        [
          "Default branch",
          <VisibleName key="branch" className="font-mono text-sm">
            {project.defaultBranch}
          </VisibleName>,
        ],
        ["Restore points", <RestorePointsSetting key="points" project={project} />],
        ["Check script", <GateOnFinishSetting key="gate" project={project} />],
        ["Added", <Time key="added" at={project.createdAt} />],
      ]}
    />
  );
}

const tabs = [
  ["Workspaces"],
  ["Tasks", "tasks"],
  ["Secrets", "secrets"],
  ["Setup scripts", "scripts"],
] as const;

const ProjectTabs = ({ current }: { current: (typeof tabs)[number][1] }) => (
  <div className="mt-8 mb-4">
    <PageTabs
      label="About this project"
      page="/o/$organization/projects/$project"
      tabs={tabs}
      current={current}
    />
  </div>
);
