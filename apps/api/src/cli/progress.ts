import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Progress } from "@grove/db";

/** The program runs in a thread, whose own streams do not detect a terminal and may lose the last output. */
const STDERR = 2;
/** A terminal's line changes this often; a log gets a line this often. */
const ON_TERMINAL_MS = 200;
const IN_LOG_MS = 10_000;

const number = new Intl.NumberFormat("en-US");

/** Prints a line to stderr. */
export const say = (text: string): void => void writeSync(STDERR, `${text}\n`);

/** Shows how far long work has come: one line that changes in a terminal, otherwise a line now and then. */
export function showProgress(verb: string): Progress & { end(): void } {
  const terminal = isatty(STDERR);
  let last = performance.now();
  let isOpen = false;
  const show: Progress = ({ table, rows, total }) => {
    const now = performance.now();
    if (now - last < (terminal ? ON_TERMINAL_MS : IN_LOG_MS)) return;
    last = now;
    const share = total ? ` of ${number.format(total)} (${Math.floor((100 * rows) / total)} %)` : "";
    const text = `${verb} ${number.format(rows)}${share} rows, now ${table}`;
    isOpen = terminal;
    writeSync(STDERR, terminal ? `\r${text}\u001b[K` : `${text}\n`);
  };
  const end = () => {
    if (isOpen) writeSync(STDERR, "\r\u001b[K");
  };
  return Object.assign(show, { end });
}

/** `1,234 rows` */
export const rowsText = (rows: number): string => `${number.format(rows)} ${rows === 1 ? "row" : "rows"}`;

/** `1.2 MB` */
export const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${number.format(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
