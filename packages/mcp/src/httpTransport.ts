import {
  StreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { MAX_MESSAGE_BYTES } from "./server";

export type HttpTransport = StreamableHTTPServerTransport;

/** A session's transport over HTTP; a longer message than 4 MiB is answered 413. Loaded by who serves HTTP only. */
export const createHttpTransport = (
  options: Pick<
    StreamableHTTPServerTransportOptions,
    "sessionIdGenerator" | "onsessioninitialized" | "onsessionclosed"
  >,
): HttpTransport => new StreamableHTTPServerTransport({ ...options, maxRequestBodySize: MAX_MESSAGE_BYTES });
