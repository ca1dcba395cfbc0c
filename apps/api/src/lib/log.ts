import { traceFields } from "@grove/tracing";
import pino from "pino";

/** Fields that never reach a log line, at any depth. */
const secret = ["authorization", "cookie", "token", "password", "apiKey", "key", "secret"];

/**
 * The process's logger: JSON lines on stdout, without secrets. Lines are written asynchronously, several together;
 * those left when the process exits are written then.
 */
export const createLog = (level: string) =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => traceFields(),
      redact: {
        paths: secret.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: "[redacted]",
      },
    },
    gathered(),
  );

/** How long lines are buffered. */
const BUFFER_MS = 10;
/** The buffer is written when it has this many characters. */
const BUFFER_CHARACTERS = 8 * 1024;

/** Pino itself writes what is left at the exit of the main thread alone; the API runs in another one. */
const opened = new Set<ReturnType<typeof pino.destination>>();
process.once("exit", () => {
  for (const out of opened) out.flushSync();
});

/**
 * Standard output, in few writes, since each wakes two threads: with a write for each line, a command took 6 % more of
 * the API's processor time (`pnpm bench command`).
 */
function gathered() {
  const out = pino.destination({ sync: false, minLength: BUFFER_CHARACTERS });
  opened.add(out);
  const write = out.write.bind(out);
  let due = false;
  const flush = () => {
    due = false;
    out.flush();
  };
  out.write = (line) => {
    if (!due) setTimeout(flush, BUFFER_MS);
    due = true;
    return write(line);
  };
  return out;
}
