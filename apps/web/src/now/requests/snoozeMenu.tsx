import type { AgentRequest } from "@grove/schemas";
import { formatClock } from "../../lib/agentSessions/sessionActivity";
import { AnchoredMenu } from "../../ui/anchoredMenu";
import { MenuItem } from "../../ui/menu";
import { snoozeTimes } from "./snoozeTimes";

interface SnoozeMenuProps {
  request: AgentRequest;
  anchor: HTMLElement;
  /** Called with an ISO time. */
  onSelect: (until: string) => void;
  onClose: () => void;
}

/** The times until which a request can be snoozed. */
export const SnoozeMenu = ({ request, anchor, onSelect, onClose }: SnoozeMenuProps) => (
  <AnchoredMenu label="Snooze" anchor={anchor} onClose={onClose}>
    {snoozeTimes(request, new Date()).map(({ title, until }) => (
      <MenuItem key={title} onSelect={() => onSelect(until.toISOString())}>
        {title}
        <span className="ml-auto pl-4 text-muted">{formatClock(until.toISOString())}</span>
      </MenuItem>
    ))}
  </AnchoredMenu>
);
