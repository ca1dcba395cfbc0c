import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { procedures } from "@grove/api/router";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";
import { fieldTable, type JsonSchema, typeOf } from "./schema";

const apiSource = fileURLToPath(new URL("../../../apps/api/src", import.meta.url));

/** The router of each folder with procedures. */
const routers: Record<string, string> = {
  accounts: "user",
  admin: "admin",
  agentRequests: "agent",
  agentSessions: "agent",
  analytics: "analytics",
  apiKeys: "apiKey",
  changes: "workspace.change",
  reviews: "workspace.review",
  "reviews/agentWork": "agent",
  chat: "chat",
  devices: "device",
  commands: "agent",
  dispatch: "agent",
  "dispatch/connect": "device",
  integrations: "integration",
  notifications: "user",
  organizations: "organization",
  projects: "project",
  tasks: "task",
  workspaces: "workspace",
};

/**
 * The page of all procedures.
 * @throws {Error} naming the procedures that have no docstring
 */
export async function proceduresPage(): Promise<string> {
  const docs = await docstrings();
  const missing = Object.keys(procedures).filter((path) => !docs.has(path));
  if (missing.length > 0) throw new Error(`These procedures have no docstring: ${missing.join(", ")}`);
  const sections = Object.entries(procedures)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, procedure]) => section(path, procedure, docs.get(path) ?? ""));
  return `# Procedures

Generated from the code by \`pnpm --filter @grove/reference generate\`.

Queries are \`GET /api/trpc/<name>?input=<JSON>\`, mutations \`POST\` with a JSON body, subscriptions server-sent events.
Guards: *public* requires no credential, *protected* a session or an API key, *session* a session, and *admin* a site
admin's session. *member*, *admin* (of the organization) and *owner* require at least that role, *device* requires
a device key, and *+device* also accepts a device key of the same organization. Every procedure may fail with UNAUTHORIZED
or with BAD_REQUEST and \`data.fieldErrors\`; within an organization also with FORBIDDEN (\`not_a_member\`,
\`role_required\`, \`scope_required\`).

${sections.join("\n\n")}
`;
}

function section(path: string, { _def }: AnyProcedure, doc: string): string {
  // The parts of a procedure, which its public type hides.
  const { type, meta, inputs, output } = _def as unknown as {
    type: string;
    meta: { guard: string };
    inputs: z.ZodType[];
    output?: { schema: z.ZodType };
  };
  const input = inputs.map((schema) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const fields = input
    .filter((schema) => schema.properties)
    .map((schema) => fieldTable(schema as JsonSchema));
  const answer = output && typeOf(z.toJSONSchema(output.schema, { unrepresentable: "any" }) as JsonSchema);
  return [
    `## ${path}`,
    `${type}, ${meta.guard}`,
    doc,
    ...fields,
    ...(answer ? [`Answers \`${answer}\``] : []),
  ].join("\n\n");
}

/** The docstring of each procedure, by `<router>.<procedure>`, read from the source. */
async function docstrings(): Promise<Map<string, string>> {
  const docs = new Map<string, string>();
  const files = (await readdir(apiSource, { recursive: true }))
    .filter((file) => /^\w+\/procedures\/\w+\.ts$/.test(file))
    .sort();
  const documented =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(?:export const )?(\w+)(?::| =)\s*\w*[pP]rocedure\w*\(/g;
  for (const file of files) {
    const [folder = "", , group] = file.split(/[./]/);
    const router = routers[`${folder}/${group}`] ?? routers[folder];
    if (router === undefined) throw new Error(`${folder} has procedures, but no router here.`);
    const source = await readFile(join(apiSource, file), "utf8");
    for (const [, comment = "", name = ""] of source.matchAll(documented)) {
      const text = paragraphsOf(comment.replaceAll(/^\s*\*\s?/gm, "").trim());
      docs.set(`${router}.${name}`, text);
      // A file may be a sub-router: `integration.codehost.listRepos`.
      docs.set(`${router}.${group}.${name}`, text);
    }
  }
  return docs;
}

/** The text with each paragraph and each item of a list on one line, so that wrapping a comment changes no page. */
const paragraphsOf = (text: string) => text.replaceAll(/(?<!\n)\n(?!\n|- )/g, " ");
