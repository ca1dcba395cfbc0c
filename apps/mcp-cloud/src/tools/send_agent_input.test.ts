import { expect, it } from "vitest";
import { ask, newTenant, onlineDevice, orchard } from "../testing/tool";

it("types to a running session on its device, and to none that has ended", async () => {
  const ada = await newTenant();
  const { device, asked } = await onlineDevice(ada, () => ({ result: { success: true } }));
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  const type = (text: string) => ask(ada, "send_agent_input", { sessionId: id, text });
  expect((await type("yes\r")).data).toEqual({ sessionId: id, success: true });
  expect(asked).toEqual([{ tool: "send_agent_input", params: { sessionId: id, text: "yes\r" } }]);
  await report({ type: "end", id, status: "exited", exitCode: 0 });
  expect((await type("more\r")).text).toBe(
    `session_ended: The agent session ${id} has ended (exited). Start another one with start_agent_session.`,
  );
  expect(asked).toHaveLength(1);
});
