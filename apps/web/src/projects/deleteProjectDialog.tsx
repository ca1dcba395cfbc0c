import type { Project } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Confirmation } from "../ui/formDialog";
import { pluralize } from "../ui/pluralize";

/** Deletes a project. Lists what is deleted with it, and what stays. */
export function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
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
      failed="Could not delete the project."
      onSubmit={() => remove.mutate({ organizationId, id: project.id })}
      onClose={onClose}
    >
      <p>This cannot be undone. It also deletes:</p>
      <ul className="list-disc pl-5">
        <li>
          {countOf(workspaces?.length, "workspace")}. Their directories are kept on their machines. To delete
          a directory as well, delete its workspace first.
        </li>
        <li>{countOf(secrets?.length, "secret")}.</li>
      </ul>
      <p>
        {countOf(tasks?.total, "task")} will no longer belong to a project. The repository itself does not
        change.
      </p>
    </Confirmation>
  );
}

/** Returns "3 workspaces", or "The workspaces" while the number is unknown. */
const countOf = (count: number | undefined, word: string): string =>
  count === undefined ? `The ${word}s` : count === 0 ? `No ${word}s` : pluralize(count, word);
