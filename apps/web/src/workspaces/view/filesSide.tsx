import type { Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { Files } from "../../files/files";
import { useOrganization } from "../../hooks/useOrganization";
import { authQuery, queries } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { chosenEditor, editorUrl } from "../editorUrl";
import { configOf } from "../workspaceRows";
import type { WorkspaceView } from "./useWorkspaceView";

// Needed only while the machine is offline.
const DeviceOffline = lazily(async () => (await import("./deviceOffline")).DeviceOffline);

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId");

/** The files of a workspace. */
export function FilesSide({ workspace, view }: { workspace: Workspace; view: WorkspaceView }) {
  const { id: organizationId } = useOrganization();
  const { file, line } = route.useSearch();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const { data: session } = useQuery(authQuery);
  const device = devices.data?.find(({ id }) => id === workspace.deviceId);
  const { path: directory } = configOf(workspace);
  if (device?.status !== "online")
    return <Suspense>{devices.data && <DeviceOffline workspace={workspace} device={device} />}</Suspense>;
  const editorUrlOf = (path: string, at?: number) =>
    directory === undefined
      ? undefined
      : editorUrl(chosenEditor(), {
          path: `${directory}/${path}`,
          line: at,
          sshHost: device.sshHost,
          isSameMachine: session?.local === true,
        });
  return (
    <Files
      worktree={{ target: { organizationId, deviceId: device.id }, workspaceId: workspace.id }}
      file={file}
      line={line}
      onOpen={view.openFile}
      editorUrlOf={editorUrlOf}
    />
  );
}
