import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import type { Scope } from "./scope";

export interface StatementLog {
  /** The URL of the database through this log. */
  url: string;
  /** Returns the SQL of the statements since the last call, in order. */
  take(): string[];
}

/**
 * A proxy between a program and its PostgreSQL that records each statement that is actually sent. It costs time, so
 * nothing is timed through it.
 */
export async function logStatements(scope: Scope, databaseUrl: string): Promise<StatementLog> {
  const target = new URL(databaseUrl);
  let statements: string[] = [];
  const server = createServer((program) => {
    const database = connect(Number(target.port), target.hostname);
    const read = messageReader((statement) => statements.push(statement));
    program.on("data", read);
    program.pipe(database).pipe(program);
    for (const socket of [program, database])
      socket.on("error", () => undefined).on("close", () => [program, database].map((end) => end.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  scope.defer(() => server.close());
  const statementsUrl = new URL(databaseUrl);
  statementsUrl.port = String((server.address() as AddressInfo).port);
  return {
    url: statementsUrl.href,
    take: () => {
      const counted = statements;
      statements = [];
      return counted;
    },
  };
}

/**
 * Reads a client's messages (PostgreSQL's documentation, "Message Formats"): a start-up packet, then messages with a
 * type, a length and a body. A simple query carries its text; a bound prepared statement carries its name.
 */
function messageReader(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let typeLength = 0;
  let unread = Buffer.alloc(0);
  return (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= typeLength + 4) {
      const length = typeLength + unread.readInt32BE(typeLength);
      if (unread.length < length) return;
      const type = unread.toString("latin1", 0, typeLength);
      const [first = "", second = ""] = unread.toString("utf8", typeLength + 4, length).split("\0", 2);
      if (type === "P") prepared.set(first, second);
      if (type === "B") onStatement(prepared.get(second) ?? second);
      if (type === "Q") onStatement(first);
      unread = unread.subarray(length);
      typeLength = 1;
    }
  };
}
