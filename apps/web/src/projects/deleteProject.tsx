import type { Project } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Confirmation } from "../ui/confirmation";

/** Deletes a project, after its short name was typed. Says before what is lost with it, and what stays. */
export function DeleteProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const of = { organizationId, projectId: project.id };
  const workspaces = useQuery(queries.workspace.list.queryOptions(of)).data;
  const secrets = useQuery(queries.project.listSecrets.queryOptions(of)).data;
  const tasks = useQuery(queries.task.count.queryOptions(of)).data;
  const remove = useMutation(
    queries.project.delete.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: "/o/$organization/projects", params: { organization } });
        await queryClient.invalidateQueries(queries.project.list.pathFilter());
        await queryClient.invalidateQueries(queries.workspace.list.pathFilter());
      },
    }),
  );
  return (
    <Confirmation
      title={`Delete ${project.name}?`}
      action="Delete"
      textToType={project.slug}
      change={remove}
      failed="Nothing was deleted."
      onConfirm={() => remove.mutate({ organizationId, id: project.id })}
      onClose={onClose}
    >
      <p>This cannot be taken back. It ends:</p>
      <ul className="list-disc pl-5">
        <li>
          {countOf(workspaces?.length, "workspace")}. Their directories stay on their machines: to remove a
          directory, too, delete its workspace first.
        </li>
        <li>{countOf(secrets?.length, "secret")}.</li>
      </ul>
      <p>
        {countOf(tasks?.total, "task")} of it stay without a project. The repository itself stays as it is.
      </p>
    </Confirmation>
  );
}

/** "3 workspaces"; while the number is not known, "The workspaces". */
const countOf = (count: number | undefined, word: string): string =>
  count === undefined
    ? `The ${word}s`
    : count === 0
      ? `No ${word}s`
      : `${count} ${word}${count === 1 ? "" : "s"}`;
