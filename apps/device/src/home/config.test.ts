import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { readConfig } from "./config";
import { openHome } from "./home";

async function homeWith(content?: string, mode = 0o600) {
  const home = await openHome(join(await temporaryDirectory(), "home"));
  if (content !== undefined) {
    await writeFile(home.configFile, content);
    await chmod(home.configFile, mode);
  }
  return home;
}

it("without a file the defaults apply, and a change takes effect immediately", async () => {
  const home = await homeWith();
  expect(await readConfig(home)).toMatchObject({
    agents: {},
    maxSessions: 10,
    allowRepositoryScripts: false,
  });
  await writeFile(home.configFile, JSON.stringify({ agents: { me: { command: ["me", "{prompt}"] } } }), {
    mode: 0o600,
  });
  expect((await readConfig(home)).agents).toEqual({
    me: { command: ["me", "{prompt}"], prompt: "argument", env: {} },
  });
});

const agent = (fields: object) => JSON.stringify({ agents: { me: { command: ["me"], ...fields } } });

it.each([
  ['{\n  "agents": {\n    "me" 1 }\n}', "line 3: Expected ':'"],
  ['{ "agents": { "me": } }', `"me": } }" is not valid JSON`],
  ["[]", "the file: "],
  ['{ "agent": {} }', 'the file: Unrecognized key: "agent"'],
  [agent({}), 'agents.me.command: must have {prompt} among its arguments exactly when prompt is "argument"'],
  [agent({ command: ["{prompt}"] }), "agents.me.command: must have {prompt}"],
  [agent({ command: ["me", "{prompt}"], prompt: "typed" }), "agents.me.command: must have {prompt}"],
  [agent({ command: "me {prompt}" }), "agents.me.command: Invalid input: expected array"],
  [agent({ prompt: "file" }), "agents.me.prompt: "],
  [agent({ prompt: "stdin", env: { "A B": "" } }), "agents.me.env.A B: "],
  ['{ "maxSessions": 101 }', "maxSessions: "],
  ['{ "agents": { "../me": { "command": ["x", "{prompt}"] } } }', "agents.../me: "],
])("a mistake is named with its place: %s", async (content, words) => {
  const home = await homeWith(content);
  await expect(readConfig(home)).rejects.toMatchObject({
    reason: "config_invalid",
    message: expect.stringContaining(words),
  });
  await expect(readConfig(home)).rejects.toThrow(home.configFile);
});

it.each([0o644, 0o620])("a file that others may read or change is refused (mode %o)", async (mode) => {
  const home = await homeWith("{}", mode);
  await expect(readConfig(home)).rejects.toThrow(`chmod 600 '${home.configFile}'`);
});
