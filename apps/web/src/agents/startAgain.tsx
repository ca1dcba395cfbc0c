import type { AgentSession } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { setPendingQuote } from "../lib/pendingQuote";
import { Button } from "../ui/button";
import { showToast } from "../ui/toast";

interface StartAgainProps {
  session: AgentSession;
  /** The workspace that it was in. */
  workspace: string;
}

/** Begins an agent that is like one that has ended: the form has its workspace, agent, task and prompt. */
export function StartAgain({ session, workspace }: StartAgainProps) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const again = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const { promptOf } = await import("./promptOf");
      // The form begins without a prompt if that cannot be read.
      const prompt = await promptOf(session, organizationId).catch(() => undefined);
      if (prompt === undefined) showToast({ title: "Its prompt is no longer kept, or is not yours to see." });
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
