import { Console } from "node:console";
import type { Logger } from "./log";
import { stdioTransport, type ToolServer } from "./server";

/** How long canceled handlers may take to end. The process must end within 5 s of losing its client. */
const GRACE_MS = 2_000;

/**
 * Serves over stdin and stdout until the client is gone: end of stdin, a closed stdout, SIGTERM, SIGINT or SIGHUP. Then
 * it aborts the calls in progress and ends the process even if handles are still open. Never returns.
 */
export async function runStdio(server: ToolServer, log: Logger): Promise<never> {
  // stdout carries nothing but JSON-RPC, even if a dependency prints.
  globalThis.console = new Console(process.stderr);

  const stopped = new Promise<{ reason: string; code: number }>((resolve) => {
    const stop = (reason: string, code = 0) => resolve({ reason, code });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => stop(signal));
    process.stdin.once("end", () => stop("end of stdin"));
    process.stdin.once("error", () => stop("stdin failed"));
    // A client that is gone shows up as EPIPE; unhandled, it would end the process with a stack trace.
    process.stdout.on("error", () => stop("stdout is closed"));
    process.stderr.on("error", () => undefined);
    // Only a message over the limit closes the transport before we do.
    server.onclose = () => stop("a message was too long", 1);
  });

  await server.connect(stdioTransport());
  const { reason, code } = await stopped;
  log.debug("stopping", { reason });
  await Promise.race([server.close(), new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
  process.exit(code);
}
