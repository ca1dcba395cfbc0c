import { Console } from "node:console";
import { endTracing } from "@grove/tracing";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Logger } from "../log";
import type { ToolServer } from "../server";
import { answerHandshake, type Era } from "./handshake";
import { Wire } from "./wire";

/** How long canceled handlers may take to end. The process must end within 5 s of losing its client. */
const GRACE_MS = 2_000;
/** The most messages that are answered without the SDK. For a client that sends more, the start no longer matters. */
const MAX_OPENING = 16;

/**
 * Serves both eras of the protocol over stdin and stdout until the client has exited: end of stdin, a closed stdout,
 * SIGTERM, SIGINT or SIGHUP. Then it aborts the calls in progress and ends the process even if handles are still open.
 * Never returns.
 */
export async function runStdio(server: ToolServer, log: Logger): Promise<never> {
  // stdout carries nothing but JSON-RPC, even if a dependency prints.
  globalThis.console = new Console(process.stderr);

  const stopped = new Promise<{ reason: string; code: number }>((resolve) => {
    const stop = (reason: string, code = 0) => resolve({ reason, code });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => stop(signal));
    process.stdin.once("end", () => stop("end of stdin"));
    process.stdin.once("error", () => stop("stdin failed"));
    // A client that has exited shows up as EPIPE; unhandled, it would end the process with a stack trace.
    process.stdout.on("error", () => stop("stdout is closed"));
    process.stderr.on("error", () => undefined);
    serve(server, log, () => stop("a message was too long", 1));
  });

  const { reason, code } = await stopped;
  log.debug("stopping", { reason });
  await Promise.race([server.close(), new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
  await endTracing();
  process.exit(code);
}

/** Answers a client's first messages by itself, and hands the connection to the SDK with the first other message. */
function serve(server: ToolServer, log: Logger, close: () => void): void {
  const wire = new Wire(process.stdin, process.stdout);
  const answered: JSONRPCMessage[] = [];
  let era: Era;
  let forwardToSdk: Promise<(message: JSONRPCMessage) => void> | undefined;
  wire.receive({
    message(message) {
      const answer =
        forwardToSdk || answered.length >= MAX_OPENING
          ? undefined
          : answerHandshake(server.introduction, message, era);
      if (answer) {
        answered.push(message);
        era = answer.era;
        if (answer.send) void wire.send(answer.send);
        return;
      }
      forwardToSdk ??= import("../sdk").then(({ serveWithSdk }) => serveWithSdk(server, wire, answered));
      void forwardToSdk.then((deliver) => deliver(message));
    },
    error: ({ message }) => log.warn("protocol error", { error: message }),
    close,
  });
}
