import { expect, it } from "vitest";
import { hookMessage } from "./event";

const inputOf = (input: object) => hookMessage.parse({ token: "t", at: 1, input }).input;

it("converts Gemini's events to those of Claude Code", () => {
  expect(inputOf({ hook_event_name: "BeforeAgent", prompt: "x" }).hook_event_name).toBe("UserPromptSubmit");
  expect(inputOf({ hook_event_name: "AfterTool", tool_name: "x" }).hook_event_name).toBe("UserPromptSubmit");
  expect(inputOf({ hook_event_name: "AfterAgent" }).hook_event_name).toBe("Stop");
  const details = { type: "exec", command: "ls" };
  const asked = { hook_event_name: "Notification", notification_type: "ToolPermission", details };
  expect(inputOf(asked)).toMatchObject({
    hook_event_name: "PermissionRequest",
    is_answerable: false,
    tool_name: "exec",
    tool_input: { command: "ls" },
  });
});
