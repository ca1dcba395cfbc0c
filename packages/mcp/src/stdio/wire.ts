import type { Readable, Writable } from "node:stream";
import { toError } from "@grove/schemas";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** The largest message accepted. The longest legitimate one, a script for evaluate_js, is far smaller. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Takes what comes in over a {@link Wire}. */
export interface Receiver {
  message(message: JSONRPCMessage): void;
  /** A line that is not a message; it is left out. */
  error(error: Error): void;
  /** A message was over 4 MiB; no more messages are read. */
  close(): void;
}

/** JSON-RPC messages over a pair of streams, one a line. */
export class Wire {
  readonly #input: Readable;
  readonly #output: Writable;
  #chunks: Buffer[] = [];
  #chunksLength = 0;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  /** Starts reading. */
  receive(receiver: Receiver): void {
    const read = (chunk: Buffer) => {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        this.#addChunk(chunk.subarray(from, end));
        from = end + 1;
        if (this.#chunksLength <= MAX_MESSAGE_BYTES) this.#deliver(receiver);
      }
      this.#addChunk(chunk.subarray(from));
      if (this.#chunksLength <= MAX_MESSAGE_BYTES) return;
      this.#input.off("data", read);
      this.#chunks = [];
      receiver.error(new Error(`A message exceeded maximum size (${MAX_MESSAGE_BYTES} bytes)`));
      receiver.close();
    };
    this.#input.on("data", read);
  }

  #addChunk(part: Buffer): void {
    if (part.length > 0) this.#chunks.push(part);
    this.#chunksLength += part.length;
  }

  #deliver(receiver: Receiver): void {
    const line = Buffer.concat(this.#chunks).toString("utf8").trim();
    this.#chunks = [];
    this.#chunksLength = 0;
    if (line === "") return;
    try {
      receiver.message(parse(line));
    } catch (error) {
      receiver.error(toError(error));
    }
  }

  /** Writes a message; resolves when it has been handed to the system. */
  send(message: object): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }
}

/** The SDK checks the rest. */
function parse(line: string): JSONRPCMessage {
  const message: unknown = JSON.parse(line);
  if (typeof message === "object" && message !== null && "jsonrpc" in message && message.jsonrpc === "2.0")
    return message as JSONRPCMessage;
  throw new Error("A line is not a JSON-RPC message");
}
