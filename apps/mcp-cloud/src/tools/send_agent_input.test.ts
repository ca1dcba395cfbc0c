import { expect, it } from "vitest";
import { ask, newTenant, onlineDevice, orchard } from "../testing/tool";

it("types into a running session on its device and shows what follows, but refuses one that has ended", async () => {
  const ada = await newTenant();
  const screen = { output: "Thank you.", truncated: false, screen: 5 };
  const { device, asked } = await onlineDevice(ada, ({ tool }) => ({
    result: tool === "get_agent_screen" ? screen : { success: true },
  }));
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  const type = (text: string) => ask(ada, "send_agent_input", { sessionId: id, text, screen: 4 });
  expect((await type("yes\r")).data).toEqual({
    sessionId: id,
    success: true,
    status: "running",
    state: "working",
    source: "screen",
    ...screen,
  });
  expect(asked).toEqual([
    { tool: "send_agent_input", params: { sessionId: id, text: "yes\r", screen: 4 } },
    { tool: "get_agent_screen", params: { sessionId: id, length: 2_000, offset: 0, settleMs: 2_000 } },
  ]);
  await report({ type: "end", id, status: "exited", exitCode: 0 });
  expect((await type("more\r")).text).toBe(
    `session_ended: The agent session ${id} has ended (exited). Start another one with start_agent_session.`,
  );
  expect(asked).toHaveLength(2);
});
