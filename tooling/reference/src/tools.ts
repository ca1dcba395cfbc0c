import { readFile } from "node:fs/promises";
import { fieldTable, type JsonSchema, typeOf } from "./schema";

interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: Record<string, boolean | string>;
}

/** The page of an MCP server's tools, from its tested snapshot of their whole schemas. */
export async function toolsPage(server: string, snapshot: URL): Promise<string> {
  const { tools } = JSON.parse(await readFile(snapshot, "utf8")) as { tools: ListedTool[] };
  return `# Tools of ${server}

Generated from the code by \`pnpm --filter @grove/reference generate\`.

Failures are results with \`isError\`: a stable code, what was wrong, and the next step.

${tools.map(section).join("\n\n")}
`;
}

function section({
  name,
  description = "",
  inputSchema,
  outputSchema,
  annotations = {},
}: ListedTool): string {
  const hints = Object.entries(annotations)
    .filter(([, value]) => value === true)
    .map(([hint]) => hint.replace(/Hint$/, ""));
  return [
    `## ${name}`,
    ...(hints.length > 0 ? [hints.join(", ")] : []),
    description,
    ...(Object.keys(inputSchema.properties ?? {}).length > 0 ? [fieldTable(inputSchema)] : []),
    ...(outputSchema ? [`Answers \`${typeOf(outputSchema)}\``] : []),
  ].join("\n\n");
}
