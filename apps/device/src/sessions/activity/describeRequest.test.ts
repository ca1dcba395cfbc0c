import { agentReportSessionInput, type ReportedRequest } from "@grove/schemas";
import { expect, it } from "vitest";
import type { PermissionHookInput } from "../../hooks/event";
import { ageOf, describeRequest } from "./describeRequest";

const id = "01a216ca-d3de-7036-9553-11beacee1537";
const describe = (asked: Pick<PermissionHookInput, "tool_name" | "tool_input">): ReportedRequest =>
  describeRequest(
    { id, askedAt: 0, held: undefined, asked: { hook_event_name: "PermissionRequest", ...asked } },
    (text) => text.replaceAll("secret", "[redacted]"),
    1_000,
  );
const accepted = (request: ReportedRequest) =>
  agentReportSessionInput.safeParse({
    type: "state",
    id,
    number: 1,
    state: "needs_permission",
    source: "hook",
    ageMs: 0,
    requests: Array.from({ length: 8 }, () => request),
  });

it.each<[string, string, Record<string, unknown>, string, string]>([
  ["a command", "Bash", { command: "rm -rf build", timeout: 1 }, "Bash: rm -rf build", "rm -rf build"],
  ["a file", "Write", { file_path: "a.ts", content: "x" }, "Write: a.ts", '"content": "x"'],
  ["a plan", "ExitPlanMode", { plan: "1. Do it" }, "Accept this plan?", "1. Do it"],
  ["an unknown tool", "mcp__x__y", { deep: { a: [1] } }, "mcp__x__y", '"deep"'],
])("describes %s", (_, tool_name, tool_input, title, input) => {
  const request = describe({ tool_name, tool_input });
  expect(request.title).toBe(title);
  expect(request.input).toContain(input);
});

it.each([
  ["a long edit", { file_path: "a.ts", old_string: "a\n".repeat(20_000), new_string: "b" }],
  ["a long file", { file_path: "a.ts", content: "\u0001".repeat(50_000) }],
  [
    "many edits",
    { edits: Array.from({ length: 20 }, () => ({ old_string: "x".repeat(5_000), new_string: "y" })) },
  ],
])("shortens the texts of %s, and keeps it valid", (_, tool_input) => {
  const { input } = describe({ tool_name: "Edit", tool_input });
  expect(input.length).toBeLessThanOrEqual(16_000);
  expect(Object.keys(JSON.parse(input))).toEqual(Object.keys(tool_input));
  expect(input).toContain("…");
});

it("redacts an edit before it shortens it", () => {
  const content = `${"x".repeat(15_997)}secret`;
  expect(describe({ tool_name: "Write", tool_input: { content } }).input).not.toContain("sec");
});

it("redacts every text of a question", () => {
  const option = { label: "secret one", description: "the secret" };
  const questions = [{ question: "Use secret?", header: "secret", multiSelect: true, options: [option] }];
  const request = describe({ tool_name: "AskUserQuestion", tool_input: { questions } });
  expect(JSON.stringify(request)).not.toContain("secret");
  expect(request.questions).toHaveLength(1);
});

it.each([
  [
    "a very long input",
    { tool_name: "Write", tool_input: { file_path: "é".repeat(9_999), content: "🌳".repeat(50_000) } },
  ],
  [
    "very long questions",
    {
      tool_name: "AskUserQuestion",
      tool_input: {
        questions: Array.from({ length: 10 }, () => ({
          question: "q".repeat(2_000),
          options: Array.from({ length: 10 }, () => ({
            label: "l".repeat(500),
            description: "d".repeat(2_000),
          })),
        })),
      },
    },
  ],
  ["characters that cannot be stored", { tool_name: "B\0ash", tool_input: { command: "\0\ud800 x" } }],
])("is accepted in one call by the API: %s, eight times", (_, asked) => {
  const request = describe(asked);
  expect(accepted(request).error).toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(request)) * 8).toBeLessThan(1024 * 1024);
});

it("gives an age that the API accepts, even if the clock is wrong", () => {
  expect([ageOf(0, 1_000), ageOf(2_000, 1_000), ageOf(0, Number.MAX_SAFE_INTEGER)]).toEqual([
    1_000, 0, 2_147_483_647,
  ]);
});
