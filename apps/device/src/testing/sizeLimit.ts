import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A proxy before the API that refuses larger requests, with HTML as proxies do. Ends after the test.
 * @returns its address
 */
export async function startSizeLimit(cloudUrl: string, maxBytes: number): Promise<string> {
  const proxy = createServer((incoming, response) => {
    if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) {
      incoming.resume();
      response.writeHead(413, { "content-type": "text/html" }).end("<h1>413 Request Entity Too Large</h1>");
      return;
    }
    const { method, headers, url } = incoming;
    const outgoing = request(cloudUrl + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
