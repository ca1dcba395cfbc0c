import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { endTracing } from "@grove/tracing";
import { Exit } from "../errors";
import { createHttpServer, type HttpOptions, PATH } from "./server";

/**
 * How long calls in progress may continue after the stop signal, and then how long they may take to end and be
 * answered.
 */
const GRACE_MS = 2_000;

export interface ListenOptions extends HttpOptions {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves over Streamable HTTP until SIGTERM, SIGINT or SIGHUP. Then it accepts no new connections, gives calls in
 * progress two seconds, aborts and answers the rest, and ends the process. Never returns.
 * @throws {Exit} 1 when it cannot listen
 */
export async function runHttp({ host, port, ...options }: ListenOptions): Promise<never> {
  const { log } = options;
  const { http, idle, close } = createHttpServer(options);
  http.listen(port, host);
  await once(http, "listening").catch((error: Error) => {
    throw new Exit(1, `Cannot listen on ${host}:${port}: ${error.message}`);
  });
  log.info("listening", { url: addressOf(http.address() as AddressInfo) });

  const reason = await new Promise<string>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, resolve);
  });
  log.info("stopping", { reason });
  http.close();
  http.closeIdleConnections();
  await Promise.race([idle(), delay(GRACE_MS)]);
  await Promise.race([close().then(idle), delay(GRACE_MS)]);
  await endTracing();
  process.exit(0);
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const addressOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}${PATH}`;
