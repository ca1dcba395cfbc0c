import type { AgentSession, Device, Workspace, WorkspaceOnDevice } from "@grove/schemas";
import type { ShownState } from "./stateLabels";

/** A row of the list: the API's record, merged with what the device reports. */
export interface WorkspaceRow {
  id: string;
  name: string;
  projectId: string;
  branch: string | undefined;
  base: string | undefined;
  device: Device | undefined;
  state: ShownState;
  /** Undefined until the device has reported it. */
  onDevice: WorkspaceOnDevice | undefined;
  running: AgentSession[];
}

interface RowSources {
  records: readonly Workspace[];
  devices: readonly Device[];
  /** Workspaces as reported by the devices that have answered. */
  onDevices: readonly WorkspaceOnDevice[];
  /** Ids of the devices whose answers are pending. */
  loading: readonly string[];
  sessions: readonly AgentSession[];
  /** Ids of the workspaces with an open command to delete them. */
  deleting: ReadonlySet<string>;
}

export function rowsOf({
  records,
  devices,
  onDevices,
  loading,
  sessions,
  deleting,
}: RowSources): WorkspaceRow[] {
  const reported = new Map(onDevices.map((one) => [one.id, one]));
  return records.map((record) => {
    const onDevice = reported.get(record.id);
    const { branch, base } = configOf(record);
    const unreported = loading.includes(record.deviceId ?? "") ? "loading" : "unknown";
    return {
      id: record.id,
      name: record.name,
      projectId: record.projectId,
      branch: onDevice?.branch ?? branch,
      base,
      device: devices.find(({ id }) => id === record.deviceId),
      state: deleting.has(record.id) ? "deleting" : (onDevice?.state ?? unreported),
      onDevice,
      running: sessions.filter(
        ({ workspaceId, status }) => workspaceId === record.id && status === "running",
      ),
    };
  });
}

/** Reads what the device wrote into the record when it created the workspace. */
export function configOf({ config }: Pick<Workspace, "config">) {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return {
    branch: text(Reflect.get(config, "branchName")),
    base: text(Reflect.get(config, "baseBranch")),
    path: text(Reflect.get(config, "path")),
  };
}
