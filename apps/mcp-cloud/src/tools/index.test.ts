import { readFile } from "node:fs/promises";
import { checkTools, describeTool, documentTool } from "@grove/mcp";
import { describe, expect, it } from "vitest";
import { instructions } from "../instructions";
import { tools } from ".";

describe("the tools", () => {
  it("follow the rules for tools", () => {
    expect(checkTools(tools)).toEqual([]);
  });

  // Contract: cloud.tools
  it("match the snapshot of tools/list, in under 26 kB", async () => {
    const listed = { tools: tools.map(describeTool) };
    await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot("tools-list.snapshot.txt");
    expect(JSON.stringify(listed).length).toBeLessThan(26_000);
  });

  it("match the snapshot that the reference is made of", async () => {
    const whole = JSON.stringify({ tools: tools.map(documentTool) }, null, 2);
    await expect(`${whole}\n`).toMatchFileSnapshot("tools-reference.snapshot.txt");
  });

  it("are all in the README's table, which names no others", async () => {
    const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
    const rows = readme.split("\n").filter((line) => line.startsWith("| `"));
    const named = rows.flatMap((row) => row.split("|")[1]?.match(/[a-z_]+/g) ?? []);
    expect(named.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it("are introduced in under 120 words", () => {
    expect(instructions.split(/\s+/).length).toBeLessThan(120);
  });
});
