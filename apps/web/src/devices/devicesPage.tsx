import { useQuery } from "@tanstack/react-query";
import { MonitorDot } from "lucide-react";
import { queries } from "../app/api";
import { useOrganization } from "../app/useOrganization";
import { Empty } from "../ui/empty";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Presence } from "./presence";
import { platforms } from "./words";

/** While the page is visible, presence is read again this often. */
const REFRESH_MS = 5_000;

export function DevicesPage() {
  const { id: organizationId } = useOrganization();
  const list = useQuery(
    queries.device.list.queryOptions({ organizationId }, { refetchInterval: REFRESH_MS }),
  );
  return (
    <Page title="Devices">
      {list.error && (
        <Problem
          title="The devices cannot be shown as they are now."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data?.length === 0 && (
        <Empty icon={MonitorDot} title="No machine is connected">
          A device is a machine on which Grove makes workspaces and runs agents.
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <table className="w-full border-collapse text-left">
          <thead className="text-muted text-xs">
            <tr className="border-line border-b">
              <th className="py-2 pr-4 font-medium">Name</th>
              <th className="py-2 pr-4 font-medium">Presence</th>
              <th className="py-2 pr-4 font-medium">System</th>
              <th className="py-2 font-medium">Version</th>
            </tr>
          </thead>
          <tbody>
            {list.data.map((device) => (
              <tr key={device.id} className="border-line border-b">
                <td className="py-2.5 pr-4 font-medium">
                  <bdi>{device.name}</bdi>
                </td>
                <td className="py-2.5 pr-4">
                  <Presence device={device} />
                </td>
                <td className="py-2.5 pr-4 text-muted">{platforms[device.platform]}</td>
                <td className="py-2.5 text-muted">{device.agentVersion ?? "—"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Page>
  );
}
