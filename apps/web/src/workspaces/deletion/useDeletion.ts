import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries, queryClient } from "../../lib/api";
import { commandQuery } from "../../lib/commands/commandQuery";
import { showToast } from "../../ui/showToast";
import { deletionOutcome, deletionWarnings } from "./deletionOutcome";

/** Sends the command that deletes a workspace, follows it, and opens the list once the workspace is deleted. */
export function useDeletion() {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const [commandId, setCommandId] = useState("");
  const remove = useMutation(
    queries.agent.execute.mutationOptions({ onSuccess: ({ id }) => setCommandId(id) }),
  );
  const command = useDeletionCommand(organizationId, commandId);
  const outcome = deletionOutcome(command);
  const warnings = typeof command === "object" ? deletionWarnings(command) : "";
  useEffect(() => {
    if (outcome !== "removed") return;
    if (warnings !== "") showToast({ title: "Deleted the workspace.", description: warnings });
    void queryClient.invalidateQueries(queries.workspace.list.pathFilter());
    void navigate({ to: "/o/$organization/workspaces", params: { organization } });
  }, [outcome, warnings, navigate, organization]);
  return { remove, outcome, isRequested: commandId !== "" };
}

export type Deletion = ReturnType<typeof useDeletion>;

/** Polls the command until it is settled. Undefined before it is sent. */
function useDeletionCommand(organizationId: string, id: string) {
  const command = useQuery({ ...commandQuery(organizationId, id), enabled: id !== "" });
  return id === "" ? undefined : (command.data ?? "sent");
}
