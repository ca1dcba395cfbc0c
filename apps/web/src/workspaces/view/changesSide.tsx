import type { Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { ScopedDiff } from "./scopedDiff";
import type { WorkspaceView } from "./useWorkspaceView";

const ChangeBar = lazily(async () => (await import("../change/changeBar")).ChangeBar);
const FinishedWork = lazily(async () => (await import("../change/finishedWork")).FinishedWork);
const PullPanel = lazily(async () => (await import("../pull/pullPanel")).PullPanel);
// Needed only while the machine is offline.
const DeviceOffline = lazily(async () => (await import("./deviceOffline")).DeviceOffline);

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId");

interface ChangesSideProps {
  workspace: Workspace;
  view: WorkspaceView;
}

/** The changes of a workspace, all or those that the user has chosen. */
export function ChangesSide({ workspace, view }: ChangesSideProps) {
  const { id: organizationId } = useOrganization();
  const { against = "base", space } = route.useSearch();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  /** Path of the file being read, kept when the comparison changes. */
  const currentPath = useRef<string>(undefined);
  const device = devices.data?.find(({ id }) => id === workspace.deviceId);
  // The server has these even while the machine is offline.
  const ofServer = (
    <>
      <Suspense>
        <FinishedWork organizationId={organizationId} workspaceId={workspace.id} />
      </Suspense>
      <Suspense>
        <PullPanel
          organizationId={organizationId}
          workspaceId={workspace.id}
          onOpenSession={view.takeQuoteTo}
        />
      </Suspense>
    </>
  );
  if (device?.status !== "online")
    return (
      <>
        {ofServer}
        <Suspense>{devices.data && <DeviceOffline workspace={workspace} device={device} />}</Suspense>
      </>
    );
  const target = { organizationId, deviceId: device.id };
  return (
    <>
      <Suspense>
        <ChangeBar target={target} workspaceId={workspace.id} onOpenSession={view.takeQuoteTo} />
      </Suspense>
      {ofServer}
      <ScopedDiff
        target={target}
        workspaceId={workspace.id}
        scope={against}
        ignoreWhitespace={space === "ignore"}
        currentPath={currentPath}
        onOpenSession={view.takeQuoteTo}
        onOpenFile={view.openFile}
      />
    </>
  );
}
