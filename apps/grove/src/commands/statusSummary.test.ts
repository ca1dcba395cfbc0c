import { describe, expect, it } from "vitest";
import { shell } from "../commandLine";
import { dataDirAt } from "../local/dataDir";
import { summary, summaryJson } from "./statusSummary";

const device = { name: "laptop", status: "online" as const };
const running = {
  file: {
    apiUrl: "http://127.0.0.1:3000",
    apiKey: "grk_secret",
    organizationId: "01a1fe47-026e-7602-a1f0-88172a9324db",
    deviceId: "01a1fe47-0361-71d0-8cf9-85e9d81e6af1",
    groveHome: "/home/ada/my code/.grove/device",
    proofKey: "ab".repeat(32),
  },
  device,
  dir: dataDirAt("/home/ada/my code/.grove"),
  counts: { projects: 1, workspaces: 2 },
  agents: [
    { name: "claude", version: "2.1.0" },
    { name: "own", version: null },
  ],
};
const env = { path: "/bin" };

describe("summary", () => {
  it("states in a few lines where Grove is, what it contains, and what to do next", () => {
    const text = summary(running, env);
    expect(text.trim().split("\n").length).toBeLessThanOrEqual(12);
    expect(text).toContain("http://127.0.0.1:3000");
    expect(text).toContain("laptop is online · 1 project, 2 workspaces · agents: claude 2.1.0, own");
    expect(text).toMatch(
      /^ {2}Add a repository +node \S+main\.js project --data-dir '\/home\/ada\/my code\/\.grove' add <path>$/m,
    );
    const { agents, ...rest } = running;
    expect(summary({ ...rest, agents: agents.slice(2) }, env)).toContain("no coding agent found");
  });

  it("shows no secret, neither to people nor to programs", () => {
    for (const text of [summary(running, env), summaryJson(running, env)]) {
      expect(text).not.toContain("grk_secret");
      expect(text).not.toContain(running.file.proofKey);
    }
  });

  it("is one line as JSON, with a configuration that works wherever node is", () => {
    const text = summaryJson(running, env);
    expect(text).not.toContain("\n");
    expect(JSON.parse(text)).toMatchObject({
      apiUrl: "http://127.0.0.1:3000",
      device: { name: "laptop" },
      localFile: "/home/ada/my code/.grove/local.json",
      mcpServers: {
        grove: {
          command: process.execPath,
          args: [
            expect.stringMatching(/\/mcp-cloud\/dist\/main\.js$/),
            "--local",
            "/home/ada/my code/.grove",
          ],
        },
      },
      addProject: ["node", expect.any(String), "project", "--data-dir", "/home/ada/my code/.grove", "add"],
    });
  });
});

describe("shell", () => {
  it("quotes words that a shell would change", () => {
    expect(shell(["a", "b c", "it's", "$HOME", "A=b/c.d", "<path>"])).toBe(
      "a 'b c' 'it'\\''s' '$HOME' A=b/c.d <path>",
    );
  });
});
