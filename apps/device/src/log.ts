import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { Env } from "./env";

export type Log = Logger;

/** The program's log: JSON lines on stderr, written at once so that a crash loses none. */
export const createLog = (level: Env["logLevel"]): Log =>
  pino({ level, base: null, timestamp: stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }));

/** Takes user name, password and token out of every URL in a text: git repeats URLs in what it says. */
export const withoutCredentials = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1");
