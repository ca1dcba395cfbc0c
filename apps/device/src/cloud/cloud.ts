import { createClient, errorData, type Inputs } from "@grove/client";
import { createCallFetch } from "@grove/client/callFetch";
import { createDirect } from "@grove/client/direct";
import { ProvenAgent } from "@grove/client/proven";
import { type DeviceEvent, deviceEvent, projectSlug, project as storedProject } from "@grove/schemas";

/** A call that has not been answered by then is given up: a half-open connection says nothing for ever. */
const CALL_MS = 30_000;
/** An agent that prints much is held up for as long. */
const REPORT_MS = 10_000;

/** Up to 100 calls go in one batch, of at most 1 MiB: what is larger than this is sent alone. */
const BATCHED_BYTES = 8 * 1024;

/** The events of a probe take two thirds of a second. */
const PROBE_MS = 10_000;

export interface StreamHandlers {
  onEvent(event: DeviceEvent): void;
  /** Once, when the stream is over for whatever reason; never after `close`. */
  onEnd(error: unknown): void;
}

/** Its id and its slug become names of directories: they are looked at, as if anybody had sent them. */
const project = storedProject.extend({ slug: projectSlug });

/** The API answered, but with something that it should not answer. To ask again is of no use. */
class UnexpectedAnswer extends Error {}

/** @throws {UnexpectedAnswer} */
function projectOf(answer: unknown) {
  const { data, error } = project.safeParse(answer);
  if (data) return data;
  const fields = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new UnexpectedAnswer(`the API answered with what is no project (${fields.join("; ")})`);
}

/** What the device asks of the cloud, with its device key; in local mode, of a cloud that has proved itself by `proofKey`. */
export function createCloud(apiUrl: string, deviceKey: string, proofKey?: string) {
  const agent = proofKey === undefined ? undefined : new ProvenAgent(proofKey);
  const client = createClient({ apiUrl, token: deviceKey, callFetch: createCallFetch(agent) });
  const bounded = (ms = CALL_MS) => ({ signal: AbortSignal.timeout(ms) });
  const direct = createDirect({ apiUrl, token: deviceKey, agent });
  let completing = 0;
  return {
    self: () => client.device.self.query(undefined, bounded()),

    start: (report: Inputs["agent"]["start"]) => client.agent.start.mutate(report, bounded()),
    progress: (report: Inputs["agent"]["progress"]) => client.agent.progress.mutate(report, bounded()),
    /** A caller waits for it, so it is sent at once; more small ones while one is under way go in batches. */
    async complete(report: Inputs["agent"]["complete"]) {
      completing++;
      try {
        return await (completing === 1 || Buffer.byteLength(JSON.stringify(report)) > BATCHED_BYTES
          ? direct.mutate("agent", "complete", report, CALL_MS)
          : client.agent.complete.mutate(report, bounded()));
      } finally {
        completing--;
      }
    },
    heartbeat: (beat: Inputs["agent"]["heartbeat"]) => client.agent.heartbeat.mutate(beat, bounded()),

    sessionSecrets: (input: Inputs["agent"]["sessionSecrets"]) =>
      client.agent.sessionSecrets.mutate(input, bounded()),
    /** Alone: several sessions that print much would make a batch that is refused as a whole. */
    reportSession: (report: Inputs["agent"]["reportSession"]) =>
      direct.mutate("agent", "reportSession", report, REPORT_MS),

    getProject: async (input: Inputs["project"]["get"]) =>
      projectOf(await client.project.get.query(input, bounded())),
    createProject: async (input: Inputs["project"]["create"]) =>
      projectOf(await client.project.create.mutate(input, bounded())),
    listProjects: async (input: Inputs["project"]["list"]) =>
      (await client.project.list.query(input, bounded())).map(projectOf),
    listWorkspaces: (input: Inputs["workspace"]["list"]) => client.workspace.list.query(input, bounded()),
    ensureWorkspace: (input: Inputs["workspace"]["ensure"]) =>
      client.workspace.ensure.mutate(input, bounded()),
    updateWorkspace: (input: Inputs["workspace"]["update"]) =>
      client.workspace.update.mutate(input, bounded()),
    deleteWorkspace: (input: Inputs["workspace"]["delete"]) =>
      client.workspace.delete.mutate(input, bounded()),

    /** How long after the call each event of device.probe came, in ms; rejects when the stream cannot be had. */
    probe: (): Promise<number[]> =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const arrivals: number[] = [];
        const stop = (end: () => void) => {
          clearTimeout(timer);
          close();
          end();
        };
        const timer = setTimeout(() => stop(() => resolve(arrivals)), PROBE_MS);
        const close = direct.subscribe("device", "probe", undefined, {
          onData: () => arrivals.push(performance.now() - began),
          onEnd: (error) => stop(() => (error === undefined ? resolve(arrivals) : reject(error))),
        });
      }),

    /** Makes one attempt at the stream of commands. Returns what closes it. */
    connect: (input: Inputs["device"]["connect"], { onEvent, onEnd }: StreamHandlers): (() => void) =>
      direct.subscribe("device", "connect", input, {
        onData(data) {
          // A newer API may send what this agent does not know yet.
          const event = deviceEvent.safeParse(data);
          if (event.success) onEvent(event.data);
        },
        onEnd,
      }),
  };
}

export type Cloud = ReturnType<typeof createCloud>;

const PASSING_CODES: (string | undefined)[] = [
  // Not reached, or something else than the API answered.
  undefined,
  "BAD_GATEWAY",
  "CLIENT_CLOSED_REQUEST",
  "GATEWAY_TIMEOUT",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
  "TIMEOUT",
  "TOO_MANY_REQUESTS",
];

/** The code of the API's answer to a failed call; undefined when the API was not reached. */
export const codeOf = (error: unknown): string | undefined => errorData(error)?.code;
export const reasonOf = (error: unknown): string | undefined => errorData(error)?.reason;

/** Whether a failed call may succeed later just as it is. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof UnexpectedAnswer) && PASSING_CODES.includes(codeOf(error));

/**
 * For a command that a person runs: what failed, as a sentence to read.
 * @throws Error saying that the API cannot be reached, does not take the key, or what it answered
 */
export async function explained<T>(apiUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "TRPCClientError") throw error;
    const code = codeOf(error);
    const words =
      code === undefined
        ? `The API at ${apiUrl} cannot be reached (${innermost(error).message}). Is the address right, and does it run?`
        : code === "UNAUTHORIZED"
          ? `The API at ${apiUrl} does not take this key: ${error.message}`
          : `The API at ${apiUrl} refused (${reasonOf(error) ?? code}): ${error.message}`;
    throw new Error(words, { cause: error });
  }
}

const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error);
