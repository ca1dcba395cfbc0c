import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorData } from "@grove/client";
import type { AgentAnswer, AgentRequest } from "@grove/schemas";
import { scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { until } from "@grove/testing/until";
import type { ApiInstance } from "./cloud";
import type { DeviceOptions } from "./device";
import type { Scene } from "./scene";

let devices = 0;

export type Asking = Awaited<ReturnType<typeof startAsking>>;

/** A session whose agent asks for permission `rounds` times. It writes each decision that it gets into a file. */
export async function startAsking(scene: Scene, rounds: number, options?: DeviceOptions) {
  const { cloud, machine } = scene;
  const name = `${++devices}`;
  const device = await scene.device(`device ${name}`, options);
  await device.connect();
  const project = await device.addWork(`work ${name}`, 1);
  scene.atEnd(() => project.work.release());
  const directory = await mkdtemp(join(machine.temporary, "claude "));
  const record = join(directory, "decisions");
  await writeFile(record, "");
  const command = [await writeScriptedClaude(directory), "--", "{prompt}"];
  const agents = { claude: { command, env: { SCRIPTED_CLAUDE_RECORD: record } } };
  await writeFile(join(device.home, "config.json"), JSON.stringify({ agents }), { mode: 0o600 });
  const { organizationId } = cloud;
  const run = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) => {
    const given = { organizationId, deviceId: device.id, tool, params, ifOffline: "queue" as const };
    const { result, error } = await cloud.client().agent.execute.mutate(given);
    if (error) throw new Error(`${tool} failed: ${error.message}`);
    return result as { workspaces: { id: string }[]; sessionId: string };
  };
  const { workspaces } = await run("create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "asking" }],
  });
  const startSession = async (count: number) => {
    const prompt = scripted({ askRounds: count });
    const workspaceId = workspaces[0]?.id;
    return (await run("start_agent_session", { workspaceId, agent: "claude", prompt })).sessionId;
  };
  let sessionId = await startSession(rounds);

  /** The requests of the current session, newest first. */
  const list = async (): Promise<AgentRequest[]> => {
    const running = cloud.instances.find((instance) => instance.running);
    return cloud.person(running).agent.listRequests.query({ organizationId, sessionId, limit: 100 });
  };
  /** Undefined while the API is unreachable. */
  const find = async (id: string) => (await list().catch(() => [])).find((request) => request.id === id);
  const answer = (instance: ApiInstance | undefined, id: string, given: AgentAnswer) =>
    cloud.person(instance).agent.answerRequest.mutate({ organizationId, id, answer: given });
  return {
    device,
    list,
    /** Starts the next session, after the device agent and the session with it have ended. */
    nextSession: async (count: number) => {
      sessionId = await startSession(count);
    },
    /** The open request of a round. */
    asked: (round: number) =>
      until(
        async () =>
          (await list().catch(() => [])).find(
            ({ status, title, isAnswerable }) =>
              status === "open" && isAnswerable && title === `Bash: ${round}`,
          ),
        `round ${round} is asked`,
      ),
    /** Resolves with the request once it is closed and the delivery of its answer has ended. */
    settled: (id: string) =>
      until(async () => {
        const request = await find(id);
        return request && request.status !== "open" && request.delivery !== "pending" ? request : undefined;
      }, "the request is settled"),
    answer,
    /** Like a caller whose call failed: reads the request, and answers again as long as it is open. */
    answerUntilTaken: (id: string, given: AgentAnswer) =>
      until(async () => {
        const request = await find(id);
        if (request?.status === "open") await answer(undefined, id, given).catch(refuseUnlessUnavailable);
        return request !== undefined && request.status !== "open";
      }, "the answer is taken"),
    typeNo: () =>
      cloud.person().agent.sendInput.mutate({ organizationId, id: sessionId, text: "2", screen: "live" }),
    /** Returns the output of each hook of a request, even if its agent ended before it read the output. */
    printed: async () => {
      const names = (await readdir(directory)).filter((file) => file.startsWith("decisions."));
      return Promise.all(names.map((file) => readFile(join(directory, file), "utf8")));
    },
    decisions: async () =>
      (await readFile(record, "utf8"))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { behavior: string; message?: string; key?: string }),
  };
}

/** The reasons for which a call fails although the request can be answered, or was closed in the meantime. */
const EXPECTED = ["already_answered", "request_withdrawn", "request_expired"];

/** @throws {Error} the error of a call, except if the call did not reach the API or its database, or came too late */
function refuseUnlessUnavailable(error: unknown): void {
  const { code, reason } = errorData(error) ?? {};
  if (code === undefined || code === "SERVICE_UNAVAILABLE" || code === "TIMEOUT") return;
  if (reason === undefined || !EXPECTED.includes(reason)) throw error;
}
