import * as z from "zod";
import { LogFile } from "./logFile";

const WARN = 40;

/** What matters here of a line that pino wrote. */
const logRecord = z.looseObject({
  level: z.number(),
  msg: z.string().default(""),
  err: z.looseObject({ message: z.string() }).optional(),
});
export type LogRecord = z.infer<typeof logRecord>;

export interface ProgramLogOptions {
  /** Said before each line that is shown. */
  name: string;
  path: string;
  /** Shows every line as it is, instead of warnings and worse in short. */
  verbose: boolean;
  show(text: string): void;
}

/** Where the lines of a program go: all of them into a file, and what a person should see to the terminal. */
export class ProgramLog {
  readonly #file: LogFile;

  constructor(private readonly options: ProgramLogOptions) {
    this.#file = new LogFile(options.path);
  }

  get path(): string {
    return this.options.path;
  }

  /** @returns the log record in this line, if it is one */
  add(line: string): LogRecord | undefined {
    const { name, verbose, show } = this.options;
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
