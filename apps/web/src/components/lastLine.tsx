import type { AgentSession } from "@grove/schemas";
import { VisibleName } from "../ui/visibleName";

/** The last line that a session printed. */
export const LastLine = ({ session }: { session: AgentSession }) =>
  session.lastLine === null ? null : (
    <VisibleName className="block w-full truncate font-mono text-muted text-xs">
      {session.lastLine}
    </VisibleName>
  );
