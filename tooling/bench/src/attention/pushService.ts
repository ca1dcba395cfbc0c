import { createECDH, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "../scope";

export interface PushService {
  host: string;
  /** A browser's subscription. */
  subscription: { endpoint: string; p256dh: string; auth: string; label: string };
  /** Resolves with the time at which the next message was received completely. */
  next(): Promise<number>;
}

/** Starts a push service of browsers on this machine. It accepts each message, which is encrypted for one browser. */
export async function startPushService(scope: Scope): Promise<PushService> {
  const messages = new EventEmitter();
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const at = performance.now();
      response.writeHead(201).end();
      if (request.headers["content-encoding"] === "aes128gcm") messages.emit("message", at);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  scope.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    subscription: {
      endpoint: `http://${host}/push`,
      p256dh: createECDH("prime256v1").generateKeys().toString("base64url"),
      auth: randomBytes(16).toString("base64url"),
      label: "bench",
    },
    next: async () => (await once(messages, "message"))[0],
  };
}
