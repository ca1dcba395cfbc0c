import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { boundConnections, isLoopback } from "./connectionLimit";

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A server that greets every connection it accepts with `hello`. */
async function listen(...bounds: [max: number, isExempt?: (address: string) => boolean]) {
  const server = createServer();
  boundConnections(server, undefined, ...bounds);
  server.on("connection", (socket: Socket) => {
    if (!socket.destroyed) socket.write("hello");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push({ destroy: () => server.close() });
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, "127.0.0.1");
    open.push(socket);
    socket.on("error", () => undefined);
    const isAccepted = await Promise.race([
      once(socket, "data").then(() => true),
      once(socket, "close").then(() => false),
    ]);
    return { socket, isAccepted };
  };
}

const nobody = () => false;

it("accepts connections of one network up to the limit, and another as soon as one has ended", async () => {
  const call = await listen(2, nobody);
  const [first, second] = [await call(), await call()];
  expect([first.isAccepted, second.isAccepted]).toEqual([true, true]);
  expect((await call()).isAccepted).toBe(false);
  first.socket.destroy();
  await expect.poll(async () => (await call()).isAccepted).toBe(true);
});

it("does not count programs of this machine", async () => {
  const call = await listen(1);
  for (let n = 0; n < 3; n++) expect((await call()).isAccepted).toBe(true);
});

it.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::ffff:127.0.0.1", true],
  ["::1", true],
  ["10.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["2001:db8::1", false],
])("%s is on this machine: %s", (address, is) => expect(isLoopback(address)).toBe(is));
