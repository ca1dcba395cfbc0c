import type { AgentSession } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { setPendingQuote } from "../lib/pendingQuote";
import { Button } from "../ui/button";
import { showToast } from "../ui/showToast";

interface StartAgainProps {
  session: AgentSession;
  /** The id of the session's workspace. */
  workspace: string;
}

/** Opens the form for a new agent with the workspace, agent, task and prompt of an ended one. */
export function StartAgain({ session, workspace }: StartAgainProps) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const again = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const { findPrompt } = await import("./findPrompt");
      // If the prompt cannot be read, the form opens without it.
      const prompt = await findPrompt(session, organizationId).catch(() => undefined);
      if (prompt === undefined)
        showToast({ title: "The prompt was deleted, or you do not have access to it." });
      else setPendingQuote(workspace, prompt);
      const { agent, taskId } = session;
      await navigate({
        to: "/o/$organization/agents/new",
        params: { organization },
        search: { workspace, agent, ...(taskId !== null && { task: taskId }) },
      });
    },
  });
  return (
    <Button busy={again.isPending} onClick={() => again.mutate()}>
      <RotateCcw aria-hidden="true" className="size-4" />
      Start again
    </Button>
  );
}
