import { traceFields } from "@grove/tracing";
import pino from "pino";

/** Fields that never reach a log line, at any depth. */
const secret = ["authorization", "cookie", "token", "password", "apiKey", "key", "secret"];

/**
 * The process's logger: JSON lines on stdout, without secrets. Lines are written asynchronously, several together when
 * there are many; those left when the process exits are written then.
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
    pino.destination({ sync: false }),
  );
