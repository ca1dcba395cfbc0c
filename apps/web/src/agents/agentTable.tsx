import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DeviceName } from "../components/deviceName";
import { LastLine } from "../components/lastLine";
import { SessionLink } from "../components/sessionLink";
import { SessionState } from "../components/sessionState";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

/** Agents in the given order, a row each. */
export const AgentTable = ({ sessions }: { sessions: readonly AgentSession[] }) => (
  <Table label="Agents" columns={["Agent", "State", "Workspace", "Device", "Started"]}>
    {sessions.map((session) => (
      <AgentLine key={session.id} session={session} />
    ))}
  </Table>
);

function AgentLine({ session }: { session: AgentSession }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const workspace = workspaces.data?.find(({ id }) => id === session.workspaceId);
  return (
    <Row>
      <Cell>
        <span className="block max-w-[min(26rem,60vw)]">
          <SessionLink session={session} />
          <LastLine session={session} />
        </span>
      </Cell>
      <Cell>
        <SessionState session={session} />
        {session.error && (
          <div className="mt-0.5 max-w-md pl-5 text-muted text-xs">{session.error.message}</div>
        )}
      </Cell>
      <Cell quiet>
        {workspace ? (
          <Link
            to="/o/$organization/workspaces/$workspaceId"
            params={{ organization, workspaceId: workspace.id }}
            className="wrap-anywhere hover:underline"
          >
            <VisibleName>{workspace.name}</VisibleName>
          </Link>
        ) : (
          <span>{workspaces.isPending ? "…" : "Deleted"}</span>
        )}
      </Cell>
      <Cell quiet>
        {devices.isPending ? (
          "…"
        ) : (
          <DeviceName device={devices.data?.find(({ id }) => id === session.deviceId)} />
        )}
      </Cell>
      <Cell quiet>
        <Time at={session.startedAt} />
      </Cell>
    </Row>
  );
}
