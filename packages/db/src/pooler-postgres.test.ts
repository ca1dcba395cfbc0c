import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { examineServer } from "./examineServer";
import { openDatabase } from "./open";
import { PoolerError } from "./pooler";
import { useTestDatabase } from "./testing";

const { url: directUrl = "" } = await useTestDatabase();

/** `AuthenticationOk`, then `ReadyForQuery` outside a transaction. */
const welcome = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");
const ready = Buffer.from("Z\0\0\0\x05I", "latin1");

/**
 * A pooler of transactions with one connection, as PgBouncer is before 1.21: a client has the connection until the
 * server is ready for a query outside a transaction.
 */
async function poolTransactions(): Promise<string> {
  const client = new pg.Client(directUrl);
  client.on("error", () => {});
  await client.connect();
  const { stream } = (client as pg.Client & { connection: pg.Connection }).connection;
  stream.removeAllListeners("data");
  const waiting: { from: Socket; bytes: Buffer }[] = [];
  let owner: Socket | undefined;
  const proceed = () => {
    if (!owner) owner = waiting[0]?.from;
    for (const item of waiting.filter(({ from }) => from === owner)) {
      waiting.splice(waiting.indexOf(item), 1);
      stream.write(item.bytes);
    }
  };
  stream.on("data", (bytes: Buffer) => {
    owner?.write(bytes);
    if (bytes.subarray(-ready.length).equals(ready)) owner = undefined;
    proceed();
  });
  const pooler = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(welcome);
      socket.on("data", (bytes) => {
        if (bytes[0] === "X".charCodeAt(0)) return void socket.end();
        waiting.push({ from: socket, bytes });
        proceed();
      });
    });
  }).listen(0, "127.0.0.1");
  await once(pooler, "listening");
  onTestFinished(() => {
    pooler.close();
    stream.destroy();
  });
  const url = new URL(directUrl);
  url.port = `${(pooler.address() as AddressInfo).port}`;
  return url.href;
}

it("refuses a pooler of transactions that loses prepared statements", async () => {
  const url = await poolTransactions();
  await expect(openDatabase({ url, directUrl })).rejects.toThrow(
    "Use PgBouncer 1.21 or later with max_prepared_statements above 0",
  );
});

it("recommends the same in an examination", async () => {
  await expect(examineServer(await poolTransactions(), directUrl)).rejects.toBeInstanceOf(PoolerError);
});

it("accepts PostgreSQL itself", async () => {
  await (await openDatabase({ url: directUrl })).close();
});
