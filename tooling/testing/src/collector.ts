import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * Starts a collector of OpenTelemetry, by OTLP over HTTP in JSON.
 * @param endAfter takes the function that ends it, and calls it later: `onTestFinished`, `afterAll`
 * @returns its address, and the bodies that programs have sent to it so far
 */
export async function startCollector(endAfter: (end: () => void) => void) {
  const sent: string[] = [];
  const server = createServer((request, answer) => {
    void text(request).then((body) => {
      sent.push(body);
      answer.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endAfter(() => void server.close());
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
