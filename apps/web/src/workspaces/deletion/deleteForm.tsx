import type { Device, Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { toolQuery } from "../../lib/commands/deviceTools";
import { newId } from "../../lib/newId";
import { Button, buttonClass } from "../../ui/button";
import { Field } from "../../ui/field";
import { Form, FormProblem, type TextOf } from "../../ui/form";
import { Note } from "../../ui/note";
import { Problem } from "../../ui/problem";
import { UnsavedWork } from "./unsavedWork";
import type { Deletion } from "./useDeletion";

interface DeleteFormProps {
  workspace: Workspace;
  /** The workspace's device, which is online. */
  device: Device;
  deletion: Deletion;
}

/** Lists what would be lost, and requires the workspace's name before deleting unsaved work. */
export function DeleteForm({
  workspace,
  device,
  deletion: { remove, outcome, isRequested },
}: DeleteFormProps) {
  const { id: organizationId, slug: organization } = useOrganization();
  const { id: workspaceId, name } = workspace;
  const target = { organizationId, deviceId: device.id };
  const details = useQuery({
    ...toolQuery(target, "get_workspace_details", { workspaceId }),
    enabled: !isRequested,
    staleTime: 0,
  });
  const sessions =
    useQuery(queries.agent.listSessions.queryOptions({ organizationId, workspaceId, status: "running" }))
      .data ?? [];
  const refusal = typeof outcome === "object" ? outcome : undefined;
  const losesWork =
    refusal !== undefined ||
    (details.data?.changesTotal ?? 0) > 0 ||
    sessions.length > 0 ||
    details.error !== null;
  const submit = (text: TextOf) => {
    const params = {
      workspaceIds: [workspaceId],
      deleteBranch: text("deleteBranch") !== "",
      force: losesWork && text("confirmation") === name,
    };
    remove.mutate({ ...target, tool: "delete_workspace", params, waitMs: 0, idempotencyKey: newId() });
  };
  return (
    <Form className="flex flex-col gap-5" error={remove.error} onSubmit={submit}>
      <p>This deletes its directory on {device.name}. Commits stay on the branch.</p>
      {details.isPending && <p className="text-muted">Checking for unsaved work…</p>}
      <UnsavedWork details={details.data} sessions={sessions} />
      {details.error && (
        <Problem title="Could not check what the workspace contains." error={details.error} />
      )}
      {refusal && (
        <Note look="warn" title="The device did not delete the workspace.">
          <p className="wrap-anywhere">{refusal.message}</p>
        </Note>
      )}
      <label className="flex items-center gap-2">
        <input type="checkbox" name="deleteBranch" className="size-4" />
        Also delete its branch
      </label>
      {losesWork && (
        <Field
          label={`To permanently delete this work, type ${name}`}
          name="confirmation"
          pattern={escapeRegExp(name)}
          title={`The name of the workspace: ${name}`}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <FormProblem title="Could not delete the workspace." />
      <div className="flex gap-2">
        <Button type="submit" look="danger" busy={remove.isPending || details.isPending}>
          {losesWork ? "Delete everything" : "Delete"}
        </Button>
        <Link
          to="/o/$organization/workspaces/$workspaceId"
          params={{ organization, workspaceId }}
          className={buttonClass("quiet")}
        >
          Cancel
        </Link>
      </div>
    </Form>
  );
}

/** Escapes a text for the `pattern` attribute. */
const escapeRegExp = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
