import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isRecord } from "../jsonSchema";
import type { Introduction } from "../server";

/**
 * The first messages of every client, which the server answers without the SDK: loading the SDK takes longer than the
 * rest of a start, and most sessions of an agent only list the tools. Anything that is not exactly expected is left to
 * the SDK. A test compares each response with the SDK's own. Benchmark: `cold-start`.
 */

/** The revisions of the older era. A client that asks for another one is left to the SDK. */
const OLDER = ["2025-11-25", "2025-06-18", "2025-03-26"];
const NEWER = "2026-07-28";
const PREFIX = "io.modelcontextprotocol/";
/** The extension by which a call may outlive its request. */
export const TASKS_EXTENSION = `${PREFIX}tasks`;

/** Which era the messages so far have chosen. */
export type Era = "older" | "newer" | undefined;

export interface Answered {
  /** The message to send; none if no response is needed. */
  readonly send?: { readonly jsonrpc: "2.0" } & Record<string, unknown>;
  readonly era: Era;
}

/** Answers one of a client's first messages; undefined if the SDK must. */
export function answerHandshake(
  introduction: Introduction,
  message: JSONRPCMessage,
  era: Era,
): Answered | undefined {
  if (!("method" in message)) return undefined;
  const { method, params = {} } = message;
  if (!isRecord(params)) return undefined;
  const { _meta: meta = {}, ...rest } = params;
  if (!isRecord(meta)) return undefined;
  const isNewer = Object.keys(meta).some((key) => key.startsWith(PREFIX));
  if (!("id" in message)) {
    if (method !== "notifications/initialized" || era !== "older" || isNewer) return undefined;
    return { era, send: { jsonrpc: "2.0", method } };
  }
  if (typeof message.id !== "string" && typeof message.id !== "number") return undefined;
  const result = isNewer
    ? answerNewer(introduction, method, rest, meta, era)
    : answerOlder(introduction, method, rest, era);
  if (!result) return undefined;
  return { era: isNewer ? "newer" : "older", send: { result, jsonrpc: "2.0", id: message.id } };
}

function answerOlder(
  { name, version, instructions, tools }: Introduction,
  method: string,
  params: Record<string, unknown>,
  era: Era,
): object | undefined {
  if (era === undefined && method === "initialize") {
    const { protocolVersion, capabilities, clientInfo } = params;
    if (!OLDER.includes(String(protocolVersion)) || !isRecord(capabilities) || !isNamed(clientInfo))
      return undefined;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version }, instructions };
  }
  if (era !== "older" || Object.keys(params).length > 0) return undefined;
  if (method === "ping") return {};
  return method === "tools/list" ? { tools } : undefined;
}

function answerNewer(
  { name, version, instructions, tools }: Introduction,
  method: string,
  params: Record<string, unknown>,
  meta: Record<string, unknown>,
  era: Era,
): object | undefined {
  const {
    [`${PREFIX}protocolVersion`]: revision,
    [`${PREFIX}clientCapabilities`]: capabilities,
    [`${PREFIX}clientInfo`]: client,
    ...others
  } = meta;
  const isPlain = Object.keys(others).length === 0 && Object.keys(params).length === 0;
  const isUnderstood =
    revision === NEWER && isRecord(capabilities) && (client === undefined || isNamed(client));
  if (era === "older" || !isPlain || !isUnderstood) return undefined;
  const common = {
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [`${PREFIX}serverInfo`]: { name, version } },
  };
  if (method === "server/discover")
    return {
      supportedVersions: [NEWER],
      instructions,
      ...common,
      capabilities: { tools: {}, extensions: { [TASKS_EXTENSION]: {} } },
    };
  return method === "tools/list" ? { tools, ...common } : undefined;
}

const isNamed = (info: unknown): boolean =>
  isRecord(info) && typeof info.name === "string" && typeof info.version === "string";
