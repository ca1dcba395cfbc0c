import { once } from "node:events";
import { timeoutSignal } from "@grove/signals";
import { expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { Connection } from "./connection";

it.each(["no JSON", "null", "7"])(
  "ends the connection, and nothing else, on a frame of %s",
  async (frame) => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => server.close());
    await once(server, "listening");
    server.on("connection", (socket) => socket.on("message", () => socket.send(frame)));
    const { port } = server.address() as { port: number };
    const connection = await Connection.open(`ws://127.0.0.1:${port}`, timeoutSignal(5_000));
    const why = new Promise((resolve) => connection.onClose(resolve));
    await expect(
      connection.browser.send("Browser.getVersion", undefined, timeoutSignal(5_000)),
    ).rejects.toThrow("The app closed the connection");
    expect(await why).toBe("it sent something that is not a message of the protocol");
    expect(connection.isOpen).toBe(false);
  },
);
