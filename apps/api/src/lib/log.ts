import pino from "pino";

/** Fields that never reach a log line, wherever they stand in it. */
const secret = ["authorization", "cookie", "token", "password", "apiKey", "key", "secret"];

/**
 * The process's logger: JSON lines on stdout, without secrets. They are written beside the work, several at once when
 * there are many; what is still to be written when the process exits is written then.
 */
export const createLog = (level: string) =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secret.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: "[redacted]",
      },
    },
    pino.destination({ sync: false }),
  );
