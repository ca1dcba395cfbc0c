import type { Project } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { queries, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";

/** Edits a project's name and default branch. */
export function EditProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const { id, organizationId } = project;
  const update = useMutation(
    queries.project.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(queries.project.pathFilter());
        onClose();
      },
    }),
  );
  const of = (field: string) => fieldError(update.error, field);
  const isAboutField = of("name") !== undefined || of("defaultBranch") !== undefined;
  return (
    <Dialog title="Edit the project" open onOpenChange={onClose}>
      <Form
        onSubmit={(text) =>
          update.mutate({ organizationId, id, name: text("name"), defaultBranch: text("defaultBranch") })
        }
      >
        <Field
          label="Name"
          name="name"
          defaultValue={project.name}
          maxLength={200}
          autoComplete="off"
          required
          error={of("name")}
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
          error={of("defaultBranch")}
        />
        {update.error && !isAboutField && (
          <Problem title="Could not save the changes." error={update.error} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={update.isPending}>
            Save
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
