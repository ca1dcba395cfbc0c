import { errorData } from "@grove/client";
import type { AgentAnswer } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { startAsking } from "./world/asking";
import { suspendTree } from "./world/processTree";
import { useScene } from "./world/scene";

const scene = useScene();

const allow: AgentAnswer = { decision: "allow", scope: "once" };

/** An agent that asks for permission on a machine that then sleeps. */
async function askAndSleep() {
  const asking = await startAsking(scene, 1);
  const { id } = await asking.asked(1);
  const wake = await suspendTree(asking.device.pid);
  scene.atEnd(wake);
  const row = async () => (await asking.list()).find((request) => request.id === id);
  return { asking, id, wake, row };
}

it("an answer that is given while the machine sleeps is delivered once after it wakes, or not at all", async () => {
  const { asking, id, wake } = await askAndSleep();
  const answered = await asking.answer(scene.cloud.first, id, allow);
  expect(answered).toMatchObject({ status: "answered", delivery: "pending" });
  expect(await asking.decisions()).toEqual([]);
  wake();
  const { delivery } = await asking.settled(id);
  // Its hook may have given up before the device's process had its turn. Then the terminal's prompt is still open.
  if (delivery === "gone") await asking.typeNo();
  const [decision, ...more] = await until(async () => {
    const decisions = await asking.decisions();
    return decisions.length > 0 ? decisions : undefined;
  }, "the agent has a decision");
  expect(more).toEqual([]);
  expect(decision).toEqual(delivery === "gone" ? { behavior: "deny", key: "2" } : { behavior: "allow" });
});

it("a request that expires while the machine sleeps takes no answer, and its prompt stays open", async () => {
  const { asking, id, wake, row } = await askAndSleep();
  await scene.cloud.query("update agent_requests set expires_at = now() where id = $1", [id]);
  const refused = await asking.answer(scene.cloud.first, id, allow).catch(errorData);
  expect(refused).toMatchObject({ reason: "request_expired" });
  wake();
  await asking.device.untilReached();
  await asking.typeNo();
  await until(async () => (await asking.decisions()).length > 0, "the agent has a decision");
  expect(await asking.decisions()).toEqual([{ behavior: "deny", key: "2" }]);
  expect(await row()).toMatchObject({ decision: null, delivery: null });
});

it("an answer that expires before the machine wakes is never delivered", async () => {
  const { asking, id, wake, row } = await askAndSleep();
  asking.device.line.close();
  await asking.device.untilStatus("offline");
  await asking.answer(scene.cloud.first, id, allow);
  await scene.cloud.query(
    "update device_commands set queue_expires_at = now() from agent_requests where command_id = device_commands.id",
  );
  asking.device.line.open();
  wake();
  await until(async () => (await row())?.delivery === "failed", "the answer has failed");
  await asking.device.untilReached();
  await asking.typeNo();
  await until(async () => (await asking.decisions()).length > 0, "the agent has a decision");
  expect(await asking.decisions()).toEqual([{ behavior: "deny", key: "2" }]);
});
