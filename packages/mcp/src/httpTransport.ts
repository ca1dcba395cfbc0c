import {
  StreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { MAX_MESSAGE_BYTES } from "./server";

export type HttpTransport = StreamableHTTPServerTransport;

/** A session's transport over HTTP; a message over 4 MiB is answered 413. Only servers that offer HTTP load it. */
export const createHttpTransport = (
  options: Pick<
    StreamableHTTPServerTransportOptions,
    "sessionIdGenerator" | "onsessioninitialized" | "onsessionclosed"
  >,
): HttpTransport => new StreamableHTTPServerTransport({ ...options, maxRequestBodySize: MAX_MESSAGE_BYTES });
