import { readFileSync } from "node:fs";
import { checkTools, describeTool, documentTool } from "@grove/mcp";
import { describe, expect, it } from "vitest";
import { tools } from ".";

describe("the tools", () => {
  it("follow the rules for tools", () => {
    expect(checkTools(tools)).toEqual([]);
  });

  it("are all in the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const listed = [...readme.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  // Contract: desktop.tools
  it("match the snapshot of tools/list, in at most 9 kB", async () => {
    const listed = { tools: tools.map(describeTool) };
    await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot("tools-list.snapshot.txt");
    expect(JSON.stringify(listed).length).toBeLessThan(9_000);
  });

  it("match the snapshot that the reference is made of", async () => {
    const whole = JSON.stringify({ tools: tools.map(documentTool) }, null, 2);
    await expect(`${whole}\n`).toMatchFileSnapshot("tools-reference.snapshot.txt");
  });
});
