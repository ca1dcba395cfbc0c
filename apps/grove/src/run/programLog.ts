import * as z from "zod";
import { LogFile } from "./logFile";

const WARN = 40;

/** The fields of a pino log line that matter here. */
const logRecord = z.looseObject({
  level: z.number(),
  msg: z.string().default(""),
  err: z.looseObject({ message: z.string() }).optional(),
});
export type LogRecord = z.infer<typeof logRecord>;

export interface ProgramLogOptions {
  /** Precedes each line that is shown. */
  name: string;
  path: string;
  /** Shows every line as it is, instead of only warnings and errors in short. */
  verbose: boolean;
  show(text: string): void;
}

/** The log of a program. All lines go to a file, and those that a person should see also to the terminal. */
export class ProgramLog {
  readonly #file: LogFile;
  readonly #options: ProgramLogOptions;

  constructor(options: ProgramLogOptions) {
    this.#options = options;
    this.#file = new LogFile(options.path);
  }

  get path(): string {
    return this.#options.path;
  }

  /** @returns the log record in this line, if it is one */
  add(line: string): LogRecord | undefined {
    const { name, verbose, show } = this.#options;
    this.#file.write(line);
    const record = parse(line);
    if (verbose) show(`${name} | ${line}`);
    else if (record && record.level >= WARN)
      show(`${name}: ${record.msg}${record.err ? ` (${record.err.message})` : ""}`);
    return record;
  }

  close(): void {
    this.#file.close();
  }
}

function parse(line: string): LogRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return logRecord.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
