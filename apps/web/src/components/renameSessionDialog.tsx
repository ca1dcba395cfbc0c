import type { AgentSession } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { sessionName } from "../lib/agentSessions/sessionName";
import { queries } from "../lib/api";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";

export function RenameSessionDialog({ session, onClose }: { session: AgentSession; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const rename = useMutationWithRefetch(queries.agent.renameSession.mutationOptions(), {
    refetch: [queries.agent.getSession.pathFilter(), queries.agent.listSessions.pathFilter()],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Rename agent session"
      action="Rename"
      change={rename}
      failed="Could not rename the agent session."
      fields={["name"]}
      onSubmit={(text) => rename.mutate({ organizationId, id: session.id, name: text("name") })}
      onClose={onClose}
    >
      <Field
        label="New name"
        name="name"
        defaultValue={sessionName(session)}
        maxLength={200}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
