import type { Project } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { ClipboardList, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { AskAdmins } from "../components/askAdmins";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Note } from "../ui/note";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Table } from "../ui/table";
import { DeleteSecretDialog } from "./deleteSecretDialog";
import { PasteSecretsDialog } from "./pasteSecretsDialog";
import { SecretRow } from "./secretRow";
import { SetSecretDialog } from "./setSecretDialog";

/** The dialog that is open. `key`: the secret to change; `text`: the pasted lines. */
type SecretDialogState =
  | { kind: "set"; key?: string }
  | { kind: "paste"; text: string }
  | { kind: "delete"; key: string };

/** The secrets of a project: names and times for all members, values for admins. */
export function SecretsTab({ project }: { project: Project }) {
  const { id: organizationId, role } = useOrganization();
  const list = useQuery(queries.project.listSecrets.queryOptions({ organizationId, projectId: project.id }));
  const [dialog, setDialog] = useState<SecretDialogState>();
  const mayChange = role !== "member";
  const openForm = () => setDialog({ kind: "set" });
  useShortcuts({
    title: "Secrets",
    scope: "page",
    shortcuts: mayChange ? [{ keys: "n", title: "Add a secret", run: openForm }] : [],
  });
  const names = list.data?.map(({ key }) => key) ?? [];
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" onClick={openForm}>
        <Plus aria-hidden="true" className="size-4" />
        Add a secret
      </Button>
      <Button onClick={() => setDialog({ kind: "paste", text: "" })}>
        <ClipboardList aria-hidden="true" className="size-4" />
        Import from .env
      </Button>
    </div>
  );
  return (
    <div className="flex flex-col gap-4">
      <SecretsNote mayChange={mayChange} />
      {list.error && (
        <Problem title="Could not load the secrets." error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Skeleton />}
      {list.data?.length === 0 && (
        <EmptyState icon={KeyRound} title="No secrets yet" action={mayChange && actions}>
          Tokens and passwords that agents need, such as for a test database.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <>
          {mayChange && actions}
          <Table label="Secrets" columns={["Name", "Added", "Updated", ...(mayChange ? ["Actions"] : [])]}>
            {list.data.map((secret) => (
              <SecretRow
                key={secret.key}
                secret={secret}
                projectId={project.id}
                mayChange={mayChange}
                onSet={() => setDialog({ kind: "set", key: secret.key })}
                onDelete={() => setDialog({ kind: "delete", key: secret.key })}
              />
            ))}
          </Table>
          {mayChange && (
            <p className="text-muted text-sm">
              Revealing a value is logged under your name, as is every change.
            </p>
          )}
        </>
      )}
      {dialog && <SecretDialog dialog={dialog} onDialog={setDialog} projectId={project.id} names={names} />}
    </div>
  );
}

const SecretsNote = ({ mayChange }: { mayChange: boolean }) => (
  <Note>
    <p>
      Every agent started in a workspace of this project gets these as environment variables. Everyone who may
      start agents can therefore read them.
    </p>
    {!mayChange && (
      <p>
        Only admins and owners can set, reveal and delete them. <AskAdmins />
      </p>
    )}
  </Note>
);

interface SecretDialogProps {
  dialog: SecretDialogState;
  onDialog: (dialog: SecretDialogState | undefined) => void;
  projectId: string;
  /** The names of the project's secrets. */
  names: readonly string[];
}

function SecretDialog({ dialog, onDialog, projectId, names }: SecretDialogProps) {
  const { id: organizationId } = useOrganization();
  const props = { organizationId, projectId, onClose: () => onDialog(undefined) };
  switch (dialog.kind) {
    case "set":
      return (
        <SetSecretDialog {...props} name={dialog.key} onMany={(text) => onDialog({ kind: "paste", text })} />
      );
    case "paste":
      return <PasteSecretsDialog {...props} names={names} text={dialog.text} />;
    case "delete":
      return <DeleteSecretDialog {...props} name={dialog.key} />;
  }
}
