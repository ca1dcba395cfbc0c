import type { CommandStatus } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Terminal } from "lucide-react";
import { queries } from "../app/api";
import { useOrganization } from "../app/useOrganization";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { REFRESH_MS } from "./refresh";
import { commandStates } from "./words";

/** The commands that were sent to a device, newest first. */
export function CommandsTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId } = useOrganization();
  const list = useQuery(
    queries.agent.listCommands.queryOptions({ organizationId, deviceId }, { refetchInterval: REFRESH_MS }),
  );
  if (list.error && !list.data) return <Problem title="The commands cannot be shown." error={list.error} />;
  if (list.data?.length === 0)
    return (
      <Empty icon={Terminal} title="No command">
        Whatever agents and people ask this machine to do appears here.
      </Empty>
    );
  return (
    <Table label="Commands" columns={["Command", "State", "Asked", "Cause"]}>
      {list.data?.map(({ id, tool, status, createdAt, error, progress }) => (
        <Row key={id}>
          <Cell>
            <code className="font-mono text-sm">{tool}</code>
          </Cell>
          <Cell>
            <State status={status} />
          </Cell>
          <Cell quiet>
            <Time at={createdAt} />
          </Cell>
          <Cell quiet>
            <span className="block max-w-[60ch] truncate">{error?.message ?? progress?.message ?? ""}</span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const colors = { open: "text-muted", good: "", bad: "text-danger" };

function State({ status }: { status: CommandStatus }) {
  const { words, mark, kind } = commandStates[status];
  return (
    <span className={`flex items-center gap-2 ${colors[kind]}`}>
      <span aria-hidden="true" className="w-3 text-center">
        {mark}
      </span>
      {words}
    </span>
  );
}
