import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { withStateDiagram } from "./architecture";
import { deviceToolsPage } from "./deviceTools";
import { proceduresPage } from "./procedures";
import { toolsPage } from "./tools";

const apps = new URL("../../../apps/", import.meta.url);
const architecture = new URL("../ARCHITECTURE.md", apps);
const pages = [
  { file: architecture, text: withStateDiagram(await readFile(architecture, "utf8")) },
  { file: new URL("api/REFERENCE.md", apps), text: await proceduresPage() },
  { file: new URL("device/REFERENCE.md", apps), text: deviceToolsPage() },
  {
    file: new URL("mcp-cloud/REFERENCE.md", apps),
    text: await toolsPage("mcp-cloud", new URL("mcp-cloud/src/tools/tools-reference.snapshot.txt", apps)),
  },
  {
    file: new URL("mcp-desktop/REFERENCE.md", apps),
    text: await toolsPage("mcp-desktop", new URL("mcp-desktop/src/tools/tools-reference.snapshot.txt", apps)),
  },
];

const check = process.argv.includes("--check");
for (const { file, text } of pages) {
  if (!check) await writeFile(file, text);
  else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    process.stderr.write(
      `${fileURLToPath(file)} is not current. Run \`pnpm --filter @grove/reference generate\` and commit it.\n`,
    );
    process.exitCode = 1;
  }
}
