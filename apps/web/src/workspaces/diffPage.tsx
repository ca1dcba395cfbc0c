import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { lazily } from "../lib/lazily";
import { useTitle } from "../ui/page";
import { VisibleName } from "../ui/visibleName";
import { useWorkspace } from "./useWorkspace";
import { WorkspaceDiff } from "./workspaceDiff";
import { WorkspaceTabs } from "./workspaceTabs";

// Needed only while the machine is offline.
const DeviceOffline = lazily(async () => (await import("./deviceOffline")).DeviceOffline);

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId/diff");

/** The changes of a workspace, against the merge base or the last commit. */
export function DiffPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { workspaceId } = route.useParams();
  const { against = "base", space } = route.useSearch();
  const { data: workspace } = useWorkspace(organizationId, workspaceId);
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  /** Path of the file being read, kept when the comparison changes. */
  const reading = useRef<string>(undefined);
  useTitle(`${workspace?.name}: diff`);
  // The loader has put it into the cache.
  if (!workspace) return null;
  const device = devices.data?.find(({ id }) => id === workspace.deviceId);
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-96 flex-col md:h-dvh">
      <header className="px-4 pt-3 sm:px-6">
        <h1 className="wrap-anywhere pb-1 font-semibold text-lg">
          <Link
            to="/o/$organization/workspaces/$workspaceId"
            params={{ organization, workspaceId }}
            className="hover:underline"
          >
            <VisibleName>{workspace.name}</VisibleName>
          </Link>
        </h1>
        <WorkspaceTabs workspaceId={workspaceId} />
      </header>
      {device?.status === "online" ? (
        <WorkspaceDiff
          key={`${against} ${space}`}
          target={{ organizationId, deviceId: device.id }}
          workspaceId={workspaceId}
          against={against}
          ignoreWhitespace={space === "ignore"}
          reading={reading}
        />
      ) : (
        <Suspense>{devices.data && <DeviceOffline workspace={workspace} device={device} />}</Suspense>
      )}
    </div>
  );
}
