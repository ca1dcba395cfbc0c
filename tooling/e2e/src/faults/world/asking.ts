import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentAnswer, AgentRequest } from "@grove/schemas";
import { scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { until } from "@grove/testing/until";
import type { ApiInstance } from "./cloud";
import type { Scene } from "./scene";

let devices = 0;

/** A session whose agent asks for permission `rounds` times. It writes each decision that it gets into a file. */
export async function startAsking(scene: Scene, rounds: number) {
  const { cloud, machine } = scene;
  const device = await scene.device(`device ${++devices}`);
  await device.connect();
  const project = await device.addWork(`work ${devices}`, 1);
  scene.atEnd(() => project.work.release());
  const directory = await mkdtemp(join(machine.temporary, "claude "));
  const record = join(directory, "decisions");
  await writeFile(record, "");
  const command = [await writeScriptedClaude(directory), "--", "{prompt}"];
  const agents = { claude: { command, env: { SCRIPTED_CLAUDE_RECORD: record } } };
  await writeFile(join(device.home, "config.json"), JSON.stringify({ agents }), { mode: 0o600 });
  const { organizationId } = cloud;
  const run = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) => {
    const given = { organizationId, deviceId: device.id, tool, params };
    const { result, error } = await cloud.client().agent.execute.mutate(given);
    if (error) throw new Error(`${tool} failed: ${error.message}`);
    return result as { workspaces: { id: string }[]; sessionId: string };
  };
  const { workspaces } = await run("create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "asking" }],
  });
  const prompt = scripted({ askRounds: rounds });
  const { sessionId } = await run("start_agent_session", {
    workspaceId: workspaces[0]?.id,
    agent: "claude",
    prompt,
  });
  const list = async (): Promise<AgentRequest[]> => {
    const running = cloud.instances.find((instance) => instance.running);
    return cloud.person(running).agent.listRequests.query({ organizationId, sessionId, limit: 100 });
  };
  return {
    device,
    sessionId,
    list,
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
    /** The state of the delivery of an answer, once it is final. */
    settled: async (id: string) => {
      const isSettled = ({ delivery }: AgentRequest) => delivery !== null && delivery !== "pending";
      const found = await until(
        async () => (await list().catch(() => [])).find((request) => request.id === id && isSettled(request)),
        "the answer is delivered, or cannot be",
      );
      return found.delivery;
    },
    answer: (instance: ApiInstance | undefined, id: string, answer: AgentAnswer) =>
      cloud.person(instance).agent.answerRequest.mutate({ organizationId, id, answer }),
    typeNo: () =>
      cloud.person().agent.sendInput.mutate({ organizationId, id: sessionId, text: "2", screen: "live" }),
    decisions: async () =>
      (await readFile(record, "utf8"))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { behavior: string; message?: string; key?: string }),
  };
}
