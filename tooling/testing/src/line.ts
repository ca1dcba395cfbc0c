import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

type State = "open" | "closed" | "stalled" | "buffering";

interface Link {
  client: Socket;
  server: Socket;
  held: Buffer[];
}

/** A TCP proxy: a line that can be cut, stalled, or made to hold answers back as a buffering proxy does. */
export class Line {
  #links = new Set<Link>();
  #state: State = "open";
  /** The first line of every HTTP request that has passed. */
  readonly requests: string[] = [];
  /** Requests whose first line matches are not let through: their connections break. */
  refused: RegExp | undefined;
  /** Bytes sent to the client. */
  received = 0;
  /** How many connections the client has made. */
  connections = 0;
  readonly #server: Server;
  #targetPort: number;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on("connection", (client) => this.#accept(client));
  }

  static async to(targetPort: number): Promise<Line> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Line(server, targetPort);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Leads new connections to another port; existing ones stay, as behind a proxy after a failover. */
  leadTo(targetPort: number): void {
    this.#targetPort = targetPort;
  }

  /** Breaks all connections; new ones are let through. */
  cut(): void {
    for (const { client, server } of this.#links)
      for (const socket of [client, server]) socket.resetAndDestroy();
  }

  /** Breaks all connections, and lets no new one through. */
  close(): void {
    this.#state = "closed";
    this.cut();
  }

  /** Silently passes nothing on, in either direction. */
  stall(): void {
    this.#state = "stalled";
    for (const link of this.#links) pause(link);
  }

  /** Holds everything back that the server sends. */
  buffer(): void {
    this.#state = "buffering";
  }

  /** Restores the line, and passes on everything that was held back. */
  open(): void {
    this.#state = "open";
    for (const link of this.#links) {
      for (const chunk of link.held.splice(0)) link.client.write(chunk);
      link.client.resume();
      link.server.resume();
    }
  }

  async end(): Promise<void> {
    this.close();
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(client: Socket): void {
    this.connections++;
    if (this.#state === "closed") return void client.resetAndDestroy();
    const server = connect(this.#targetPort, "127.0.0.1");
    const link = { client, server, held: [] };
    this.#links.add(link);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        other.destroy();
        this.#links.delete(link);
      });
      socket.on("end", () => other.end());
    }
    client.on("data", (chunk) => {
      const line = /^[A-Z]+ \S+/.exec(chunk.toString("latin1", 0, 300));
      if (line) this.requests.push(line[0]);
      if (line && this.refused?.test(line[0])) return void client.resetAndDestroy();
      server.write(chunk);
    });
    server.on("data", (chunk) => this.#answer(link, chunk));
    if (this.#state === "stalled") pause(link);
  }

  #answer({ client, held }: Link, chunk: Buffer): void {
    if (this.#state === "buffering") return void held.push(chunk);
    this.received += chunk.length;
    client.write(chunk);
  }
}

function pause({ client, server }: Link): void {
  client.pause();
  server.pause();
}
