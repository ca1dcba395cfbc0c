import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";

/** A stream of events as a client of the proxy sees it. */
export interface Events {
  /** How long the first bytes of its body took, in milliseconds. */
  readonly firstMs: number;
  /** Resolves with the next bytes. */
  next(): Promise<string>;
  readonly ended: boolean;
  close(): void;
}

/** Opens `organization.watch` without a library, which would reconnect. */
export async function openEvents(address: string, token: string, organizationId: string): Promise<Events> {
  const from = performance.now();
  const input = encodeURIComponent(JSON.stringify({ organizationId }));
  const asked = request(`${address}/api/trpc/organization.watch?input=${input}`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    rejectUnauthorized: false,
    agent: false,
  }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`organization.watch answers ${answer.statusCode}.`);
  answer.setEncoding("utf8").on("error", () => {});
  const next = async () => String((await once(answer, "data"))[0]);
  await next();
  return {
    firstMs: performance.now() - from,
    next,
    get ended() {
      return answer.readableEnded || answer.destroyed;
    },
    close: () => asked.destroy(),
  };
}
