import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { localFile } from "@grove/schemas";
import { startMcpServer } from "@grove/testing/mcpClient";
import type { Started } from "@grove/testing/process";
import { expect } from "vitest";
import { type Command, type Runs, root } from "./blocks";
import type { Shell } from "./shell";

/** The machine of the first journey: `~/grove` is the clone, Grove runs, and `~/shop` is a repository. */
export interface Journey {
  home: string;
  dataDir: string;
  shell: Shell;
  grove: Started;
}

/** The commands of pages that CI runs. */
export const firstJourney: Runs<Journey> = {
  "README.md": {
    // The part that installs and builds is proven in `.ci/ship`.
    "npm start": async ({ output }, { grove, ...journey }) => {
      const isSaid = (line: string) => line !== "" && !/^(Installed|Built) in/.test(line);
      const shown = asOnPage(output, journey).split("\n").filter(isSaid);
      // Without a terminal, it shows how to get the address that signs a browser in.
      const skipped = shown.findIndex((line) => line.startsWith("  Console "));
      const expected = output
        ? shown.toSpliced(skipped, 2)
        : ["Grove is running at <address> (this machine only)."];
      const lines = asOnPage(grove.stderr + grove.stdout, journey).split("\n");
      expect(lines).toEqual(expect.arrayContaining(expected));
    },
    node: pasteAndCompare,
    git: pasteAndCompare,
    create_workspace: async ({ text, output }, journey) => {
      const { mcpServers } = JSON.parse(await readFile(join(journey.home, ".claude.json"), "utf8"));
      const client = await startMcpServer(mcpServers.grove);
      try {
        const [, name = "", input = ""] = /^(\w+) ([\s\S]+)$/.exec(text) ?? [];
        const local = localFile.parse(
          JSON.parse(await readFile(join(journey.dataDir, "local.json"), "utf8")),
        );
        const listed = await client.callTool({ name: "list_projects", arguments: {} });
        const { projects } = listed.structuredContent as { projects: { id: string }[] };
        const ids = { deviceId: local.deviceId, projectId: projects[0]?.id };
        const response = await client.callTool({ name, arguments: { ...JSON.parse(input), ...ids } });
        const onOneLine = (value: unknown) => asOnPage(JSON.stringify(value), journey);
        expect(onOneLine(response.structuredContent)).toBe(onOneLine(JSON.parse(output)));
      } finally {
        await client.close();
      }
    },
  },
  "apps/mcp-cloud/README.md": {
    "grove-mcp-cloud --http": async ({ text }, { shell }) => {
      await shell.watch(text.replace("--port 3001", "--port 0"), /127\.0\.0\.1:\d+/);
    },
  },
  "tooling/deploy/README.md": {
    "tooling/deploy/secrets.sh": async ({ text }, { shell }) => {
      expect(await shell.paste(`${root}/${text}`)).toContain("made secrets/credentials-key");
    },
    "export GROVE_DOMAIN=": async ({ text }, { shell }) => {
      await shell.paste(text);
      expect(shell.env).toMatchObject({ GROVE_DOMAIN: expect.any(String), GROVE_OWNER: expect.any(String) });
    },
  },
};

async function pasteAndCompare({ text, directory, output }: Command, journey: Journey): Promise<void> {
  const { shell, home } = journey;
  shell.cwd = directory.replace("~", home);
  expect(asOnPage(await shell.paste(text), journey).trim()).toBe(asOnPage(output, journey).trim());
}

/** Replaces what differs between machines and runs, as the page does with homes and names. */
const asOnPage = (text: string, { dataDir, home }: Pick<Journey, "dataDir" | "home">): string =>
  text
    .replaceAll(` --data-dir '${dataDir}'`, "")
    .replaceAll(dataDir, "~/grove/.grove")
    .replaceAll(root, "~/grove")
    .replaceAll(home, "~")
    .replaceAll(encodeURI(home), "~")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "<address>")
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, "<id>")
    .replace(/\b[\da-f]{7}\b(?= \[)/g, "<commit>")
    .replace(/ +(?=(<commit>|\[))/g, " ")
    .replace(/organization "\w+"/, "organization <name>")
    .replace(/^\S+ is online · .*/m, "<machine> is online");
