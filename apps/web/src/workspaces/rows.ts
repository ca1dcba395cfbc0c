import type { AgentSession, Device, Workspace, WorkspaceOnDevice } from "@grove/schemas";
import type { ShownState } from "./words";

/** A workspace of the list: its record, and the facts that its device told. */
export interface WorkspaceRow {
  id: string;
  name: string;
  projectId: string;
  branch: string | undefined;
  base: string | undefined;
  device: Device | undefined;
  state: ShownState;
  /** Undefined unless the device has told. */
  onDevice: WorkspaceOnDevice | undefined;
  /** The agents that run in it. */
  running: AgentSession[];
}

interface Parts {
  records: readonly Workspace[];
  devices: readonly Device[];
  /** The workspaces of all devices that have answered. */
  onDevices: readonly WorkspaceOnDevice[];
  /** The devices whose answers are on their way. */
  asked: readonly string[];
  sessions: readonly AgentSession[];
  /** The workspaces that open commands delete. */
  deleting: ReadonlySet<string>;
}

/** The rows of the list, one for each record. */
export function rowsOf({ records, devices, onDevices, asked, sessions, deleting }: Parts): WorkspaceRow[] {
  const told = new Map(onDevices.map((one) => [one.id, one]));
  return records.map((record) => {
    const onDevice = told.get(record.id);
    const { branch, base } = configOf(record);
    const untold = asked.includes(record.deviceId ?? "") ? "asked" : "unknown";
    return {
      id: record.id,
      name: record.name,
      projectId: record.projectId,
      branch: onDevice?.branch ?? branch,
      base,
      device: devices.find(({ id }) => id === record.deviceId),
      state: deleting.has(record.id) ? "deleting" : (onDevice?.state ?? untold),
      onDevice,
      running: sessions.filter(
        ({ workspaceId, status }) => workspaceId === record.id && status === "running",
      ),
    };
  });
}

/** The facts that the device wrote into the record when it made the workspace. */
export function configOf({ config }: Pick<Workspace, "config">) {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return {
    branch: text(Reflect.get(config, "branchName")),
    base: text(Reflect.get(config, "baseBranch")),
    path: text(Reflect.get(config, "path")),
  };
}
