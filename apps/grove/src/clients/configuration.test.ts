import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { beforeEach, expect, it } from "vitest";
import { clientNames, clients } from "./clients";
import { addTo, blockFor } from "./configuration";

const server = { command: "/usr/bin/node", args: ["/opt/main.js", "--local", "/home/ada/.grove"] };
let directory: string;
let path: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, "below", "settings");
});

const read = () => readFile(path, "utf8");
const given = async (content: string) => {
  path = join(directory, "settings");
  await writeFile(path, content);
};

it.each(clientNames)("makes the file of %s with nothing but the block that is printed", async (name) => {
  const { format } = clients[name];
  await addTo(path, format, server);
  expect(await read()).toBe(blockFor(format, server));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it("replaces Grove's entry in a JSON file, and keeps everything else and the permissions", async () => {
  const other = { command: "x", env: { KEY: "secret" } };
  const settings = {
    theme: "dark",
    mcpServers: { other, grove: { command: "old", env: { API_KEY: "grk_old" } } },
  };
  await given(JSON.stringify(settings, null, 4));
  await chmod(path, 0o640);
  await addTo(path, "mcpServers", server);
  expect(JSON.parse(await read())).toEqual({ theme: "dark", mcpServers: { other, grove: server } });
  expect(await read()).toContain('\n    "theme"');
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  const once = await read();
  await addTo(path, "mcpServers", server);
  expect(await read()).toBe(once);
  expect(await readdir(directory)).toEqual(["settings"]);
});

it("keeps everything else in a TOML file", async () => {
  const before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n';
  await given(before);
  await addTo(path, "toml", { ...server, command: "/old" });
  await writeFile(path, `${await read()}\n[profiles.z]\nmodel = "w"\n`);
  await addTo(path, "toml", server);
  expect(await read()).toBe(`${before}\n${blockFor("toml", server)}\n[profiles.z]\nmodel = "w"\n`);
});

it("replaces all of Grove's tables in a TOML file", async () => {
  const old = '[mcp_servers."grove"]\ncommand = "old"\nargs = [\n  "a",\n]\n';
  const env = '\n[ mcp_servers.grove.env ]\nAPI_KEY = "grk_old"\n';
  await given(`${old}\n# mine\n[profiles.z]\nmodel = "w"\n${env}\n[mcp_servers.groves]\ncommand = "y"\n`);
  await addTo(path, "toml", server);
  expect(await read()).toBe(
    `${blockFor("toml", server)}\n# mine\n[profiles.z]\nmodel = "w"\n\n[mcp_servers.groves]\ncommand = "y"\n`,
  );
});

it.each([
  'mcp_servers = { other = { command = "y" } }',
  'mcp_servers.grove.command = "y"',
  '[mcp_servers]\ngrove = { command = "y" }',
])("does not change a TOML file that declares its servers in another form: %j", async (content) => {
  await given(content);
  await expect(addTo(path, "toml", server)).rejects.toThrow(`${path} was left as it is, since`);
  expect(await read()).toBe(content);
});

it.each(["// a comment\n{}", "[]", '{ "mcpServers": [] }', '{ "mcpServers": '])(
  "leaves %j as it is, and states what to do",
  async (content) => {
    await given(content);
    await expect(addTo(path, "mcpServers", server)).rejects.toThrow(`${path} was left as it is, since`);
    expect(await read()).toBe(content);
  },
);

it("writes through a symbolic link", async () => {
  await given("{}");
  const link = join(directory, "link");
  await symlink(path, link);
  await addTo(link, "servers", server);
  expect(JSON.parse(await read())).toEqual({ servers: { grove: { type: "stdio", ...server } } });
  expect(await readFile(link, "utf8")).toBe(await read());
});
