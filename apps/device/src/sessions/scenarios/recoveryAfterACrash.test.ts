import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { testContext } from "../../testing/deps";
import { startSessionDevice } from "../../testing/session";
import { startAgentSessionTool } from "../../tools/agents/startAgentSession";
import { SESSION_VARIABLE } from "../process/environment";
import { sessionProcesses } from "../process/processes";
import { writeRecord } from "../reporting/sessionFiles";

it("sessions that a killed device agent left are ended and reported, each once", async () => {
  const { device, workspace } = await startSessionDevice();
  const startedAt = new Date().toISOString();
  const record = () => ({ id: randomUUID(), workspaceId: workspace.id, agent: "test", startedAt });
  const [cutOff, untold] = [record(), record()];
  await writeRecord(device.home, cutOff);
  await writeRecord(device.home, { ...untold, end: { status: "exited", exitCode: 4 } });
  await writeFile(join(device.home.sessionsDir, `${randomUUID()}.json`), "{");
  const env = { ...process.env, [SESSION_VARIABLE]: cutOff.id };
  const left = spawn("sleep", ["1000"], { env, detached: true, stdio: "ignore" });
  onTestFinished(() => void left.kill("SIGKILL"));
  await expect.poll(() => sessionProcesses({ sessionId: cutOff.id })).toEqual([left.pid]);

  device.sessions.recover();
  const tool = startAgentSessionTool(device);
  const recover = (sessionId: string) => tool.recover?.([{ sessionId }], testContext());
  expect(await recover(cutOff.id)).toContain(`session ${cutOff.id} has ended`);
  expect(await sessionProcesses({ sessionId: cutOff.id })).toEqual([]);
  expect(await recover(randomUUID())).toBe("No agent session was started.");
  await until(() => device.test.sessionReports.length === 2);
  expect(device.test.sessionReports).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: cutOff.id,
        type: "end",
        status: "failed",
        error: expect.objectContaining({ reason: "interrupted" }),
      }),
      { id: untold.id, type: "end", status: "exited", exitCode: 4 },
    ]),
  );
});

it("stopping a session that does not run here reports that to the cloud", async () => {
  const { device } = await startSessionDevice();
  const id = randomUUID();
  await device.sessions.stop(id);
  expect(device.test.sessionReports).toMatchObject([
    { id, type: "end", status: "failed", error: { reason: "not_running" } },
  ]);
  await expect(device.sessions.type(id, "x", "live")).rejects.toThrow(
    `No agent session ${id} runs on this device. Running: none.`,
  );
});
