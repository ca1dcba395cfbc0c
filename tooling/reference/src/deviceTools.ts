import { deviceTools, isReadOnlyTool } from "@grove/schemas";
import * as z from "zod";
import { fieldTable, type JsonSchema, typeOf } from "./schema";

const jsonSchema = (schema: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;

/** The page of the tools that agent.execute runs on a device. */
export const deviceToolsPage = (): string => `# Tools of a device

Generated from the code by \`pnpm --filter @grove/reference generate\`.

\`agent.execute\` runs them on a device, and validates their parameters as the device does. A key with only the scope
\`read\` may run those that change nothing.

${Object.entries(deviceTools)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, tool]) => section(name, tool))
  .join("\n\n")}
`;

function section(
  name: string,
  tool: { params: z.ZodType; result: z.ZodType; timeoutMs: number; keptMs?: number },
) {
  const { params, result, timeoutMs, keptMs } = tool;
  const input = jsonSchema(params, "input");
  return [
    `## ${name}`,
    [
      ...(isReadOnlyTool(name) ? ["changes nothing"] : []),
      `takes at most ${timeoutMs / 60_000} min`,
      ...(keptMs === undefined ? [] : [`its result is kept for ${keptMs / 60_000} min`]),
    ].join(", "),
    ...(Object.keys(input.properties ?? {}).length > 0 ? [fieldTable(input)] : []),
    `Answers \`${typeOf(jsonSchema(result, "output"))}\``,
  ].join("\n\n");
}
