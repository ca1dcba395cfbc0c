import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSessionDevice, startTestSession } from "../../testing/session";
import { stopAgentSessionTool } from "./stopAgentSession";

/** Starts a session whose program leaves a process behind, with its own terminal session and an empty environment. */
async function startLeaving() {
  const { device, workspace } = await startSessionDevice();
  const left = "cd . && env -i PATH=$PATH setsid sh -c 'echo $$ > left; exec sleep 1000' & exec sleep 1000";
  const session = await startTestSession(device, workspace.id, { command: ["sh", "-c", left, "{prompt}"] });
  const pid = async () => Number(await readFile(join(workspace.path, "left"), "utf8").catch(() => "0"));
  await expect.poll(pid).toBeGreaterThan(0);
  const leftover = await pid();
  onTestFinished(() => {
    process.kill(leftover, "SIGKILL");
  });
  const stop = (sessionId: string) => stopAgentSessionTool(device).run({ sessionId }, session.context);
  return { device, workspace, session, leftover, stop };
}

it("a stop names the programs that still work in the workspace", async () => {
  const { session, leftover, stop } = await startLeaving();
  const { warnings } = await stop(session.id);
  expect(warnings).toEqual([
    expect.stringMatching(`^Programs still work in its workspace: sleep ${leftover} in`),
  ]);
});

it("the programs of another session in the workspace are no leftovers", async () => {
  const { device, workspace, session, stop } = await startLeaving();
  const other = await startTestSession(device, workspace.id, { command: ["sleep", "{prompt}"] }, "1000");
  expect(await stop(session.id)).toEqual({ success: true });
  expect(await stop(other.id)).toMatchObject({ warnings: [expect.stringContaining("sleep")] });
});
