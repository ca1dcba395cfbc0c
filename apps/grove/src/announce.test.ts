import { describe, expect, it } from "vitest";
import { announcement, announcementJson, shell } from "./announce";
import { dataDirAt } from "./local/dataDir";

const local = {
  file: {
    apiUrl: "http://127.0.0.1:3000",
    apiKey: "grk_secret",
    organizationId: "01a1fe47-026e-7602-a1f0-88172a9324db",
    deviceId: "01a1fe47-0361-71d0-8cf9-85e9d81e6af1",
    groveHome: "/home/ada/my code/.grove/device",
  },
  device: { id: "01a1fe47-0361-71d0-8cf9-85e9d81e6af1", name: "laptop", status: "online" as const },
  dir: dataDirAt("/home/ada/my code/.grove"),
};

describe("announcement", () => {
  it("gives a configuration that can be pasted as it is", () => {
    const said = announcement(local, { toTerminal: true });
    const block = said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1);
    expect(JSON.parse(block)).toEqual({
      mcpServers: {
        grove: {
          command: "node",
          args: [expect.stringMatching(/\/mcp-cloud\/dist\/main\.js$/)],
          env: { API_URL: "http://127.0.0.1:3000", API_KEY: "grk_secret" },
        },
      },
    });
  });

  it("tells the key to a terminal only, and else where it is", () => {
    const said = announcement(local, { toTerminal: false });
    expect(said).not.toContain("grk_secret");
    expect(said).toContain('"API_KEY": "the apiKey in /home/ada/my code/.grove/local.json"');
  });

  it("names the next command as a shell takes it", () => {
    expect(announcement(local, { toTerminal: true })).toMatch(
      /^ {2}env 'GROVE_HOME=\/home\/ada\/my code\/\.grove\/device' node \S+\/device\/dist\/main\.js project add <path>$/m,
    );
  });

  it("is one line without a secret as JSON", () => {
    const said = announcementJson(local);
    expect(said).not.toContain("grk_secret");
    expect(said).not.toContain("\n");
    expect(JSON.parse(said)).toMatchObject({
      apiUrl: "http://127.0.0.1:3000",
      device: { name: "laptop" },
      localFile: "/home/ada/my code/.grove/local.json",
      addProject: [
        "env",
        "GROVE_HOME=/home/ada/my code/.grove/device",
        "node",
        expect.any(String),
        "project",
        "add",
      ],
    });
  });
});

describe("shell", () => {
  it("quotes what a shell would not take as it is", () => {
    expect(shell(["a", "b c", "it's", "$HOME", "A=b/c.d"])).toBe("a 'b c' 'it'\\''s' '$HOME' A=b/c.d");
  });
});
