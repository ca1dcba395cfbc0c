import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { Socket } from "node:net";

/** A connection to the API that a test can watch and cut. */
export class ApiProxy {
  url = "";
  /** The procedures called, one entry per request. */
  readonly asked: string[] = [];
  #lost: { path: string; times: number } | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const path = new URL(incoming.url ?? "", target).pathname.replace("/api/trpc/", "");
      this.asked.push(path);
      const { method, headers, url = "" } = incoming;
      const forwarded = request(new URL(url, target), {
        method,
        headers: { ...headers, host: new URL(target).host },
      });
      incoming.pipe(forwarded);
      // Only this side is ever cut: the API does not notice, as with a gateway that died.
      forwarded.on("error", () => outgoing.destroy());
      forwarded.on("response", (response) => {
        if (this.#lost?.path === path && this.#lost.times-- > 0) {
          response.resume();
          outgoing.destroy();
          return;
        }
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing).on("error", () => response.resume());
      });
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(target: string): Promise<ApiProxy> {
    const proxy = new ApiProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    proxy.url = `http://127.0.0.1:${(proxy.#server.address() as { port: number }).port}`;
    return proxy;
  }

  /** Cuts the connection after the API has answered this request, the given number of times. */
  loseAnswerOf(path: string, times = 1): void {
    this.#lost = { path, times };
  }

  /** Cuts every connection that is open. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}
