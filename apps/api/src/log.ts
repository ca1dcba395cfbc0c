import pino from "pino";

/** Fields that never reach a log line, wherever they stand in it. */
const secret = ["authorization", "cookie", "token", "password", "apiKey", "key", "secret"];

/** The process's logger: JSON lines on stdout, without secrets. */
export const createLog = (level: string) =>
  pino({
    level,
    redact: { paths: secret.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: "[redacted]" },
  });
