import type { AgentSession } from "@grove/schemas";
import { AgentBadge } from "../../components/agentBadge";
import { SessionState } from "../../components/sessionState";
import { sessionName } from "../../lib/agentSessions/sessionName";
import { Button } from "../../ui/button";
import { Dialog, DialogButtons } from "../../ui/dialog";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";

interface ChooseAgentDialogProps {
  sessions: readonly AgentSession[];
  onChoose: (sessionId: string) => void;
  onClose: () => void;
}

/** Lets the user choose which of several agents gets the quote. */
export const ChooseAgentDialog = ({ sessions, onChoose, onClose }: ChooseAgentDialogProps) => (
  <Dialog title="Choose an agent" open onOpenChange={onClose}>
    <ul className="flex flex-col divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <VisibleName className="wrap-anywhere font-medium">{sessionName(session)}</VisibleName>
          <AgentBadge session={session} />
          <SessionState session={session} />
          <span className="text-muted text-sm">
            since <Time at={session.startedAt} />
          </span>
          <span className="ml-auto">
            <Button onClick={() => onChoose(session.id)}>Ask this agent</Button>
          </span>
        </li>
      ))}
    </ul>
    <DialogButtons>
      <Button onClick={onClose}>Cancel</Button>
    </DialogButtons>
  </Dialog>
);
