import { describe, expect, it } from "vitest";
import * as z from "zod";
import { fixtureTools } from "./fixture";
import { checkTools } from "./policy";
import { defineTool } from "./tool";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const good = {
  name: "good",
  title: "Good",
  description: "Does well. Use it.",
  annotations,
  input: z.strictObject({ a: z.string().describe("A") }),
  run: async () => [],
};
const check = (part: object) => checkTools([defineTool({ ...good, ...part })]);

describe("checkTools", () => {
  it("finds nothing wrong with good tools", () => {
    expect(checkTools(fixtureTools)).toEqual([]);
  });

  it.each([
    [{ name: "Bad-Name" }, "Bad-Name: the name is not snake_case"],
    [{ title: " " }, "good: no title"],
    [{ description: `Long. ${"x".repeat(1000)}` }, "good: the description has 1000 characters or more"],
    [{ description: "no sentence" }, "good: the description does not begin with a sentence"],
    [{ annotations: { ...annotations, openWorldHint: undefined } }, "good: no openWorldHint"],
    [{ input: z.strictObject({ a: z.string() }) }, "good: input.a is not described"],
    [
      { input: z.strictObject({ a: z.array(z.strictObject({ b: z.string() })).describe("A") }) },
      "good: input.a[].b is not described",
    ],
    [
      { input: z.strictObject({ a: z.union([z.string(), z.array(z.string())]).describe("A") }) },
      "good: input.a is a union",
    ],
    [{ input: z.strictObject({ a: z.string().nullable().describe("A") }) }, "good: input.a is a union"],
    [{ input: z.object({ a: z.string().describe("A") }) }, "good: input takes additional properties"],
    [
      { output: z.strictObject({ list: z.array(z.looseObject({})) }) },
      "good: output.list[] takes additional properties",
    ],
  ])("names the violation in %o", (part, problem) => {
    expect(check(part)).toEqual([problem]);
  });

  it("finds a name that is used twice", () => {
    expect(checkTools([defineTool(good), defineTool(good)])).toEqual(["good: defined twice"]);
  });
});
