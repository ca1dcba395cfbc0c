import type { IncomingMessage } from "node:http";
import { MAX_MESSAGE_BYTES } from "../stdio/wire";
import type { Refusal } from "./access";

export interface BodyRefusal extends Refusal {
  /** JSON-RPC's code. */
  readonly code: number;
}

/** Reads the message that a POST brings. A batch is refused: MCP has had none since 2025-06-18. */
export async function readBody(request: IncomingMessage): Promise<{ body: unknown } | BodyRefusal> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return {
      status: 415,
      message: "Unsupported Media Type: Content-Type must be application/json",
      code: -32000,
    };
  const parts: Buffer[] = [];
  let length = 0;
  // The response to a message that is too long still needs the connection.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_MESSAGE_BYTES)
      return { status: 413, message: "The message is over 4 MiB", code: -32000 };
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    if (!Array.isArray(body)) return { body };
    return { status: 400, message: "Send one message per request, not a batch", code: -32600 };
  } catch {
    return { status: 400, message: "Parse error: Invalid JSON", code: -32700 };
  }
}
