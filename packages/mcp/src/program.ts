import { parseArgs } from "node:util";
import { readSecretFiles } from "@grove/environment";
import { messageOf } from "@grove/schemas";
import * as z from "zod";
import { Exit } from "./errors";
import { logLevels } from "./log";
import type { ListedTool } from "./server";

export interface Program {
  /** The command that people type. */
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  /** Name and meaning of each environment variable beyond {@link serverEnv}. */
  readonly environment: Readonly<Record<string, string>>;
  /** Options beyond the shared ones. */
  readonly options?: Readonly<Record<string, ProgramOption>>;
  /** Other ways to call it, one line each, for --help. */
  readonly commands?: readonly string[];
}

/** An option of one program. `value` is the placeholder shown by --help, if the option takes a value. */
interface ProgramOption {
  readonly value?: string;
  readonly meaning: string;
}

/** The values given for a program's own options: true for an option without a value. */
export type OwnOptions = Readonly<Record<string, string | boolean | undefined>>;

/** Which tools are offered. */
export interface Narrowing {
  readonly readOnly: boolean;
  /** All when undefined. */
  readonly tools: readonly string[] | undefined;
}

/** The variables that every server reads; an application adds its own. */
export const serverEnv = {
  LOG_LEVEL: z.enum(logLevels).default("info"),
  READ_ONLY: z.stringbool().default(false),
  TOOLS: z.string().transform(namesOf).optional(),
};

const sharedEnvironment = {
  LOG_LEVEL: `${logLevels.join(", ")} (default info), on stderr`,
  READ_ONLY: "true: the same as --read-only",
  TOOLS: "the same as --tools",
};

/**
 * Reads the command line. Secrets come from the environment only, since every user of a machine can read command lines.
 * @throws {Exit} 0 with the text of --help or --version, 2 for an unknown option
 */
export function readCommandLine(argv: readonly string[], program: Program): Narrowing & { own: OwnOptions } {
  const values = parse(argv, program);
  if (values.help) throw new Exit(0, helpText(program));
  if (values.version) throw new Exit(0, program.version);
  return {
    readOnly: values["read-only"],
    tools: values.tools === undefined ? undefined : namesOf(values.tools),
    own: Object.fromEntries(
      Object.keys(program.options ?? {}).map((name) => [name, (values as OwnOptions)[name]]),
    ),
  };
}

function parse(argv: readonly string[], program: Program) {
  const ownOptions = Object.entries(program.options ?? {}).map(
    ([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  try {
    return parseArgs({
      args: [...argv],
      options: {
        ...(Object.fromEntries(ownOptions) as Record<string, { type: "boolean" | "string" }>),
        help: { type: "boolean", short: "h", default: false },
        version: { type: "boolean", short: "v", default: false },
        "read-only": { type: "boolean", default: false },
        tools: { type: "string" },
      },
    }).values;
  } catch (error) {
    const [reason] = messageOf(error).split(". ");
    throw new Exit(2, `${program.name}: ${reason}. Try ${program.name} --help.`);
  }
}

function helpText(program: Program): string {
  const variables = Object.entries({ ...program.environment, ...sharedEnvironment });
  const width = Math.max(...variables.map(([name]) => name.length));
  const options = [
    ["--read-only", "offer only the tools that change nothing"],
    ["--tools a,b", "offer only these tools"],
    ...Object.entries(program.options ?? {}).map(([name, { value, meaning }]) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      meaning,
    ]),
    ["--help, --version", ""],
  ];
  const column = Math.max(...options.map(([option = ""]) => option.length));
  return [
    program.summary,
    "",
    `Usage: ${program.name} [options]`,
    ...(program.commands ?? []).map((line) => `       ${line}`),
    ...options.map(([option = "", meaning]) => `  ${option.padEnd(column)}  ${meaning}`.trimEnd()),
    "",
    "It speaks the Model Context Protocol over stdin and stdout: an MCP client starts it.",
    "",
    "Environment:",
    ...variables.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  ].join("\n");
}

/**
 * Validates an environment. An empty variable counts as unset.
 * @param secrets the variables that may also be given as the file `<NAME>_FILE`
 * @throws {Exit} 1 with one line for each invalid variable
 */
export function readEnvironment<Shape extends z.ZodRawShape>(
  shape: Shape,
  source: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[] = [],
): z.output<z.ZodObject<Shape>> {
  const parsed = z.object(shape).safeParse(readFiles(source, secrets));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Exit(1, lines.join("\n"));
}

function readFiles(source: Readonly<Record<string, string | undefined>>, secrets: readonly string[]) {
  try {
    return readSecretFiles(source, secrets);
  } catch (error) {
    throw new Exit(1, messageOf(error));
  }
}

/**
 * Returns the tools that the filters of the command line and the environment keep.
 * @throws {Exit} 2 for an unknown name, or if no tool is left
 */
export function narrow<Listed extends Pick<ListedTool, "name" | "annotations">>(
  tools: readonly Listed[],
  ...by: readonly Narrowing[]
): readonly Listed[] {
  const names = by.flatMap(({ tools: wanted }) => wanted ?? []);
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    throw new Exit(
      2,
      `No tool ${unknown.join(", ")}. The tools are: ${tools.map((tool) => tool.name).join(", ")}.`,
    );
  }
  const remainingTools = tools.filter((tool) =>
    by.every(
      ({ readOnly, tools: wanted }) =>
        (!readOnly || tool.annotations?.readOnlyHint === true) &&
        (wanted === undefined || wanted.includes(tool.name)),
    ),
  );
  if (remainingTools.length === 0) throw new Exit(2, "--read-only and --tools leave no tool.");
  return remainingTools;
}

/** Runs a program's main function. An Exit that it throws becomes the process's output and exit code. */
export async function runMain(main: () => Promise<unknown>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    (error.code === 0 ? process.stdout : process.stderr).write(`${error.message}\n`);
    process.exitCode = error.code;
  }
}

function namesOf(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
