import { parseArgs } from "node:util";
import { DEFAULT_COMMANDS, soak } from "./soak";
import { faultNames } from "./storm";

const help = `pnpm soak [--seed N] [--commands N] [--devices N] [--instances N]

Runs commands (${DEFAULT_COMMANDS} by default) on device agents while processes are killed, lines cut and databases restarted.
Then compares every caller's answer with the disk, and prints how the commands ended and how often each fault
struck. Exits with 1 when something is wrong.
`;

/** @throws {Error} for invalid options; the message names the problem */
function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: `${Date.now() % 1_000_000}` },
      commands: { type: "string", default: `${DEFAULT_COMMANDS}` },
      devices: { type: "string", default: "2" },
      instances: { type: "string", default: "2" },
      help: { type: "boolean", short: "h" },
    },
  });
  const number = (name: "seed" | "commands" | "devices" | "instances", min: number): number => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= min) return value;
    throw new Error(`--${name} takes a whole number from ${min} on, not "${values[name]}".`);
  };
  if (values.help) return undefined;
  return {
    seed: number("seed", 0),
    commands: number("commands", 1),
    devices: number("devices", 1),
    instances: number("instances", 1),
  };
}

function table(what: string, many: string, counts: Record<string, number>): string {
  const rows = Object.entries(counts).sort(([, count], [, other]) => other - count);
  const width = Math.max(what.length, ...rows.map(([name]) => name.length));
  return [[what, many], ...rows]
    .map(([name, count]) => `${`${name}`.padEnd(width)}  ${`${count}`.padStart(many.length)}\n`)
    .join("");
}

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return void process.stdout.write(help);
  process.stderr.write(`Seed ${options.seed}.\n`);
  const report = await soak({ ...options, progress: (message) => process.stderr.write(`${message}\n`) });
  const { wrong, ends, faults, typed, seconds } = report;
  process.stdout.write(`${JSON.stringify({ ...options, typed, seconds: Math.round(seconds) })}\n`);
  process.stdout.write(table("command ended", "times", ends));
  const struck = Object.fromEntries(faultNames.map((fault) => [fault, faults[fault] ?? 0]));
  process.stdout.write(table("fault", "struck", struck));
  for (const line of wrong) process.stdout.write(`WRONG: ${line}\n`);
  process.stdout.write(wrong.length === 0 ? "All is well.\n" : `${wrong.length} wrong.\n`);
  // A call that was lost on a stalled line would keep the process alive.
  process.exit(wrong.length === 0 ? 0 : 1);
}

main().catch((error: Error & { code?: string }) => {
  // A usage error is printed as a sentence; any other error is a bug in the soak itself.
  const isUsage = error.code?.startsWith("ERR_PARSE_ARGS") || error.message.startsWith("--");
  process.stderr.write(`${isUsage ? `${error.message.replace(/\.?$/, ".")} See --help.` : error.stack}\n`);
  process.exit(1);
});
