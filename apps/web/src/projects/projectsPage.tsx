import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderGit2, Plus } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { projectParam } from "../lib/projectParam";
import { repositoryLabel } from "../lib/repositoryLabel";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Cell, LimitedWidth, Row, Table } from "../ui/table";
import { VisibleName } from "../ui/visibleName";
import { RepositoryName } from "./repositoryName";

export function ProjectsPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(queries.project.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const countOf = (projectId: string) =>
    workspaces.data?.filter((workspace) => workspace.projectId === projectId).length;
  const add = (
    <Link to="/o/$organization/projects/new" params={{ organization }} className={buttonClass("primary")}>
      <Plus aria-hidden="true" className="size-4" />
      Add a project
    </Link>
  );
  return (
    <Page title="Projects" actions={list.data && list.data.length > 0 && add}>
      {list.error && (
        <Problem
          title="Could not load the projects."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton />}
      {list.data?.length === 0 && (
        <EmptyState icon={FolderGit2} title="No projects yet" action={add}>
          A project is a git repository. Grove creates workspaces of it on your machines, and runs agents
          there.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <Table label="Projects" columns={["Name", "Repository", "Default branch", "Workspaces"]}>
          {list.data.map((project) => (
            <Row key={project.id}>
              <Cell>
                <LimitedWidth>
                  <Link
                    to="/o/$organization/projects/$project"
                    params={{ organization, project: projectParam(project) }}
                    className="wrap-anywhere font-medium hover:underline"
                  >
                    <VisibleName>{project.name}</VisibleName>
                  </Link>
                </LimitedWidth>
              </Cell>
              <Cell quiet>
                <LimitedWidth>
                  <RepositoryName url={project.repoUrl} name={repositoryLabel(project)} />
                </LimitedWidth>
              </Cell>
              <Cell quiet>
                <LimitedWidth>
                  <VisibleName className="wrap-anywhere font-mono text-sm">
                    {project.defaultBranch}
                  </VisibleName>
                </LimitedWidth>
              </Cell>
              <Cell>
                <span className="flex items-center gap-3">
                  <span className="min-w-4">{countOf(project.id) ?? "…"}</span>
                  <Link
                    to="/o/$organization/workspaces/new"
                    params={{ organization }}
                    search={{ project: project.id }}
                    className="text-accent hover:underline"
                  >
                    Create one<span className="sr-only"> in {project.name}</span>
                  </Link>
                </span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Page>
  );
}
