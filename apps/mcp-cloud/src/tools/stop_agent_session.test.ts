import { expect, it } from "vitest";
import { ask, newTenant, onlineDevice, orchard } from "../testing/tool";

it("stops a running session on its device; one that has ended is fine", async () => {
  const ada = await newTenant();
  const { device, asked } = await onlineDevice(ada, () => ({ result: { success: true } }));
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  const stop = () => ask(ada, "stop_agent_session", { sessionId: id });
  expect((await stop()).data).toEqual({ sessionId: id, success: true });
  expect(asked).toEqual([{ tool: "stop_agent_session", params: { sessionId: id } }]);
  await report({ type: "end", id, status: "stopped" });
  expect((await stop()).data).toEqual({ sessionId: id, success: true });
  expect(asked).toHaveLength(1);
});
