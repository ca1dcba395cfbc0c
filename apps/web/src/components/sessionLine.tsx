import type { AgentSession } from "@grove/schemas";
import { Time } from "../ui/time";
import { LastLine } from "./lastLine";
import { SessionLink } from "./sessionLink";
import { SessionState } from "./sessionState";

/** A session in a list of its workspace, task or device. */
export const SessionLine = ({ session }: { session: AgentSession }) => (
  <>
    <SessionLink session={session} />
    <SessionState session={session} />
    <span className="ml-auto text-muted text-sm">
      <Time at={session.startedAt} />
    </span>
    <LastLine session={session} />
  </>
);
