import { MAX_FAILURE_ROUNDS, type Project } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { queries } from "../lib/api";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";

/** Edits a project's name, its branches, and how often failed checks are sent to the agent. */
export function EditProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { id, organizationId } = project;
  const update = useMutationWithRefetch(queries.project.update.mutationOptions(), {
    refetch: [queries.project.pathFilter()],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Edit project"
      action="Save"
      change={update}
      failed="Could not save the changes."
      fields={["name", "defaultBranch", "doneBranches", "maxRounds"]}
      onSubmit={(text) => {
        const doneBranches = text("doneBranches")
          .split(/[\s,]+/)
          .filter((branch) => branch !== "");
        update.mutate({
          organizationId,
          id,
          name: text("name"),
          defaultBranch: text("defaultBranch"),
          doneBranches: doneBranches.length === 0 ? null : doneBranches,
          maxRounds: Number(text("maxRounds")),
        });
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={project.name}
        maxLength={200}
        autoComplete="off"
        required
      />
      <Field
        label="Default branch"
        hint="New workspaces start from it."
        name="defaultBranch"
        defaultValue={project.defaultBranch}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <Field
        label="Done branches"
        hint="A pull request that is merged into one of them completes its tasks. Empty: the default branch."
        name="doneBranches"
        defaultValue={project.doneBranches?.join(", ") ?? ""}
        placeholder="main, release"
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label="Send failed checks to the agent"
        hint="At most this many times a change; 0 turns it off."
        name="maxRounds"
        type="number"
        min={0}
        max={MAX_FAILURE_ROUNDS}
        defaultValue={String(project.maxRounds)}
        required
      />
    </FormDialog>
  );
}
