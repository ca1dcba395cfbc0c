import { traceFields } from "@grove/tracing";
import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { Env } from "./env";

export type Log = Logger;

/** The program's log: JSON lines on stderr, written synchronously so that a crash loses none. */
export const createLog = (level: Env["logLevel"]): Log =>
  pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, mixin: () => traceFields() },
    destination({ fd: 2, sync: true }),
  );

/** Removes user name, password and token from every URL in a text, since git repeats URLs in its messages. */
export const withoutCredentials = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1");
