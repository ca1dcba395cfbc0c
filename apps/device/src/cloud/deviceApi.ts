import { errorData, type Inputs } from "@grove/client";
import { createTransport, UnexpectedAnswerError } from "@grove/client/node";
import { ProvenAgent } from "@grove/client/serverProof";
import {
  type DeviceEvent,
  deviceEvent,
  projectSlug,
  type Reason,
  project as storedProject,
} from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";

/** The timeout of a call. Without one, a call on a half-open connection would wait forever. */
const API_TIMEOUT_MS = 30_000;
/** Viewers of a session wait for one report, so a lost one is given up soon. */
const REPORT_MS = 10_000;
/** The API waits up to 30 s for this device, which checks the commit of an answer. */
const ANSWER_MS = 40_000;

/** The events of a probe are spread over 667 ms. */
const PROBE_MS = 10_000;

export interface StreamHandlers {
  onEvent(event: DeviceEvent): void;
  /** Called once when the stream ends for any reason, but never after `close`. */
  onEnd(error: unknown): void;
}

/** A project's id and slug become directory names, so they are validated like untrusted input. */
const project = storedProject.extend({ slug: projectSlug });

/** The API's response violates its schema. A retry does not help. */
class InvalidAnswerError extends Error {}

/** @throws {InvalidAnswerError} */
function projectOf(answer: unknown) {
  const { data, error } = project.safeParse(answer);
  if (data) return data;
  const fields = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new InvalidAnswerError(`the API's answer is not a project (${fields.join("; ")})`);
}

/**
 * The device's calls to the API, made with its device key. In local mode the API must first prove itself by
 * `proofKey`. With `deviceId`, each call names the device, for a proxy that routes by it.
 */
export function createDeviceApi(apiUrl: string, deviceKey: string, proofKey?: string, deviceId?: string) {
  const agent = proofKey === undefined ? undefined : new ProvenAgent(proofKey);
  const { client, mutate, subscribe } = createTransport({ apiUrl, token: deviceKey, deviceId, agent });
  const callOptions = (ms = API_TIMEOUT_MS) => ({ signal: timeoutSignal(ms) });
  return {
    self: () => client.device.self.query(undefined, callOptions()),

    start: (report: Inputs["agent"]["start"]) => client.agent.start.mutate(report, callOptions()),
    progress: (report: Inputs["agent"]["progress"]) => client.agent.progress.mutate(report, callOptions()),
    complete: (report: Inputs["agent"]["complete"]) => mutate("agent", "complete", report, API_TIMEOUT_MS),
    heartbeat: (heartbeat: Inputs["agent"]["heartbeat"]) =>
      client.agent.heartbeat.mutate(heartbeat, callOptions()),

    sessionSecrets: (input: Inputs["agent"]["sessionSecrets"]) =>
      client.agent.sessionSecrets.mutate(input, callOptions()),
    reportSession: async (report: Inputs["agent"]["reportSession"]) => {
      const { paceMs } = await mutate("agent", "reportSession", report, REPORT_MS);
      return paceMs;
    },

    listReviewComments: (input: Inputs["agent"]["listReviewComments"]) =>
      client.agent.listReviewComments.query(input, callOptions()),
    answerComment: (input: Inputs["agent"]["answerComment"]) =>
      client.agent.answerComment.mutate(input, callOptions(ANSWER_MS)),
    finishWork: (input: Inputs["agent"]["finishWork"]) =>
      client.agent.finishWork.mutate(input, callOptions()),

    getProject: async (input: Inputs["project"]["get"], ms?: number) =>
      projectOf(await client.project.get.query(input, callOptions(ms))),
    createProject: async (input: Inputs["project"]["create"]) =>
      projectOf(await client.project.create.mutate(input, callOptions())),
    listProjects: async (input: Inputs["project"]["list"]) =>
      (await client.project.list.query(input, callOptions())).map(projectOf),
    listWorkspaces: (input: Inputs["workspace"]["list"]) => client.workspace.list.query(input, callOptions()),
    ensureWorkspace: (input: Inputs["workspace"]["ensure"]) =>
      client.workspace.ensure.mutate(input, callOptions()),
    updateWorkspace: (input: Inputs["workspace"]["update"]) =>
      client.workspace.update.mutate(input, callOptions()),
    deleteWorkspace: (input: Inputs["workspace"]["delete"]) =>
      client.workspace.delete.mutate(input, callOptions()),

    /** Measures how long after the call each event of device.probe arrived, in ms. Rejects if there is no stream. */
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
        const close = subscribe("device", "probe", undefined, {
          onData: () => arrivals.push(performance.now() - began),
          onEnd: (error) => stop(() => (error === undefined ? resolve(arrivals) : reject(error))),
        });
      }),

    /** Makes one attempt to open the stream of commands. Returns a function that closes it. */
    connect: (input: Inputs["device"]["connect"], { onEvent, onEnd }: StreamHandlers): (() => void) =>
      subscribe("device", "connect", input, {
        onData(data) {
          // A newer API may send events that this device agent does not know yet.
          const event = deviceEvent.safeParse(data);
          if (event.success) onEvent(event.data);
        },
        onEnd,
      }),
  };
}

export type DeviceApi = ReturnType<typeof createDeviceApi>;

const PASSING_CODES: (string | undefined)[] = [
  // The API was not reached, or something else answered.
  undefined,
  "BAD_GATEWAY",
  "CLIENT_CLOSED_REQUEST",
  "GATEWAY_TIMEOUT",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
  "TIMEOUT",
  "TOO_MANY_REQUESTS",
];

/**
 * The API's error code for a failed call; undefined if the API was not reached. A proxy that refuses a request for its
 * size counts as the API, since a retry does not help.
 */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof UnexpectedAnswerError && error.status === 413
    ? "PAYLOAD_TOO_LARGE"
    : errorData(error)?.code;
export const reasonOf = (error: unknown): Reason | undefined => errorData(error)?.reason;

/** Whether a failed call may succeed when it is repeated. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof InvalidAnswerError) && PASSING_CODES.includes(codeOf(error));

/**
 * Runs `work` for a command of the CLI, and turns a failed call into a sentence for its user.
 * @throws {Error} if the API cannot be reached or does not accept the key, or with its message
 */
export async function explainFailure<T>(apiUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "TRPCClientError") throw error;
    const code = codeOf(error);
    const words =
      code === undefined
        ? `The API at ${apiUrl} cannot be reached (${innermost(error).message}). Check the address, and that the API is running.`
        : code === "UNAUTHORIZED"
          ? `The API at ${apiUrl} does not accept this key: ${error.message}`
          : `The API at ${apiUrl} refused (${reasonOf(error) ?? code}): ${error.message}`;
    throw new Error(words, { cause: error });
  }
}

const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error);
