import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Benchmark, meetsAim } from "./benchmark";
import { attention } from "./benchmarks/attention";
import { batch } from "./benchmarks/batch";
import { coldStart } from "./benchmarks/coldStart";
import { command } from "./benchmarks/command";
import { desktop } from "./benchmarks/desktop";
import { devices } from "./benchmarks/devices";
import { instances } from "./benchmarks/instances";
import { organization } from "./benchmarks/organization";
import { overload } from "./benchmarks/overload";
import { scale } from "./benchmarks/scale";
import { terminals } from "./benchmarks/terminals";
import { Scope } from "./scope";
import { renderTable } from "./table";

const benchmarks: Benchmark[] = [
  command,
  instances,
  devices,
  terminals,
  attention,
  coldStart,
  batch,
  desktop,
  organization,
  overload,
  scale,
];

const help = `Usage: pnpm bench [name…] [--rounds N] [--flush-ms N] [--json]

Measures Grove against a floor, in turns and in the same run. Compare the ratios, not the milliseconds.

${benchmarks.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join("\n")}

  --rounds N  the number of rounds (each benchmark has its own default)
  --flush-ms  a flush of PostgreSQL's log takes at least this long; a cloud's disk takes about 1
  --json      print JSON instead of tables
  --help      print this
`;

/** @throws {Error} for an unknown option or benchmark, with the valid ones */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      rounds: { type: "string" },
      "flush-ms": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const unknown = positionals.find((given) => !benchmarks.some(({ name }) => name === given));
  if (unknown) throw new Error(`There is no benchmark "${unknown}". See --help.`);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`--rounds must be a whole number above 0, not "${values.rounds}".`);
  const given = values["flush-ms"];
  const flushMs = given === undefined ? undefined : Number(given);
  if (flushMs !== undefined && !(flushMs >= 0 && flushMs <= 100))
    throw new Error(`--flush-ms must be a number from 0 to 100, not "${given}".`);
  const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { ...values, rounds, flushMs, chosen };
}

async function main(): Promise<void> {
  const { help: wantsHelp, json, rounds, flushMs, chosen } = readArguments();
  if (wantsHelp) return void process.stdout.write(help);
  const scope = new Scope();
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => void scope.close().finally(() => process.exit(code)));

  const reports = [];
  for (const { name, run } of chosen) {
    const progress = (message: string) => process.stderr.write(`${name}: ${message}\n`);
    try {
      const report = await run({ scope, rounds, flushMs, progress });
      reports.push({ name, ...report, rows: report.rows.map((row) => ({ ...row, met: meetsAim(row) })) });
      if (!json) process.stdout.write(`\n${renderTable(name, report)}\n`);
    } finally {
      await scope.close();
    }
  }
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version };
  if (json) process.stdout.write(`${JSON.stringify({ machine, reports }, undefined, 2)}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
