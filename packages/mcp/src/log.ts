export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of a log line. An `Error` is written with its stack and causes. */
type LogFields = Record<string, unknown>;

/** JSON lines on stderr; stdout belongs to the protocol. */
export type Logger = Record<
  "debug" | "info" | "warn" | "error",
  (message: string, fields?: LogFields) => void
>;

/** Writes entries of at least the severity `level`, one JSON object per line. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Logger {
  const minSeverity = logLevels.indexOf(level);
  const at = (own: LogLevel) => (message: string, fields?: LogFields) => {
    if (logLevels.indexOf(own) < minSeverity) return;
    write(
      `${JSON.stringify({ time: new Date().toISOString(), level: own, msg: message, ...fields }, toPlainValue)}\n`,
    );
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** JSON.stringify writes an Error as `{}`. */
function toPlainValue(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    message: value.message,
    stack: value.stack,
    ...(value.cause === undefined ? {} : { cause: value.cause }),
  };
}
