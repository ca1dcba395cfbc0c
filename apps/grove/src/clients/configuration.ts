import { randomUUID } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "@grove/schemas";
import type { McpServer } from "../commands/statusSummary";
import { UserError } from "../errors";
import type { McpClient } from "./clients";

/** The name under which clients know this server. */
const NAME = "grove";
const HEADER = `[mcp_servers.${NAME}]`;

/** The content of a client's file that contains only the server. */
export function blockFor(format: McpClient["format"], server: McpServer): string {
  if (format === "toml") return toml(server);
  return `${JSON.stringify({ [format]: { [NAME]: entryFor(format, server) } }, null, 2)}\n`;
}

/**
 * Puts the server into a client's file, and leaves everything else in it as it was.
 * @throws {UserError} if the file cannot be parsed; it is not touched then
 */
export async function addTo(path: string, format: McpClient["format"], server: McpServer): Promise<void> {
  // A symbolic link to the user's settings stays a link.
  const file = await realpath(path).catch(() => path);
  const before = await readIfThere(file);
  const after =
    format === "toml" ? mergedToml(before, path, server) : mergedJson(before, path, format, server);
  if (after !== before) await replace(file, after);
}

const entryFor = (format: "mcpServers" | "servers", server: McpServer) =>
  format === "servers" ? { type: "stdio", ...server } : server;

function mergedJson(
  before: string,
  path: string,
  format: "mcpServers" | "servers",
  server: McpServer,
): string {
  const settings = before.trim() === "" ? {} : parseObject(before, path);
  const servers = settings[format] ?? {};
  if (!isObject(servers)) throw notUnderstood(path, `"${format}" is not an object`);
  const entry = entryFor(format, server);
  if (JSON.stringify(servers[NAME]) === JSON.stringify(entry)) return before;
  const merged = { ...settings, [format]: { ...servers, [NAME]: entry } };
  return `${JSON.stringify(merged, null, /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2)}\n`;
}

function parseObject(text: string, path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // The file may have comments, which would get lost.
  }
  throw notUnderstood(path, "it is not plain JSON");
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const notUnderstood = (path: string, why: string) =>
  new UserError(
    `${path} was left as it is, since ${why}. Run the same command with --print to see what to add.`,
  );

const toml = ({ command, args }: McpServer): string =>
  `${HEADER}\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;

/** The header of the server's table, or of one below it, such as its `env`. */
const OWN_TABLE = new RegExp(`^\\s*\\[\\s*mcp_servers\\s*\\.\\s*(["']?)${NAME}\\1\\s*[.\\]]`);
/** Other spellings of that table. With the table written twice, the file would be invalid for the client. */
const OTHER_SPELLING = new RegExp(`^\\s*(mcp_servers\\s*[.=]|(["']?)${NAME}\\2\\s*[.=])`, "m");

/** Replaces the server's tables, or appends one. */
function mergedToml(before: string, path: string, server: McpServer): string {
  if (OTHER_SPELLING.test(before)) throw notUnderstood(path, "it names its servers outside of [tables]");
  const tables = before.split(/^(?=[ \t]*\[)/m);
  const at = tables.findIndex((table) => OWN_TABLE.test(table));
  if (at < 0) return `${before === "" ? "" : `${before.trimEnd()}\n\n`}${toml(server)}`;
  const replaced = (table: string, index: number) => {
    if (!OWN_TABLE.test(table)) return table;
    const below = linesBelow(table);
    if (index === at) return toml(server) + below;
    return below.trim() === "" ? "" : below;
  };
  return tables.map(replaced).join("");
}

/** The empty lines and comments at the end of a table, which belong to the next table. */
const linesBelow = (table: string): string => (/(\n[ \t]*(#[^\n]*)?)*$/.exec(table)?.[0] ?? "").slice(1);

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Replaces a file atomically and keeps its permissions. */
async function replace(path: string, content: string): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, content, { mode, flag: "wx", flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new UserError(`${path} cannot be written: ${messageOf(error)}`);
  }
}
