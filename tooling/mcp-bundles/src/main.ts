import { makeAll } from "./make";

const [directory, address] = process.argv.slice(2);
if (directory === undefined || address === undefined || !URL.canParse(address)) {
  process.stderr.write(
    "Usage: pnpm --filter @grove/mcp-bundles make <directory> <address of the release's files>\n",
  );
  process.exit(2);
}
for (const { bundle, description } of await makeAll(directory, address))
  process.stdout.write(`${bundle}\n${description}\n`);
