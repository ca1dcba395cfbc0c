import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@grove/client";
import { type Started, startProgram } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import { expect } from "vitest";
import { type Runs, root } from "./blocks";
import type { Shell } from "./shell";

/** The machine on which `.ci/ship` runs what needs curl, OpenSSL, npm or a client of Claude. */
export interface Team {
  shell: Shell;
  dataDir: string;
  /** An empty database of a PostgreSQL. */
  databaseUrl(): Promise<string>;
  /** Starts the API of the data directory, which runs until `stopped`, and returns its address. */
  running(): Promise<string>;
  stopped(): Promise<void>;
  /** The account that the pages make, once they have. */
  ada: { token: string };
  /** A terminal of a person with local mode, and the Grove that runs there. */
  local: { shell: Shell; grove?: Started; hasProject?: boolean };
}

/** The commands of pages that `.ci/ship` runs. */
export const shipCommands: Runs<Team> = {
  "apps/api/OPERATE.md": {
    "grove-api doctor": async ({ text }, { shell, running }) => {
      await running();
      const shown = await shell.paste(text);
      if (text.includes("--json")) expect(JSON.parse(shown)).toMatchObject({ healthy: true });
    },
    "grove-api backup": async ({ text }, { shell, stopped }) => {
      await stopped();
      await shell.paste(text);
    },
    "export DATABASE_URL=": async ({ text }, { shell, databaseUrl }) => {
      await shell.paste(text.replace("postgres://…", await databaseUrl()));
    },
    "export CREDENTIALS_KEY=…": async ({ text }, { shell, dataDir }) => {
      const key = await readFile(join(dataDir, "credentials.key"), "utf8");
      await shell.paste(text.replace("…", `'${key.trim()}'`));
    },
    "grove-api restore": async ({ text }, { shell }) => {
      await shell.paste(text);
      // The following commands use another server.
      delete shell.env.DATABASE_URL;
      delete shell.env.CREDENTIALS_KEY;
    },
  },
  "apps/api/README.md": {
    "node apps/api/dist/main.js": async ({ text }, { shell }) => {
      shell.cwd = root;
      await shell.watch(text, '"msg":"listening"');
    },
    "export CREDENTIALS_KEY=": async ({ text }, { shell }) => {
      await shell.paste(text);
    },
    "DATABASE_URL=": async ({ text }, { shell, databaseUrl }) => {
      await shell.watch(text.replace("postgres://…", await databaseUrl()), '"msg":"listening"');
      delete shell.env.CREDENTIALS_KEY;
    },
    "curl -s localhost:3000": async ({ text, output }, { shell, running, ada }) => {
      const { host } = new URL(await running());
      const shown = await shell.paste(text.replace("localhost:3000", host).replace("grs_…", ada.token));
      const names = (json: string) => json.match(/"\w+":/g);
      expect(names(shown)).toEqual(expect.arrayContaining(names(output) ?? ["nothing"]));
      ada.token = JSON.parse(shown).token ?? ada.token;
    },
  },
  "apps/device/README.md": {
    "grove-device project add": async ({ text }, { shell, running, ada }) => {
      // The line before it, the server's own script, has done this.
      const url = await running();
      shell.env.API_KEY = await keyOf(url, ada.token);
      await shell.paste(`grove-device register --api-url ${url}`);
      delete shell.env.API_KEY;
      await mkdir(join(shell.env.HOME ?? "", "code"));
      await shell.paste(
        "git init --quiet ~/code/app && git -C ~/code/app commit --quiet --allow-empty -m Begin",
      );
      expect(await shell.paste(text)).toContain("Project app added");
    },
    "npm install --global": async ({ text }, { shell, running }) => {
      await shell.paste(text.replace("https://grove.example.com", await running()));
      shell.env.PATH = `${shell.env.npm_config_prefix}/bin:${shell.env.PATH}`;
      expect(await shell.paste("command -v grove-device")).toContain(shell.env.npm_config_prefix);
    },
    "grove-device register": async ({ text }, { shell, running, ada }) => {
      const url = await running();
      shell.env.GROVE_HOME = join(shell.env.HOME ?? "", "by-hand");
      const client = createClient({ apiUrl: url, token: ada.token });
      const organizationId = (await client.organization.list.query())[0]?.id ?? "";
      const command = text.replace("https://grove.example.com", url);
      const shown = await shell.watch(command, /\b[A-Z\d]{4}-[A-Z\d]{4}\b/, async (line, program) => {
        const [code = ""] = /\b[A-Z\d]{4}-[A-Z\d]{4}\b/.exec(line) ?? [];
        await client.device.approvePairing.mutate({ organizationId, code });
        await program.ended;
      });
      expect(shown).toContain("grove-device start");
    },
    "grove-device start": async ({ text }, { shell, running, ada }) => {
      const client = createClient({ apiUrl: await running(), token: ada.token });
      const organizationId = (await client.organization.list.query())[0]?.id ?? "";
      const statuses = async () =>
        (await client.device.list.query({ organizationId })).map(({ status }) => status);
      await shell.watch(text, /./, () =>
        until(async () => (await statuses()).includes("online"), "the device is online"),
      );
    },
  },
  "apps/grove/README.md": {
    "grove start": async (_, { local }) => {
      local.grove = startProgram(["grove", "start"], local.shell);
      await local.grove.waitForLine("Ctrl+C stops it");
      expect(local.grove.stdout).toContain(local.hasProject ? "1 project" : "0 projects");
    },
    "grove project add": async ({ text }, { local }) => {
      await local.shell.paste(
        "git init --quiet ~/shop && git -C ~/shop commit --quiet --allow-empty -m Begin",
      );
      expect(await local.shell.paste(text)).toContain("Project shop added");
      local.hasProject = true;
    },
    "grove connect": async ({ text }, { local }) => {
      await isConnected(local.shell, "grove", text);
    },
    "grove api backup": async ({ text }, { local }) => {
      await local.grove?.end("SIGINT");
      await local.shell.paste(text);
    },
    mv: async ({ text }, { local }) => {
      await local.shell.paste(text);
    },
    "grove api restore": async ({ text }, { local }) => {
      await local.shell.paste(text);
    },
  },
  "apps/mcp-cloud/README.md": {
    "claude mcp add": async ({ text }, { shell, running, ada }) => {
      const url = await running();
      const key = await keyOf(url, ada.token);
      const own = text.replace("http://127.0.0.1:3000", url).replace("grk_...", key);
      if (!text.includes("--transport http")) return isConnected(shell, "grove", own);
      await shell.watch(`API_URL=${url} grove-mcp-cloud --http --port 3001`, "3001", () =>
        isConnected(shell, "grove", own),
      );
    },
  },
  "apps/mcp-desktop/README.md": {
    "claude mcp add": ({ text }, { shell }) => isConnected(shell, "desktop", text),
  },
};

/** A new API key of a person. */
async function keyOf(apiUrl: string, token: string): Promise<string> {
  const client = createClient({ apiUrl, token });
  const organizationId = (await client.organization.list.query())[0]?.id ?? "";
  return (await client.apiKey.create.mutate({ organizationId, name: "pages" })).key;
}

/** Adds an MCP server to Claude Code, which then starts it and connects; afterwards removes it. */
async function isConnected(shell: Shell, name: string, command: string): Promise<void> {
  await shell.paste(command);
  expect(await shell.paste("claude mcp list")).toMatch(new RegExp(`^${name}: .*Connected`, "m"));
  await shell.paste(`claude mcp remove ${name}`);
}
