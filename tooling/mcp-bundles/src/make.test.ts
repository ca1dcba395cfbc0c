import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { getMcpConfigForManifest, MANIFEST_SCHEMAS, unpackExtension } from "@anthropic-ai/mcpb";
import { toPublished } from "@grove/release/manifest";
import { startMcpServer } from "@grove/testing/mcpClient";
import { runProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Made, makeAll } from "./make";
import { serverJson } from "./serverJson";

const ADDRESS = "https://github.com/grove/grove/releases/download/v0.1.0";
let made: Made[];
beforeAll(async () => {
  made = await makeAll(await temporaryDirectory(afterAll), ADDRESS);
});
const of = (command: string): Made => {
  const found = made.find(({ server }) => server.command === command);
  if (!found) throw new Error(`${command} was not made.`);
  return found;
};
const commands = ["grove-mcp-cloud", "grove-mcp-desktop"];

describe.each(commands)("server.json of %s", (command) => {
  it("is what the registry accepts, and names the mcpName and version of the package as it is published", async () => {
    const { server, bundle, description } = of(command);
    const described = serverJson.parse(JSON.parse(await readFile(description, "utf8")));
    const manifest = toPublished(JSON.parse(await readFile(join(server.folder, "package.json"), "utf8")));
    expect(described).toMatchObject({ name: manifest.mcpName, version: manifest.version });
    const [npm, mcpb] = described.packages;
    expect(npm).toMatchObject({ identifier: manifest.name, version: manifest.version });
    expect(mcpb).toMatchObject({
      identifier: `${ADDRESS}/${command}.mcpb`,
      fileSha256: createHash("sha256")
        .update(await readFile(bundle))
        .digest("hex"),
    });
  });

  it("names only variables that the program reads, with its defaults", async () => {
    const { server, description } = of(command);
    const program = [process.execPath, join(server.folder, "dist/main.js"), "--help"];
    const { stdout } = await runProgram(program, { env: {}, endAfter: onTestFinished });
    const { packages } = serverJson.parse(JSON.parse(await readFile(description, "utf8")));
    for (const { name, default: value = "" } of packages[0].environmentVariables) {
      const [line = ""] = stdout.split("\n").filter((text) => text.startsWith(`  ${name} `));
      expect(line).not.toBe("");
      if (value.startsWith("http")) expect(line).toContain(`(default ${value})`);
    }
  });
});

/** Unpacks a bundle, and reads how a client starts it for a person who has filled in these settings. */
async function install(command: string, userConfig: Record<string, string>) {
  const folder = await temporaryDirectory();
  expect(await unpackExtension({ mcpbPath: of(command).bundle, outputDir: folder, silent: true })).toBe(true);
  const text = await readFile(join(folder, "manifest.json"), "utf8");
  const manifest = MANIFEST_SCHEMAS["0.3"].parse(JSON.parse(text));
  const options = { manifest, extensionPath: folder, systemDirs: {}, userConfig, pathSeparator: sep };
  return { manifest, config: await getMcpConfigForManifest(options) };
}
const apiUrl = "http://127.0.0.1:9";

describe.each([
  ["grove-mcp-cloud", { api_url: apiUrl, api_key: "grk_secret" }],
  ["grove-mcp-desktop", {}],
] as [string, Record<string, string>][])("the bundle of %s", (command, filled) => {
  it("lists the tools of the built server, without a network", async () => {
    const { manifest, config } = await install(command, filled);
    if (!config) throw new Error("The client has not enough settings to start it.");
    const { command: node, args = [], env = {} } = config;
    expect(node).toBe("node");
    expect(JSON.stringify(env)).not.toContain("user_config");
    const client = await startMcpServer({ command: process.execPath, args, env }, onTestFinished);
    const built = await startMcpServer(
      { command: process.execPath, args: [join(of(command).server.folder, "dist/main.js")] },
      onTestFinished,
    );
    const { tools } = await client.listTools();
    expect(tools).toEqual((await built.listTools()).tools);
    expect(manifest.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  });
});

describe("the API key", () => {
  it("is kept in the keychain and out of the command line; without it, no client starts the server", async () => {
    const filled = { api_url: apiUrl, api_key: "grk_secret" };
    const { manifest, config } = await install("grove-mcp-cloud", filled);
    expect(manifest.user_config?.api_key).toMatchObject({ sensitive: true, required: true });
    expect(config?.env?.API_KEY).toBe("grk_secret");
    expect(config?.args?.join()).not.toContain("grk_secret");
    expect((await install("grove-mcp-cloud", { api_url: apiUrl })).config).toBeUndefined();
  });
});

describe("what the registry refuses", () => {
  it.each([
    ["a version that is a range", { version: "^1.0.0" }],
    ["a long description", { description: "a".repeat(101) }],
    ["a name without a namespace", { name: "grove" }],
    ["an unknown field", { licence: "MIT" }],
  ])("is %s", async (_, change) => {
    const described = JSON.parse(await readFile(of("grove-mcp-cloud").description, "utf8"));
    expect(serverJson.safeParse(described).success).toBe(true);
    expect(serverJson.safeParse({ ...described, ...change }).success).toBe(false);
  });
});
