import { type Client, createClient } from "@grove/client";
import { createProvenFetch, ProvenAgent } from "@grove/client/serverProof";
import type { Device, LocalFile } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import * as z from "zod";
import { type DataDir, dataDirAt } from "./dataDir";
import { runDevice } from "./device";

const REQUEST_MS = 5_000;

const foundAgents = z.array(z.object({ name: z.string(), version: z.string().nullable() }));

/** A running Grove and its contents. */
export interface Running {
  file: LocalFile;
  dir: DataDir;
  device: Pick<Device, "name" | "status"> | undefined;
  counts: { projects: number; workspaces: number };
  /** The coding agents of this machine. */
  agents: z.infer<typeof foundAgents>;
}

/** Sends requests only to the Grove of a data directory, not to another program that listens at its address. */
export const provenFetch = ({ proofKey }: LocalFile): typeof fetch | undefined =>
  proofKey === undefined ? undefined : createProvenFetch(new ProvenAgent(proofKey));

/**
 * The local.json of the Grove that is running on a data directory; undefined if none is running.
 * @throws {UserError} if the file is damaged
 */
export async function findRunning(dataDir: string): Promise<LocalFile | undefined> {
  const file = await dataDirAt(dataDir).local.read();
  const fetcher = file && provenFetch(file);
  if (!fetcher) return undefined;
  const signal = timeoutSignal(REQUEST_MS);
  const answered = await fetcher(`${file.apiUrl}/ready`, { signal }).catch(() => undefined);
  return answered?.ok ? file : undefined;
}

/** Counts the contents of a running Grove, at most 1 000 of each kind, the most that a list returns. */
export async function readOverview(
  file: LocalFile,
  dataDir: string,
  deviceEnv: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Running> {
  const { apiUrl, apiKey, organizationId } = file;
  const client: Client = createClient({ apiUrl, token: apiKey, fetch: provenFetch(file) });
  const [devices, projects, workspaces, agents] = await Promise.all([
    client.device.list.query({ organizationId }, { signal }),
    client.project.list.query({ organizationId }, { signal }),
    client.workspace.list.query({ organizationId }, { signal }),
    findAgents(deviceEnv, signal),
  ]);
  return {
    file,
    dir: dataDirAt(dataDir),
    device: devices.find(({ id }) => id === file.deviceId),
    counts: { projects: projects.length, workspaces: workspaces.length },
    agents,
  };
}

/** An empty list if the device program fails, since nothing depends on it. */
async function findAgents(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Running["agents"]> {
  try {
    return foundAgents.parse(JSON.parse(await runDevice(["agents", "--json"], env, signal)));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}
