import { expect, it } from "vitest";
import { ScriptOutput } from "./scriptOutput";

it("quotes the last 20 lines", () => {
  const output = new ScriptOutput("The hook pre-push");
  expect(output.exitFailure(null)).toBe(
    "The hook pre-push was ended by a signal. Its last output:\n(nothing)",
  );
  const lines = Array.from({ length: 25 }, (_, index) => `line ${index}`);
  for (const line of lines) output.add(line);
  expect(output.exitFailure(2)).toBe(
    `The hook pre-push ended with exit code 2. Its last output:\n${lines.slice(5).join("\n")}`,
  );
});
