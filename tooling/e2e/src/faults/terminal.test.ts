import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { useScene } from "./world/scene";

// The device's line leads to the first API process; the viewer asks the second.
const scene = useScene(2);

const KILLS = 20;
/** The numbers that a viewer sees between two kills. */
const BETWEEN = 10;
/** Counts in its terminal and in the file `record`, until the file `stop` exists. */
const COUNTING = `
const fs = require("node:fs");
let n = 0;
const timer = setInterval(() => {
  const text = ++n + ",";
  fs.appendFileSync("record", text);
  process.stdout.write(text);
  if (fs.existsSync("stop")) clearInterval(timer);
}, 10);`;

it("twenty kills: a viewer sees what the program has printed, with no byte lost or doubled", async () => {
  const { cloud } = scene;
  const [first, second] = cloud.instances;
  if (!first || !second) throw new Error("There are two instances.");
  const device = await scene.device("device");
  await device.connect();
  const project = await device.addWork("work", 1);
  scene.atEnd(() => project.work.release());
  const counter = { command: [process.execPath, "-e", COUNTING, "--", "{prompt}"] };
  await writeFile(join(device.home, "config.json"), JSON.stringify({ agents: { counter } }), { mode: 0o600 });

  const { organizationId } = cloud;
  const run = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) => {
    const given = { organizationId, deviceId: device.id, tool, params };
    const { result, error } = await cloud.client().agent.execute.mutate(given);
    expect(error).toBeNull();
    return result as { workspaces: { id: string; path: string }[]; sessionId: string };
  };
  const { workspaces } = await run("create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "counting" }],
  });
  const [workspace] = workspaces;
  const start = { workspaceId: workspace?.id, agent: "counter", prompt: "go" };
  const { sessionId } = await run("start_agent_session", start);

  let seen = "";
  let hasEnded = false;
  const watching = cloud.client(second).agent.sessionOutput.subscribe(
    { organizationId, id: sessionId },
    {
      onData: ({ data }) => {
        if (data.type === "output") seen += data.data;
        else if (data.type === "end") hasEnded = true;
      },
    },
  );
  scene.atEnd(() => watching.unsubscribe());
  const last = () => Number(/(\d+),$/.exec(seen)?.[1] ?? 0);
  const restart = async (instance: typeof first) => {
    await instance.kill();
    await instance.listen();
  };
  const cutLine = async () => device.line.cut();
  const faults = [() => restart(first), cutLine, () => restart(second), cloud.cutDatabase];
  for (let kill = 0; kill < KILLS; kill++) {
    const before = last();
    await until(() => last() >= before + BETWEEN, `the viewer sees more before kill ${kill + 1}`);
    await faults[kill % faults.length]?.();
  }
  const before = last();
  await until(() => last() >= before + BETWEEN, "the viewer sees more after the last kill");
  await writeFile(join(workspace?.path ?? "", "stop"), "");
  await until(() => hasEnded, "the session has ended");
  expect(seen).toBe(await readFile(join(workspace?.path ?? "", "record"), "utf8"));
});
